"""The bases of one change: showing them, recording them, and moving them to the current specs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Refused
from rasen.base.messages import N_
from rasen.files.atomic import read_text
from rasen.files.batch import Batch
from rasen.files.errors import FileMissing
from rasen.planning import disk
from rasen.planning.bases import disk as bases_disk
from rasen.planning.bases.compare import Difference, differences
from rasen.planning.bases.find import current_text, finder, subject
from rasen.planning.bases.model import Base, Source
from rasen.planning.bases.noting import capability_names
from rasen.planning.changes.proposal_file import Proposal
from rasen.planning.load import change_dir
from rasen.roots.model import Root

CURRENT = "current"
"""The source of a text that was recorded because nothing better was known."""


class RebaseNeedsConsent(Refused):
    """Moving a base says that the author has seen what changed. report: what there is to see."""

    code = "base_rebase_confirmation_required"
    text = N_(
        "moving the base of {change} says that its deltas take into account what has changed in: {names}"
    )
    fix = N_("look at the differences, bring the deltas up to date, then run `{again}`")

    def __init__(self, report: BaseReport, **params: object) -> None:
        super().__init__(target="", fix=None, **params)
        self.report = report


@dataclass(frozen=True, slots=True)
class BaseState:
    """One base and what became of its spec.

    path: the recorded file, None where nothing is recorded. now: the spec as it is, None without
    one. moved: what differs between them; empty where the base is unknown.
    """

    base: Base
    path: Path | None
    now: str | None
    moved: tuple[Difference, ...]

    @property
    def needs_a_look(self) -> bool:
        """True where the author may not have seen the spec as it is now."""
        return bool(self.moved) or not self.base.is_known

    def to_json(self, *, with_texts: bool = False) -> dict[str, object]:
        """One member of `bases`. with_texts: the differing requirements with their text."""
        row: dict[str, object] = {
            "capability": self.base.capability,
            "source": self.base.source.value,
            "why": self.base.why.format(**self.base.params),
        }
        if self.base.revision is not None:
            row["revision"] = self.base.revision
        if self.path is not None:
            row["path"] = str(self.path)
        if self.base.is_known:
            row["hadSpec"] = self.base.text is not None
        if self.base.passed:
            row["passed"] = list(self.base.passed)
        row["moved"] = [_difference(one, with_texts=with_texts) for one in self.moved]
        return row


@dataclass(frozen=True, slots=True)
class Recording:
    """A base that was written. source: where its text is from; "current" for the spec as it is."""

    capability: str
    source: str


@dataclass(frozen=True, slots=True)
class BaseReport:
    """The bases of a change, by capability. recorded: what was written; None for a mere look."""

    change: str
    states: tuple[BaseState, ...]
    recorded: tuple[Recording, ...] | None = None

    def to_json(self, *, with_texts: bool = False) -> dict[str, object]:
        """The document, without its root. with_texts: as in `BaseState.to_json`."""
        document: dict[str, object] = {
            "change": self.change,
            "bases": [one.to_json(with_texts=with_texts) for one in self.states],
        }
        if self.recorded is not None:
            document["recorded"] = [
                {"capability": one.capability, "source": one.source} for one in self.recorded
            ]
        return document


def show(ctx: Context, root: Root, change: str, touches: str | None = None) -> BaseReport:
    """Which base each capability of `change` has and why, and what has changed since.

    touches: capabilities with commas between; None takes those that the change records, has deltas
    for, or names in its proposal. Errors: ChangeNotFound, capability_name_invalid, file_*.
    """
    folder = change_dir(root, change)
    return BaseReport(change, _states(ctx, root, folder, _names(folder, touches)))


def record(ctx: Context, root: Root, change: str, touches: str | None = None) -> BaseReport:
    """Record the best known base of each capability; where none is known, the spec as it is.

    What is recorded already stays. Errors: as `show`; that of a recorded base that cannot be read;
    busy, disk_full.
    """
    report = show(ctx, root, change, touches)
    folder = change_dir(root, change)
    batch = _batch(ctx, root, change)
    written: list[Recording] = []
    for state in report.states:
        base = state.base
        if base.problem is not None:
            raise base.problem
        if base.source is Source.RECORDED:
            continue
        text = base.text if base.is_known else state.now
        bases_disk.record(batch, folder, base.capability, text)
        written.append(Recording(base.capability, base.source.value if base.is_known else CURRENT))
    batch.commit()
    return replace(_again(ctx, root, report), recorded=tuple(written))


def rebase(
    ctx: Context,
    root: Root,
    change: str,
    touches: str | None = None,
    *,
    yes: bool = False,
    agreed: BaseReport | None = None,
) -> BaseReport:
    """Record the specs as they are now as the bases of `change`.

    yes: whatever has changed. agreed: the report that the person looked at; when what there is to
    see is another by now, it is asked again.
    Errors: as `show`; base_rebase_confirmation_required; busy, disk_full.
    """
    report = show(ctx, root, change, touches)
    moved = [state.base.capability for state in report.states if state.needs_a_look]
    if moved and not yes and report != agreed:
        again = " ".join(["rasen change base", change, "--rebase --yes", *root.selector])
        raise RebaseNeedsConsent(report, change=change, names=", ".join(moved), again=again)
    folder = change_dir(root, change)
    batch = _batch(ctx, root, change)
    written: list[Recording] = []
    for state in report.states:
        base = state.base
        if base.source is not Source.RECORDED or base.text != state.now:
            bases_disk.record(batch, folder, base.capability, state.now)
            written.append(Recording(base.capability, CURRENT))
    batch.commit()
    return replace(_again(ctx, root, report), recorded=tuple(written))


def _batch(ctx: Context, root: Root, change: str) -> Batch:
    purpose = f"record the bases of {change}"
    return Batch(root.workspace_dir / ".journal", purpose=purpose, tell=ctx.tell)


def _again(ctx: Context, root: Root, report: BaseReport) -> BaseReport:
    """The report on the same capabilities, as they are now."""
    names = [state.base.capability for state in report.states]
    folder = change_dir(root, report.change)
    return BaseReport(report.change, _states(ctx, root, folder, names))


def _states(ctx: Context, root: Root, folder: Path, names: Iterable[str]) -> tuple[BaseState, ...]:
    bases = finder(ctx, root)
    bases.prepare([subject(folder, more=names)])
    return tuple(_state(root, folder, bases.of(folder, name)) for name in names)


def _state(root: Root, folder: Path, base: Base) -> BaseState:
    now = current_text(root, base.capability)
    path = None
    if base.source is Source.RECORDED:
        path = bases_disk.recorded_file(folder, base.capability)
    moved = differences(base.text, now) if base.is_known else ()
    return BaseState(base, path, now, moved)


def _names(folder: Path, touches: str | None) -> list[str]:
    if touches is not None:
        return list(capability_names(touches))
    names = [file.capability for file in disk.delta_files(folder).files]
    names += [*bases_disk.recorded_names(folder), *_proposed(folder)]
    return sorted(set(names))


def _proposed(folder: Path) -> tuple[str, ...]:
    try:
        proposal = Proposal(read_text(folder / "proposal.md"))
    except FileMissing:
        return ()
    return capability_names(",".join(proposal.capabilities()))


def _difference(one: Difference, *, with_texts: bool) -> dict[str, object]:
    row: dict[str, object] = {"change": one.change}
    if one.requirement is not None:
        row["requirement"] = one.requirement
    if with_texts:
        texts = {"before": one.before, "after": one.after}
        row |= {side: text for side, text in texts.items() if text is not None}
    return row
