"""Reads a skill that we ship: its front matter, its body, and the files beside it."""

from __future__ import annotations

from pathlib import Path

from rasen.files import atomic
from rasen.hosts.model import SKILL, Sidecar, Skill
from rasen.hosts.skill_file import front_matter

WORKFLOWS = Path(__file__).parents[1] / "assets" / "workflows"
EXPERTS = Path(__file__).parents[1] / "assets" / "experts"

_LEFT_BEHIND = (".pyc",)


def read(place: Path, lender: Path | None = None) -> Skill:
    """The skill in the folder `place`, with its sidecars and those of `lender`.

    The texts are ours and tests hold them to their form, so a broken one is a bug, not a refusal.
    Errors: file_missing, skill_front_matter_invalid.
    """
    head, body = front_matter(atomic.read_text(place / SKILL))
    lent = _beside(lender) if lender else {}
    sidecars = {**lent, **_beside(place)}
    return Skill(
        str(head["name"]),
        str(head["description"]),
        body.lstrip("\n"),
        sidecars=tuple(sidecars[path] for path in sorted(sidecars)),
        is_user_invoked=bool(head.get("disable-model-invocation", False)),
    )


def _beside(place: Path) -> dict[str, Sidecar]:
    found = (path for path in place.rglob("*") if path.is_file() and path.name != SKILL)
    names = {path: path.relative_to(place).as_posix() for path in found}
    return {
        name: Sidecar(name, atomic.read_bytes(path))
        for path, name in names.items()
        if path.suffix not in _LEFT_BEHIND
    }
