"""Where an agent may read and write while it works on a change; the one place that says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

VERSION_LISTS_AGREE = 1
VERSION_LISTS_DIFFER = 2

_VISIBLE = "A directory that the process can see is not thereby one that it may write."


class Situation(NamedTuple):
    """Who plans where and who may change what. All paths are canonical.

    planning_root: the root that holds the specs and changes; workspace: its planning folder's name.
    has_session: False for use from a terminal. execution_root: the session's own checkout; None
    when the session only plans; without a session it is not looked at.
    """

    planning_root: Path
    workspace: str
    has_session: bool = False
    execution_root: Path | None = None


def build(situation: Situation, artifact_ids: Sequence[str], *, home: Path) -> dict[str, object]:
    """The `actionContext` member.

    home: the user's home, which no list ever holds. Source: planning §9.3, correction 14.
    """
    planning = situation.planning_root
    workspace = planning / situation.workspace
    planning_dirs = [workspace / "specs", workspace / "changes"]
    checkout = situation.execution_root if situation.has_session else planning
    if checkout is None:
        version, code, read, allowed = VERSION_LISTS_AGREE, [], [planning], planning_dirs
    elif checkout == planning:
        version, code, read, allowed = VERSION_LISTS_AGREE, [checkout], [planning], [checkout]
    else:
        version, code, read, allowed = VERSION_LISTS_DIFFER, [checkout], [planning, checkout], None
    answer: dict[str, object] = {
        "mode": "repo-local",
        "sourceOfTruth": "repo",
        "planningArtifacts": list(artifact_ids),
        "linkedContext": [],
        "version": version,
        "planningWriteRoots": _shown(planning_dirs, home),
        "codeWriteRoots": _shown(code, home),
        "readRoots": _shown(read, home),
    }
    if allowed is not None:
        answer["allowedEditRoots"] = _shown(allowed, home)
    answer["requiresAffectedAreaSelection"] = False
    answer["constraints"] = [*_shape(planning, checkout), _VISIBLE]
    return answer


def _shown(paths: Iterable[Path], home: Path) -> list[str]:
    return [str(path) for path in paths if path != home]


def _shape(planning: Path, checkout: Path | None) -> list[str]:
    if checkout is None:
        return [
            f"Planning only: specs and changes are written in {planning}; there is no code write"
            " root, and no project-scoped materialization takes place."
        ]
    if checkout == planning:
        return [f"Planning and code are both in {planning}; write nowhere else."]
    return [
        f"Specs and changes are written in {planning}; code is written only in {checkout}, the"
        " checkout of this session.",
        "No single list covers both places: use planningWriteRoots and codeWriteRoots, and stop"
        " when you know only allowedEditRoots.",
    ]
