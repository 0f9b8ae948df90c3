"""Whether a spec can go back to what it was, and what stands on it otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rasen.planning.journal.model import Entry, SpecStep
from rasen.planning.journal.steps import requirement_steps
from rasen.syntax.markdown import Markdown

EDIT = "edit"


@dataclass(frozen=True, slots=True)
class Restored:
    """What one spec goes back to. text: None when it goes away; has_changed: False when it is so already."""

    capability: str
    text: str | None
    has_changed: bool


@dataclass(frozen=True, slots=True)
class Blocker:
    """Something later that stands on a spec. kind: archive, sync or edit. name: None for an edit.

    requirements: those it touched, by their present names.
    """

    capability: str
    kind: str
    name: str | None
    requirements: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        row: dict[str, object] = {"capability": self.capability, "kind": self.kind}
        if self.name is not None:
            row["name"] = self.name
        return {**row, "requirements": list(self.requirements)}


def restored(step: SpecStep, now: str | None) -> Restored | None:
    """What undoing `step` makes of the spec that reads `now`; None when it moved on since.

    A checkout may have changed the line endings: then the former text gets those of `now`.
    """
    if now == step.after:
        return Restored(step.capability, step.before, has_changed=True)
    if same_text(now, step.before):
        return Restored(step.capability, now, has_changed=False)
    if now is not None and same_text(now, step.after):
        return Restored(step.capability, with_endings_of(step.before, now), has_changed=True)
    return None


def blockers(
    entry: Entry, later: Sequence[Entry], now: Callable[[str], str | None]
) -> list[Blocker]:
    """What stands on the specs of `entry` that cannot go back; `later` came after it, in order."""
    found: list[Blocker] = []
    for step in entry.record.specs:
        if restored(step, now(step.capability)) is None:
            found += _on(step, later, now(step.capability))
    return found


def same_text(one: str | None, other: str | None) -> bool:
    """True for equal texts, whatever their line endings."""
    if one is None or other is None:
        return one is other
    return _flat(one) == _flat(other)


def with_endings_of(text: str | None, model: str) -> str | None:
    """`text` with the usual line ending of `model` on every line."""
    if text is None:
        return None
    return _flat(text).replace("\n", Markdown(model).dominant_ending())


def _flat(text: str) -> str:
    return text.replace("\r\n", "\n")


def _on(step: SpecStep, later: Sequence[Entry], now: str | None) -> Iterator[Blocker]:
    left = step.after
    for entry in later:
        other = entry.record.step(step.capability)
        if other is not None:
            names = tuple(dict.fromkeys(one.name for one in other.requirements))
            yield Blocker(step.capability, entry.record.kind, entry.name, names)
            left = other.after
    if not same_text(left, now):
        steps = requirement_steps(left, now, ())
        names = tuple(dict.fromkeys(one.name for one in steps))
        yield Blocker(step.capability, EDIT, None, names)
