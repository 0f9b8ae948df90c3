"""What older versions left in a project: their folder, and blocks in files that others own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rasen.base.context import Context
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.atomic import digest, read_optional, replace_file
from rasen.hosts.ops import HOSTS
from rasen.roots.disk import LEGACY_WORKSPACE

SHARED_FILES = (
    "AGENTS.md",
    "CLAUDE.md",
    "CLINE.md",
    "CODEBUDDY.md",
    "COSTRICT.md",
    "IFLOW.md",
    "QODER.md",
    "QWEN.md",
)

FOUND = Rule(
    "legacy_workspace_found",
    Level.INFO,
    N_("{legacy} holds a workspace of an older layout; it was left as it is"),
    N_("run 'rasen migrate' to copy it"),
)
ARTIFACTS = Rule(
    "legacy_artifacts_found",
    Level.INFO,
    N_(
        "an older program left things for agents here ({count}), which were left as they are: {paths}"
    ),
    N_("remove them by hand when nobody uses them any more"),
)
BESIDE = Rule(
    "legacy_workspace_beside",
    Level.INFO,
    N_("{legacy} stays beside this workspace; it was left as it is and is not read"),
)

_SHOWN = 5
_FOLDERS = (
    *(f".{one}/commands/openspec" for one in (
        "claude", "codebuddy", "qoder", "lingma", "crush", "gemini")),
    ".cospec/openspec/commands",
)  # fmt: skip
_FILES = (
    *(f"{place}/{stem}-*.md" for place, stem in (
        (".opencode/command", "opsx"), (".opencode/command", "openspec"), (".junie/commands", "opsx"),
        (".codex/prompts", "openspec"))),
    "openspec/AGENTS.md",
    "openspec/project.md",
)  # fmt: skip

_START = rb"[ \t]*<!-- OPENSPEC:START -->[ \t]*\r?\n"
_END = rb"[ \t]*<!-- OPENSPEC:END -->[ \t]*(?:\r?\n|\Z)"
_BLOCK = re.compile(rb"^" + _START + rb"(?:(?!" + _START + rb").*\n)*?" + _END, re.MULTILINE)


def folder(ctx: Context, root: Path) -> Path | None:
    """The older workspace folder in `root`; None when there is none, or when it is the one in use."""
    found = root / LEGACY_WORKSPACE
    return found if ctx.workspace != LEGACY_WORKSPACE and found.is_dir() else None


def notices(ctx: Context, root: Path) -> tuple[Finding, ...]:
    """What there is to say about the older folder in `root`, before or beside a workspace."""
    found = folder(ctx, root)
    told = []
    if found is not None:
        rule = BESIDE if (root / ctx.workspace).exists() else FOUND
        told.append(Finding(rule, "openspec.root", {"legacy": found}))
    left = [] if ctx.workspace == LEGACY_WORKSPACE else artifacts(root)
    if left:
        shown = ", ".join(path.relative_to(root).as_posix() for path in left[:_SHOWN])
        more = ", …" if len(left) > _SHOWN else ""
        params = {"count": len(left), "paths": shown + more}
        told.append(Finding(ARTIFACTS, "openspec.artifacts", params))
    return tuple(told)


def artifacts(root: Path) -> list[Path]:
    """What an older program left in `root` for agents: skills, commands, blocks in shared files.

    They are only told; nothing here is ours to change. Source: planning §8.10.
    """
    found = marked_files(root)
    found += [path for name in _FOLDERS if (path := root / name).is_dir()]
    for pattern in (*_FILES, *_old_patterns()):
        found += [path for path in root.glob(pattern) if path.is_file()]
    for host in HOSTS:
        if not host.is_machine_wide:
            skills = (root / host.folder / "skills").glob("openspec-*")
            found += [path for path in skills if path.is_dir()]
    return sorted(one for one in set(found) if not any(up in found for up in one.parents))


def _old_patterns() -> list[str]:
    """Where command files of the older program lay: as ours did, under its name."""
    ours = [pattern for host in HOSTS for pattern in host.commands if not pattern.startswith("~")]
    named = [pattern for pattern in ours if pattern.rpartition("/")[2].startswith("rasen-")]
    return [
        pattern.replace("/rasen-", "/openspec-").replace("/rasen/", "/openspec/")
        for pattern in named
    ]


def marked_files(root: Path) -> list[Path]:
    """The shared files in `root` that hold a well-formed block of an older version."""
    return [path for name in SHARED_FILES if _BLOCK.search(_bytes(path := root / name))]


def without_blocks(data: bytes) -> bytes:
    """`data` without well-formed marked blocks; every other byte stays. Source: planning §8.10."""
    return _BLOCK.sub(b"", data)


def strip(paths: Sequence[Path]) -> None:
    """Take the marked blocks out of `paths`.

    Errors: file_changed, file_not_writable, disk_full, path_traversal.
    """
    for path in paths:
        before = _bytes(path)
        after = without_blocks(before)
        if after != before:
            replace_file(path, after, expect=digest(before))


def _bytes(path: Path) -> bytes:
    return b"" if path.is_symlink() or not path.is_file() else read_optional(path) or b""
