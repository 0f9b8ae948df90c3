"""`rasen show <spec> --at`: a spec as it was after an archive, on a day, in a commit."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.archiving import (
    TARGET,
    Days,
    added,
    archive,
    change,
    modified,
    removed,
    requirement,
    spec,
)
from tests.support.documents import fits
from tests.support.world import World

from rasen.files.tree import tree_digest

FIRST = spec(requirement("One"))
SECOND = FIRST + "\n" + requirement("Two")
THIRD = spec(requirement("One", "It SHALL be best."), requirement("Two"))


@pytest.fixture
def desk(world: World) -> World:
    """`lending` in three states: before, after `second` on 12 January, after `third` on the 14th."""
    clock = Days("2026-01-10")
    world.clock = clock  # type: ignore[assignment]
    world.workspace()
    world.write(TARGET, FIRST)
    for day, name, delta in (
        ("2026-01-12", "second", added(requirement("Two"))),
        ("2026-01-14", "third", modified(requirement("One", "It SHALL be best."))),
    ):
        clock.day(day)
        change(world, name, delta)
        archive(world, name)
    clock.day("2026-01-20")
    return world


def shown(world: World, at: str, item: str = "lending") -> str:
    result = world.cli("show", item, "--at", at)
    assert result.code == 0, result.err
    return result.out.removesuffix("\n")


def refused(world: World, at: str, item: str = "lending") -> dict[str, Any]:
    result = world.cli("show", item, "--at", at, "--json")
    assert result.code == 1, result.out
    status: dict[str, Any] = result.json["status"][0]
    return status


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("2026-01-12-second", SECOND),
        ("second", SECOND),
        ("2026-01-14-third", THIRD),
        ("2026-01-01", FIRST),
        ("2026-01-11", FIRST),
        ("2026-01-12", SECOND),
        ("2026-01-13", SECOND),
        ("2026-01-14", THIRD),
        ("2026-01-20", THIRD),
        ("2030-01-01", THIRD),
    ],
)
def test_the_text_is_that_of_the_moment(desk: World, at: str, text: str) -> None:
    assert shown(desk, at) == text


def test_an_archive_that_left_the_spec_alone_shows_what_was_then(desk: World) -> None:
    change(desk, "elsewhere", added(requirement("Fine")), "fines")
    archive(desk, "elsewhere")
    change(desk, "fourth", removed("Two"))
    archive(desk, "fourth")

    assert shown(desk, "elsewhere") == THIRD


def test_an_edit_by_hand_does_not_change_what_was(desk: World) -> None:
    desk.write(TARGET, THIRD + "\n## Notes\n\nby hand\n")

    assert shown(desk, "2026-01-14-third") == THIRD
    assert "by hand" in shown(desk, "2026-01-20")


def test_windows_line_endings_are_as_they_were(world: World) -> None:
    world.workspace()
    text = FIRST.replace("\n", "\r\n")
    world.write(TARGET, text)
    change(world, "second", added(requirement("Two")))
    archive(world, "second")

    assert shown(world, "second") == SECOND.replace("\n", "\r\n")


def test_json_says_what_the_text_is_known_from(desk: World) -> None:
    result = desk.cli("show", "lending", "--at", "second", "--json")

    document = fits("show-spec", result.json)
    assert document["requirementCount"] == 2
    assert document["at"] == {
        "moment": "second",
        "source": "journal",
        "by": "2026-01-12-second",
    }


def test_filters_work_as_for_the_present(desk: World) -> None:
    result = desk.cli("show", "lending", "--at", "second", "-r", "2", "--no-scenarios", "--json")

    assert fits("show-spec", result.json)["requirementCount"] == 1


def test_a_retired_spec_is_shown_as_it_was(desk: World) -> None:
    change(desk, "end", removed("One") + "- ### Requirement: Two\n")
    archive(desk, "end")
    assert not desk.path(TARGET).exists()

    assert shown(desk, "third") == THIRD
    assert refused(desk, "end")["code"] == "show_at_unknown"


def test_a_spec_that_was_not_there_yet_is_told(desk: World) -> None:
    change(desk, "elsewhere", added(requirement("Fine")), "fines")
    archive(desk, "elsewhere")

    status = refused(desk, "2026-01-12", "fines")

    assert status["code"] == "show_at_unknown"
    assert status["fix"].startswith("run `rasen history fines`")


def test_a_git_revision_is_read_from_git(desk: World) -> None:
    desk.git("init", "-q")
    desk.git("add", ".")
    desk.git("commit", "-qm", "one")
    desk.write(TARGET, THIRD + "\n## Notes\n\nby hand\n")

    result = desk.cli("show", "lending", "--at", "HEAD", "--json")

    assert fits("show-spec", result.json)["at"]["source"] == "git"
    assert result.json["at"]["by"] == desk.git("rev-parse", "HEAD").strip()
    assert shown(desk, "main") == THIRD


def test_a_day_is_read_from_git_when_no_journal_tells(world: World) -> None:
    world.workspace()
    world.write(TARGET, FIRST)
    world.git("init", "-q")
    world.git("add", ".")
    world.env |= {
        "GIT_COMMITTER_DATE": "2026-01-02T12:00:00Z",
        "GIT_AUTHOR_DATE": "2026-01-02T12:00:00Z",
    }
    world.git("commit", "-qm", "one")
    world.write(TARGET, SECOND)

    assert shown(world, "2026-01-03") == FIRST
    assert refused(world, "2026-01-01")["code"] == "show_at_unknown"


@pytest.mark.parametrize("at", ["no-such", "2026-13-01", "--all", "HEAD", "-1", ""])
def test_what_means_no_moment_is_refused_with_what_can_be_used(desk: World, at: str) -> None:
    result = desk.cli("show", "lending", f"--at={at}", "--json")

    status = result.json["status"][0]
    assert (result.code, status["code"]) == (1, "show_at_unknown")
    assert "archived change" in status["message"]


@pytest.mark.parametrize("item", ["lendin", "other"])
@pytest.mark.parametrize("at", ["second", "2026-01-13", "2026-01-20"])
def test_an_unknown_spec_brings_the_nearest(desk: World, item: str, at: str) -> None:
    status = refused(desk, at, item)

    assert status["code"] == "unknown_item"
    assert "lending" in status["message"]


def test_a_path_that_leads_out_is_refused(desk: World) -> None:
    assert refused(desk, "second", "../../etc")["code"] == "path_traversal"


def test_on_a_change_the_option_is_ignored_with_a_word(desk: World) -> None:
    change(desk, "open", added(requirement("New")))
    desk.write("rasen/changes/open/proposal.md", "# Open\n")

    result = desk.cli("show", "open", "--type", "change", "--at", "second")

    assert result.code == 0
    assert "--at: without effect" in result.err


def test_showing_writes_nothing(desk: World) -> None:
    before = tree_digest(desk.base)

    shown(desk, "second")

    assert tree_digest(desk.base) == before
