"""`rasen work migrate`: files of running changes leave the repository, all or none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.support import crash
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import World

FILES = ("auto-run.json", "handoff/fixer-1.md", "ship-log.md")


@pytest.fixture
def place(world: World) -> World:
    """A registered project with two open changes that hold process files."""
    world.cli("init")
    for change in ("add-x", "add-y"):
        world.write(f"rasen/changes/{change}/proposal.md", "# X\n")
        world.write(f"rasen/changes/{change}/review-report.md", "findings: 1\n")
        for name in FILES:
            world.write(f"rasen/changes/{change}/{name}", f"{change} {name}\n")
    world.write("rasen/changes/archive/2026-01-01-old/auto-run.json", "{}\n")
    return world


def home(world: World) -> Path:
    folder = world.data_dir / "projects"
    [entry] = json.loads((folder / "registry.json").read_text())["projects"].values()
    return folder / str(entry["home"])


def work(world: World, change: str) -> Path:
    [found] = (world.data_dir / "projects").glob(f"*/changes/{change}/work")
    return found


def migrate(world: World, *words: str) -> dict[str, Any]:
    result = world.cli("work", "migrate", *words, "--json")
    assert result.code == 0, result.out
    document: dict[str, Any] = fits("work-migrate", result.json)
    return document


def test_process_files_move_and_the_plan_stays(place: World) -> None:
    found = migrate(place, "--yes")

    assert len(found["moved"]) == 6
    for change in ("add-x", "add-y"):
        for name in FILES:
            assert (work(place, change) / name).read_text() == f"{change} {name}\n"
        left = sorted(path.name for path in place.path(f"rasen/changes/{change}").iterdir())
        assert left == ["proposal.md", "review-report.md"]
    assert place.path("rasen/changes/archive/2026-01-01-old/auto-run.json").exists()
    assert migrate(place)["moved"] == []


def test_one_change_can_be_chosen(place: World) -> None:
    found = migrate(place, "--change", "add-y", "--yes")

    assert {one["change"] for one in found["moved"]} == {"add-y"}
    assert place.path("rasen/changes/add-x/auto-run.json").exists()


def test_a_rehearsal_moves_nothing(place: World) -> None:
    before = snapshot(place.base)

    found = migrate(place, "--dry-run")
    told = place.cli("work", "migrate", "--dry-run").out

    assert snapshot(place.base) == before
    assert (len(found["moved"]), found["dry_run"]) == (6, True)
    assert "Files that would move: 6" in told


def test_a_checkout_that_is_not_registered_gets_a_home_first(place: World) -> None:
    shutil.rmtree(place.data_dir / "projects")

    planned = migrate(place, "--dry-run")
    moved = migrate(place, "--yes")

    assert all("target" not in one for one in planned["moved"])
    assert all(Path(one["target"]).exists() for one in moved["moved"])


def test_what_git_keeps_stays_unless_asked_for(place: World) -> None:
    place.git("init", "-q")
    place.git("add", "rasen/changes/add-x")
    place.git("commit", "-qm", "one")

    found = migrate(place, "--yes")

    assert {one["change"] for one in found["moved"]} == {"add-y"}
    assert {(one["code"], one["severity"]) for one in found["status"]} == {
        ("work_migrate_tracked_skipped", "warning")
    }
    assert place.path("rasen/changes/add-x/auto-run.json").exists()
    assert len(migrate(place, "--include-tracked", "--yes")["moved"]) == 3
    assert not place.path("rasen/changes/add-x/auto-run.json").exists()


def test_the_same_at_both_places_goes_from_the_repository(place: World) -> None:
    migrate(place, "--change", "add-x", "--yes")
    shutil.copytree(work(place, "add-x") / "handoff", place.path("rasen/changes/add-x/handoff"))

    assert len(migrate(place, "--change", "add-x", "--yes")["moved"]) == 1
    assert not place.path("rasen/changes/add-x/handoff").exists()
    assert (work(place, "add-x") / "handoff" / "fixer-1.md").exists()


@pytest.mark.parametrize(
    ("words", "code", "target"),
    [
        pytest.param((), "work_migrate_confirmation_required", "work.files", id="no yes"),
        pytest.param(
            ("--change", "none", "--yes"), "work_migrate_change_not_found", "change",
            id="no such change",
        ),
        pytest.param(
            ("--change", "../changes/add-x", "--yes"), "work_migrate_change_not_found", "change",
            id="no plain name",
        ),
        pytest.param(
            ("--change", "archive", "--yes"), "work_migrate_change_not_found", "change",
            id="the archive",
        ),
        pytest.param(("--yes",), "work_migrate_target_exists", "work.files", id="both differ"),
    ],
)  # fmt: skip
def test_a_refusal_moves_nothing(
    place: World, words: tuple[str, ...], code: str, target: str
) -> None:
    if code == "work_migrate_target_exists":
        other = home(place) / "changes" / "add-y" / "work" / "ship-log.md"
        other.parent.mkdir(parents=True)
        other.write_text("another\n")
    before = snapshot(place.base)

    result = place.cli("work", "migrate", *words, "--json")

    assert (result.code, result.error) == (1, code)
    fits("work-migrate", result.json)
    told = result.json["status"][0]
    assert (told["severity"], told["target"]) == ("error", target)
    assert told["fix"]
    assert snapshot(place.base) == before


def test_a_project_without_an_identity_has_no_home(world: World) -> None:
    world.workspace()
    world.write("rasen/changes/add-x/auto-run.json", "{}\n")

    result = world.cli("work", "migrate", "--yes", "--json")

    assert (result.code, result.error) == (1, "work_migrate_no_home")
    assert "projectId" not in world.read("rasen/config.yaml")


def test_a_person_is_asked(place: World) -> None:
    declined = place.cli("work", "migrate", tty=True, input="n\n")
    assert declined.code == 1
    assert "nothing was moved" in declined.err
    assert place.path("rasen/changes/add-x/auto-run.json").exists()

    agreed = place.cli("work", "migrate", tty=True, input="y\n")
    assert agreed.code == 0
    assert "Files moved: 6" in agreed.out


def test_killed_on_the_way_it_is_all_or_nothing(place: World, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(place.base, kept, ignore=shutil.ignore_patterns("kept"))
    argv = ("work", "migrate", "--change", "add-x", "--yes")
    calls = crash.count(argv, cwd=place.root, env=place.environ())
    assert calls > 3

    for at in range(1, calls + 1, 2):
        for name in ("project", "data"):
            shutil.rmtree(place.base / name)
            shutil.copytree(kept / name, place.base / name)
        crash.run_cli(argv, cwd=place.root, env=place.environ(), at=at)
        place.cli("list")
        there = [place.path(f"rasen/changes/add-x/{name}").exists() for name in FILES]
        folder = home(place) / "changes" / "add-x" / "work"
        moved = [(folder / name).exists() for name in FILES]
        assert there == [not one for one in moved], at
        assert len(set(there)) == 1, at
