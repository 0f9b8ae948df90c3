"""Archives changes of random histories through the real plan, without a disk, and checks each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.histories.authors import COMMON, NAMES, Hand, Written
from tests.histories.texts import plain_lines, read, spec_text, tokens

from rasen.base.findings import Level
from rasen.planning.bases.model import Base, Source
from rasen.planning.change_plan import ChangePlan, LoadedChange, LoadedDelta, Target
from rasen.planning.disk import DeltaFile, Discovery
from rasen.planning.planner import plan_change
from rasen.planning.specs.spec_file import SpecDocument

CAPABILITY = "canal"
REFUSALS = {
    "merge_conflict",
    "merge_requirement_exists",
    "merge_name_taken",
    "merge_spec_missing",
    "merge_retire_loses_text",
    "merged_spec_invalid",
}
"""What may stand against a sound change whose base is known."""
GONE = "merge_requirement_gone"
_NOWHERE = Path("/nowhere")
_FILE = DeltaFile(CAPABILITY, f"{CAPABILITY}/spec.md", _NOWHERE / "delta.md")


@dataclass(frozen=True)
class Step:
    """What came of archiving one change. text: the spec afterwards; None when there is none."""

    plan: ChangePlan
    text: str | None
    is_refused: bool

    @property
    def is_quiet(self) -> bool:
        """True when nothing was found already gone."""
        return all(finding.code != GONE for finding in self.plan.findings)


def first_spec(rng: Random) -> str | None:
    """A spec to begin with, LF or CRLF; None now and then."""
    if rng.random() < 0.08:
        return None
    hand = Hand(rng, "first")
    names = rng.sample(NAMES, rng.randint(1, 4))
    text = spec_text([hand.requirement(name) for name in names])
    if rng.random() < 0.2:
        text += "\n## Notes\nKept by the office ⟨notes⟩.\n\n\n"
    return text.replace("\n", "\r\n") if rng.random() < 0.2 else text


def archive(change: Written, current: str | None) -> Step:
    """Merge `change` into `current` as `rasen archive` would, and check that nothing is lost."""
    plan = plan_change(_loaded(change, current))
    (planned,) = plan.deltas
    merged = planned.merged
    assert merged is not None
    errors = {one.code for one in plan.findings if one.level is Level.ERROR}
    if errors:
        assert errors <= REFUSALS, [str(one) for one in plan.findings]
        assert bool(merged.conflicts) >= ("merge_conflict" in errors)
        assert merged.is_refused
        if not errors & {"merge_retire_loses_text", "merged_spec_invalid"}:
            _check_refusal(change, current)
        return Step(plan, current, is_refused=True)
    after = None if merged.is_retired else merged.text or current
    step = Step(plan, after, is_refused=False)
    _check_marks(change, current, step)
    _check_lines(change, current, after)
    _check_rest(change, current, after)
    return step


def _loaded(change: Written, current: str | None) -> LoadedChange:
    spec = None if current is None else SpecDocument(current)
    path = _NOWHERE / "spec.md"
    target = Target(path, f"specs/{_FILE.relative}", "sha256:0", spec)
    base = Base(CAPABILITY, Source.RECORDED, change.base)
    return LoadedChange(
        change.author,
        _NOWHERE,
        Discovery((_FILE,), ()),
        (LoadedDelta(_FILE, change.delta, "sha256:1"),),
        lambda _: target,
        lambda _: base,
    )


def _check_refusal(change: Written, current: str | None) -> None:
    """Nobody is refused who speaks only of what nobody else has touched since."""
    old, now = _raw(change.base), _raw(current)
    assert any(_lf(old.get(name)) != _lf(now.get(name)) for name in change.touched), (
        "refused without a reason"
    )


def _check_marks(change: Written, current: str | None, step: Step) -> None:
    """The result has each statement that was there or is new, but for those the change takes out."""
    before, after = _marks(change.before), _marks(change.after)
    dropped, put = before - after, after - before
    there = tokens(current)
    expected = Counter(set(there) - set(dropped) | set(put))
    found = tokens(step.text)
    if (
        step.text is None
    ):  # retired: what no requirement holds goes with it, here the notes never do
        assert set(expected) <= set(), expected
    else:
        assert found - _renamed(change, current, step) == expected, (
            found - expected,
            expected - found,
        )
    for line in COMMON:
        if line in change.after and line not in change.before and step.text is not None:
            assert line in step.text


def _renamed(change: Written, current: str | None, step: Step) -> Counter[str]:
    """Marks that the change takes out and that stay: what has them got another name, and other text.

    Where a whole requirement did, the merge says that the one it knows is gone.
    """
    seen, now = _scenarios(change.base), _scenarios(current)
    gone = _marks(change.before) - _marks(change.after)
    kept: set[str] = set()
    for (requirement, name), lines in now.items():
        if not step.is_quiet or (requirement, name) not in seen:
            kept |= set(tokens(lines)) & set(gone) & set(tokens(step.text))
    return Counter(kept)


def _check_lines(change: Written, current: str | None, after: str | None) -> None:
    """Every line of the result stood in the spec or in the change, or names a requirement anew."""
    known = {*plain_lines(current), *plain_lines(change.delta)}
    known |= {f"### Requirement: {name}" for name in NAMES}
    if current is None:
        known |= {"# canal Specification", "## Purpose", "## Requirements"}
    strange = [line for line in plain_lines(after) if line not in known]
    assert [line for line in strange if not line.startswith("TBD")] == []
    assert "<!--" not in (after or "")


def _check_rest(change: Written, current: str | None, after: str | None) -> None:
    """What the change does not name is there byte for byte, in the same order.

    A requirement that others only renamed is still the one that the change names.
    """
    if after is None or current is None:
        return
    old, new = read(current), read(after)
    assert new.head == old.head or not old.requirements
    seen = _raw(change.base)
    meant = {_below(seen[name]) for name in change.touched if name in seen}
    untouched = [
        name
        for name, raw in old.raw.items()
        if name not in change.touched and _below(raw) not in meant
    ]
    assert [name for name in new.raw if name in untouched] == untouched
    for name in untouched:
        assert new.raw[name] == old.raw[name]
    assert new.tail == old.tail


def _marks(lines: list[str]) -> Counter[str]:
    return tokens("\n".join(lines))


def _scenarios(text: str | None) -> dict[tuple[str, str], str]:
    """The text of each scenario, and of each body under the name ""."""
    found: dict[tuple[str, str], str] = {}
    for one in () if text is None else read(text).requirements:
        found[one.name, ""] = "\n".join(one.body)
        for case in one.scenarios:  # namesakes count as one
            former = found.get((one.name, case.name), "")
            found[one.name, case.name] = "\n".join([former, *case.render()])
    return found


def _raw(text: str | None) -> dict[str, str]:
    return {} if text is None else read(text).raw


def _lf(text: str | None) -> str | None:
    return None if text is None else text.replace("\r\n", "\n")


def _below(raw: str) -> str:
    """The text of a requirement without its heading."""
    return raw.replace("\r\n", "\n").partition("\n")[2]
