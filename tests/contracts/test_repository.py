"""What has to be true of the repository itself: nothing of one machine in it, and a door that opens."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
_BINARY = {".png", ".mo", ".xz"}
_ANY_NAME = r"[A-Za-z0-9._-]+"
FORBIDDEN = {
    "a home folder": re.compile(rf"(?<![\w$.{{])/(?:home|Users)/{_ANY_NAME}/|[A-Z]:\\Users\\"),
    "root's home": re.compile(r"(?<![\w.$])/root/"),
    "a package registry": re.compile(
        r"pypi\.(?:org|python)|files\.pythonhosted|registry\.(?:npmjs|yarnpkg)|npmjs\.(?:org|com)"
        r"|--(?:extra-)?index-url|--find-links|deb\.debian|proxy\.golang"
    ),
}
_MAY_NAME = {
    "tests/contracts/test_repository.py",  # holds the patterns
    "tools/lock.sh",  # switches addresses off, by the names of the options
}
TARGETS = ("demo", "test", "check", "bench", "soak", "docs", "messages", "clean", "lock")


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("kind", FORBIDDEN, ids=lambda kind: kind.replace(" ", "-"))
def test_no_tracked_file_names_a_place_of_one_machine(kind: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in _tracked()
        if path.suffix not in _BINARY and str(path.relative_to(ROOT)) not in _MAY_NAME
        for number, line in enumerate(path.read_bytes().decode(errors="replace").split("\n"), 1)
        if FORBIDDEN[kind].search(line)
    ]

    assert found == []


def test_every_locked_package_has_a_version_and_hashes() -> None:
    blocks = re.split(r"(?m)^(?=\S)", (ROOT / "requirements.lock").read_text())
    entries = [block for block in blocks if block.strip()]

    assert len(entries) > 20
    for entry in entries:
        assert re.match(rf"{_ANY_NAME}==[\w.]+ ", entry), entry.splitlines()[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]


def test_the_lock_holds_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()

    assert "://" not in lock
    assert not re.search(r"(?m)^\s*(?:#|-)(?!-hash)", lock)


def test_the_lock_covers_what_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lock = (ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(rf"(?m)^({_ANY_NAME})==([\w.]+)", lock))
    declared = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
        *project["build-system"]["requires"],
    ]

    for requirement in map(Requirement, declared):
        name = canonicalize_name(requirement.name)
        assert name in locked, f"{name} is not in requirements.lock; run `make lock`"
        assert requirement.specifier.contains(locked[name]), f"{name}: run `make lock`"


def test_the_licence_is_there() -> None:
    licence = (ROOT / "LICENSE").read_text()

    assert licence.startswith("MIT License")
    assert "Rasen contributors" in licence


@pytest.mark.parametrize("target", TARGETS)
def test_the_makefile_has_the_target(target: str) -> None:
    dry = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )

    assert dry.returncode == 0, dry.stderr
    assert dry.stdout.strip()


@pytest.mark.parametrize("script", [".ci/run", "tools/setup.sh", "tools/lock.sh"])
def test_scripts_can_be_run(script: str) -> None:
    path = ROOT / script

    assert os.access(path, os.X_OK)
    assert path.read_bytes().startswith(b"#!/usr/bin/env bash\n")
    syntax = subprocess.run(["bash", "-n", str(path)], capture_output=True, check=False)
    assert syntax.returncode == 0, syntax.stderr


def test_notes_for_the_changelog_have_a_known_kind() -> None:
    kinds = {"added", "changed", "fixed", "removed", "security"}
    notes = [path for path in (ROOT / "changes.d").iterdir() if path.name != "README.md"]

    assert [
        note.name for note in notes if note.name.split(".")[1:-1] not in [[k] for k in kinds]
    ] == []
