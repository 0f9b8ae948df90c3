"""Which coding agents are used in a project, and where their files go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rasen.base.context import Context
from rasen.hosts.model import PREFIX, SKILL, Host
from rasen.hosts.table import HOSTS

SKILLS = "skills"
_HOMES = {"CODEX_HOME": ".codex"}
_HEAD_BYTES = 4096
GENERATED = b"generatedBy:"
_VERSION = re.compile(rb"""^[ \t]*generatedBy:[ \t]*["']?([^"'\s]+)""", re.MULTILINE)


def skills_home(ctx: Context, root: Path, host: Host) -> Path:
    """The folder that holds the skills of `host`; it may not exist."""
    if host.home_variable is not None:
        moved = ctx.env.get(host.home_variable, "").strip()
        return (ctx.cwd / moved if moved else ctx.home / host.folder) / SKILLS
    return root / host.folder / SKILLS


def is_detected(ctx: Context, root: Path, host: Host) -> bool:
    """True when something of the agent's own is there. Source: planning §8.1."""
    if host.markers:
        return any((root / one).exists() for one in host.markers)
    return skills_home(ctx, root, host).parent.is_dir()


def detected(ctx: Context, root: Path) -> tuple[Host, ...]:
    """The agents that are used in `root`, by id."""
    return tuple(host for host in HOSTS if is_detected(ctx, root, host))


def generated_skills(ctx: Context, root: Path, host: Host) -> Iterator[Path]:
    """The folders of skills that some version of this program made for `host`, by name."""
    home = skills_home(ctx, root, host)
    try:
        folders = sorted(one for one in home.iterdir() if one.name.startswith(PREFIX))
    except OSError:
        return  # no skills, or nobody can see them
    yield from (one for one in folders if is_generated(one / SKILL))


def is_generated(file: Path) -> bool:
    """True for a SKILL.md whose head says that some version of this program made it."""
    return GENERATED in _head(file)


def generated_by(file: Path) -> str:
    """Which version a SKILL.md says to be made by; "?" when that cannot be read from its head."""
    found = _VERSION.search(_head(file))
    return found[1].decode("utf-8", "replace") if found else "?"


def configured(ctx: Context, root: Path) -> tuple[Host, ...]:
    """The agents that have at least one skill of ours, by id."""
    return tuple(host for host in HOSTS if next(generated_skills(ctx, root, host), None))


def old_commands(ctx: Context, root: Path, host: Host) -> list[Path]:
    """Command files that earlier versions made for `host`, sorted."""
    found: list[Path] = []
    for pattern in host.commands:
        base = root
        if pattern.startswith("~"):
            variable, _, pattern = pattern[1:].partition("/")
            moved = ctx.env.get(variable, "").strip()
            base = ctx.cwd / moved if moved else ctx.home / _HOMES[variable]
        found += (one for one in base.glob(pattern) if one.is_file())
    return sorted(found)


def _head(file: Path) -> bytes:
    try:
        if not file.is_file():
            return b""  # a pipe would wait for a writer
        with file.open("rb") as stream:
            return stream.read(_HEAD_BYTES)
    except OSError:
        return b""
