"""How much of a schema a change goes through: the lanes `note`, `light` and `full`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rasen.planning.schemas.model import PACKAGE, Artifact, Schema

NOTE, LIGHT, FULL = "note", "light", "full"
LANES = (NOTE, LIGHT, FULL)
"""From the smallest to the largest; a change that names none is in the last."""

MOST_CHARACTERS = {NOTE: 2_000, LIGHT: 6_000}
"""The longest proposal, and the longest task list, that still fits the lane."""

_WORDS = {
    NOTE: (
        "This change is in the lane `note`: a proposal of at most {most} characters, and tasks only if "
        "they help. It touches no spec, so leave Capabilities out. When behaviour that a spec describes "
        "has to change, stop and promote it: `rasen change lane <change> light`."
    ),
    LIGHT: (
        "This change is in the lane `light`: proposal, specs and tasks, each text at most {most} "
        "characters, and no other artifact. When it needs a design after all, promote it: "
        "`rasen change lane <change> full`."
    ),
}


_SHORT = (
    "A proposal says why in a sentence or two, and lists under What Changes what will be different. "
    "A task is one line, `- [ ] 1.1 <what to do>`, and small enough to be checked at a glance."
)


class Part(NamedTuple):
    """An artifact that a lane keeps; `is_optional` when the change is complete without it."""

    id: str
    is_optional: bool = False


def offers(schema: Schema, lane: str) -> bool:
    """True when `schema` has the artifacts that `lane` consists of."""
    return lane == FULL or _parts(schema, lane) is not None


def narrowed(schema: Schema, lane: str | None) -> Schema:
    """`schema` with the artifacts of `lane` alone, in the same order.

    What required an artifact that is left out requires what that one did. A schema that does not
    offer the lane, and the lane `full` or None, give the schema as it is.
    """
    parts = _parts(schema, lane) if lane and lane != FULL else None
    if parts is None or lane is None:
        return schema
    kept = {part.id: part for part in parts}
    artifacts = tuple(
        one._replace(
            requires=_remaining(schema, one.requires, set(kept)),
            instruction=_instruction(schema, one, lane),
            is_optional=kept[one.id].is_optional,
        )
        for one in schema.artifacts
        if one.id in kept
    )
    apply = schema.apply
    if apply is not None:
        needed = {part.id for part in parts if not part.is_optional}
        apply = apply._replace(requires=_remaining(schema, apply.requires, needed))
    return schema._replace(artifacts=artifacts, apply=apply, lane=lane)


def _instruction(schema: Schema, artifact: Artifact, lane: str) -> str:
    words = _WORDS[lane].format(most=MOST_CHARACTERS[lane])
    is_ours = schema.source == PACKAGE and lane == NOTE  # what ours says is about larger changes
    if is_ours or not artifact.instruction:
        return f"{words}\n\n{_SHORT}" if is_ours else words
    return f"{words}\n\n{artifact.instruction}"


def _parts(schema: Schema, lane: str) -> tuple[Part, ...] | None:
    tasks = schema.tracked
    proposal = _proposal(schema)
    deltas = [Part(one.id) for one in schema.artifacts if one.holds_deltas]
    if proposal is None:
        return None
    if lane == NOTE:
        optional = [Part(tasks.id, is_optional=True)] if tasks is not None else []
        return (Part(proposal.id), *optional)
    if tasks is None or not deltas:
        return None
    return (Part(proposal.id), *deltas, Part(tasks.id))


def _proposal(schema: Schema) -> Artifact | None:
    """The artifact that says why: `proposal.md`, else the first that requires nothing."""
    own = [one for one in schema.artifacts if not one.holds_deltas and one != schema.tracked]
    named = [one for one in own if one.generates.removeprefix("./") == "proposal.md"]
    return next(iter([*named, *(one for one in own if not one.requires)]), None)


def _remaining(schema: Schema, requires: Iterable[str], kept: set[str]) -> tuple[str, ...]:
    """`requires` with each artifact outside `kept` replaced by what it requires itself."""
    found: dict[str, None] = {}
    for need in requires:
        artifact = schema.find(need)
        if need in kept or artifact is None:
            found[need] = None
        else:
            found.update(dict.fromkeys(_remaining(schema, artifact.requires, kept)))
    return tuple(found)
