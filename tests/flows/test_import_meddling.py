"""Imports while somebody meddles with the files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.support import meddler
from tests.support.packages import entry, envelope, jcs, workflow_files
from tests.support.world import Result, World


def _import(world: World, on: str, do: str) -> Result:
    made = [entry(name, workflow_files(name)) for name in ("a", "b")]
    package = envelope("workflow", ["a", "b"], workflows=made)
    world.path("x.rasenpkg").write_bytes(jcs(package))
    env = {meddler.ON: on, meddler.DO: do, "PYTHONPATH": str(Path(meddler.__file__).parents[2])}
    call = ("workflow", "import", "x.rasenpkg", "--json")
    return world.python("-m", "tests.support.meddler", *call, env=env)


def _installed(world: World) -> list[str]:
    folder = world.data_dir / "workflows"
    return sorted(one.name for one in folder.iterdir()) if folder.exists() else []


@pytest.mark.requirement("PK-080", "PK-082")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("echo more >> SKILL.md", "staged_digest_mismatch"),
        ("echo more > extra.md", "staged_workflow_invalid"),
        ("ln -s /etc/passwd link", "staged_workflow_invalid"),
    ],
    ids=["other bytes", "another file", "link"],
)
def test_what_changes_while_it_is_laid_out_is_not_installed(
    world: World, change: str, code: str
) -> None:
    command = f"cd {world.data_dir}/.workflow-import-*/a && {change}"

    result = _import(world, f"chmod {0o600} after", command)

    assert result.error == code, result.out
    assert _installed(world) == []
    assert list(world.data_dir.glob(".workflow-import-*")) == []


@pytest.mark.requirement("PK-081", "PK-082")
def test_what_cannot_be_taken_back_is_named(world: World) -> None:
    home = world.data_dir / "workflows"
    command = f"echo mine > {home}/a/mine; mkdir {home}/b"

    result = _import(world, f"replace {home}/a after", command)

    assert result.error == "workflow_install_rollback_failed", result.out
    assert str(home / "a") in result.json["status"][0]["message"]
    assert (home / "a" / "mine").read_text() == "mine\n"
    assert list((home / "b").iterdir()) == []


@pytest.mark.requirement("PK-081", "PK-083")
def test_a_place_that_is_taken_meanwhile_is_left_alone(world: World) -> None:
    home = world.data_dir / "workflows"

    result = _import(world, f"replace {home}/a after", f"mkdir {home}/b; touch {home}/b/mine")

    assert result.code == 1
    assert _installed(world) == ["b"]
    assert (home / "b" / "mine").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.requirement("PK-087")
def test_a_file_that_is_not_as_long_as_it_was_is_refused(world: World) -> None:
    result = world.cli("package", "inspect", "/proc/self/status", "--json")

    assert result.error == "package_changed"
