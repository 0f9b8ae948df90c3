"""Whether a store's root holds a workspace that can be used, and which folder it is in.

Questions go through `os.path`, which answers no where looking is forbidden; paths are texts,
because every store of a machine may be looked at in one go.
"""

# ruff: noqa: PTH112, PTH113

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, Sentences

WORKSPACES = ("rasen", "openspec")
CONFIG_NAMES = ("config.yaml", "config.yml")

_E = Level.ERROR
ROOT_MISSING = Rule("openspec_store_root_missing", _E, N_("{path} is missing"))
ROOT_NOT_DIRECTORY = Rule("openspec_store_root_not_directory", _E, N_("{path} is not a folder"))
WORKSPACE_MISSING = Rule("openspec_root_missing", _E, N_("{path} is missing"))
WORKSPACE_NOT_DIRECTORY = Rule("openspec_root_not_directory", _E, N_("{path} is not a folder"))
CONFIG_MISSING = Rule("openspec_config_missing", _E, N_("{path} is missing"))
CONFIG_NOT_FILE = Rule("openspec_config_not_file", _E, N_("{path} is not a file"))
SPECS_NOT_DIRECTORY = Rule("openspec_specs_not_directory", _E, N_("{path} is not a folder"))
CHANGES_NOT_DIRECTORY = Rule("openspec_changes_not_directory", _E, N_("{path} is not a folder"))
ARCHIVE_NOT_DIRECTORY = Rule("openspec_archive_not_directory", _E, N_("{path} is not a folder"))

_OPTIONAL_FOLDERS = (
    ("specs", SPECS_NOT_DIRECTORY, "openspec.specs"),
    ("changes", CHANGES_NOT_DIRECTORY, "openspec.changes"),
    ("changes/archive", ARCHIVE_NOT_DIRECTORY, "openspec.archive"),
)


class Health(NamedTuple):
    """A root's workspace folder and everything that is wrong with it."""

    workspace: str
    findings: tuple[Finding, ...]

    @property
    def is_healthy(self) -> bool:
        return not self.findings

    def sentences(self) -> Sentences:
        """All findings, to be said in a refusal."""
        return Sentences(self.findings)


def workspace_of(root: Path) -> str:
    """The name of the planning folder a store uses: `rasen` when it is there at all."""
    for name in WORKSPACES:
        if os.path.lexists(f"{root}/{name}"):
            return name
    return WORKSPACES[0]


def inspect(root: Path, workspace: str | None = None) -> Health:
    """Look at `root`; nothing is opened. Source: planning §2.3, root health check.

    workspace: the name of its planning folder; None means the one it uses.
    """
    workspace = workspace or workspace_of(root)
    return Health(workspace, tuple(_findings(str(root), f"{root}/{workspace}")))


def _findings(root: str, workspace: str) -> list[Finding]:
    if not os.path.lexists(root):
        return [_finding(ROOT_MISSING, root, "store.root")]
    if not os.path.isdir(root):
        return [_finding(ROOT_NOT_DIRECTORY, root, "store.root")]
    if not os.path.lexists(workspace):
        return [_finding(WORKSPACE_MISSING, workspace, "openspec.root")]
    if not os.path.isdir(workspace):
        return [_finding(WORKSPACE_NOT_DIRECTORY, workspace, "openspec.root")]
    return _config_findings(workspace) + _folder_findings(workspace)


def _config_findings(workspace: str) -> list[Finding]:
    for path in (f"{workspace}/{name}" for name in CONFIG_NAMES):
        if os.path.isfile(path):
            return []
        if os.path.lexists(path):
            return [_finding(CONFIG_NOT_FILE, path, "openspec.config")]
    return [_finding(CONFIG_MISSING, f"{workspace}/{CONFIG_NAMES[0]}", "openspec.config")]


def _folder_findings(workspace: str) -> list[Finding]:
    places = ((f"{workspace}/{name}", rule, target) for name, rule, target in _OPTIONAL_FOLDERS)
    return [
        _finding(rule, path, target)
        for path, rule, target in places
        if not os.path.isdir(path) and os.path.lexists(path)
    ]


def _finding(rule: Rule, path: str, target: str) -> Finding:
    return Finding(rule, target, {"path": Path(path)})
