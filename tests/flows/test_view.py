"""`rasen view` as people and agents see it."""

from __future__ import annotations

import pytest
from tests.support.documents import fits
from tests.support.fixtures import S1, base_spec, change
from tests.support.stores import Stores
from tests.support.world import World

SHORT = (
    "# fines Specification\n\n## Purpose\nx\n\n## Requirements\n\n### Requirement: A\nIt SHALL a.\n"
)


@pytest.fixture
def busy(world: World) -> World:
    base_spec(world)
    world.write("rasen/specs/fines/spec.md", SHORT)
    change(world, name="zeta", tasks="no tasks\n")
    change(world, name="half", tasks="- [x] a\n- [ ] b\n")
    change(
        world,
        name="early",
        tasks="- [x] a\n- [ ] b\n- [ ] c\n- [ ] d\n- [ ] e\n- [ ] f\n- [ ] g\n- [ ] h\n",
    )
    change(world, name="also-half", tasks="- [x] a\n- [~] b\n")
    change(world, name="finished")
    return world


def test_document(busy: World) -> None:
    result = busy.cli("view", "--json")

    document = fits("view", result.json)
    assert list(document) == ["summary", "draft", "active", "completed", "specs", "root"]
    assert document["summary"] == {
        "specs": 2,
        "requirements": 3,
        "draft": 1,
        "active": 3,
        "completed": 1,
        "completedTasks": 3,
        "totalTasks": 12,
    }
    assert [one["name"] for one in document["active"]] == ["early", "also-half", "half"]
    assert [one["name"] for one in document["draft"]] == ["zeta"]
    assert [one["name"] for one in document["completed"]] == ["finished"]
    assert [one["id"] for one in document["specs"]] == ["lending", "fines"]
    assert (result.code, result.err) == (0, "")


def test_text(busy: World) -> None:
    rule, double = "─" * 60, "═" * 60

    assert busy.cli("view").out == (
        f"Rasen dashboard\n{double}\n"
        "Summary:\n"
        "  ● Specifications: 2 with 3 requirements\n"
        "  ● Draft changes: 1\n"
        "  ● Active changes: 3\n"
        "  ● Completed changes: 1\n"
        "  ● Task progress: 3/12 (25% complete)\n"
        f"\nDraft changes\n{rule}\n"
        "  ○ zeta\n"
        f"\nActive changes\n{rule}\n"
        f"  ◉ early      [{'█' * 3}{'░' * 17}] 13%\n"
        f"  ◉ also-half  [{'█' * 10}{'░' * 10}] 50%\n"
        f"  ◉ half       [{'█' * 10}{'░' * 10}] 50%\n"
        f"\nCompleted changes\n{rule}\n"
        "  ✓ finished\n"
        f"\nSpecifications\n{rule}\n"
        "  ▪ lending  2 requirements\n"
        "  ▪ fines    1 requirement\n"
        f"\n{double}\n"
        "Run `rasen list --changes` or `rasen list --specs` for the lists.\n"
    )


def test_an_empty_workspace_has_an_overview_too(world: World) -> None:
    world.workspace()

    result = world.cli("view")

    assert result.code == 0
    assert "Specifications: 0 with 0 requirements" in result.out
    assert "Task progress" not in result.out


def test_the_pointer_to_the_lists_carries_the_store(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team")
    stores.spec(root, "lending", S1)
    stores.register("team", root)

    result = world.cli("view", "--store", "team")

    assert "`rasen list --specs --store team`" in result.out


@pytest.mark.parametrize(
    ("env", "flags", "has_colors"),
    [({}, (), True), ({"NO_COLOR": "1"}, (), False), ({}, ("--no-color",), False)],
    ids=str,
)
def test_colours_are_for_terminals_that_want_them(
    busy: World, env: dict[str, str], flags: tuple[str, ...], has_colors: bool
) -> None:
    assert ("\x1b[" in busy.cli(*flags, "view", tty=True, env=env).out) is has_colors
    assert "\x1b[" not in busy.cli("view").out


@pytest.mark.parametrize("language", ["ja", "zh-cn"])
def test_the_overview_speaks_the_reader_s_language(busy: World, language: str) -> None:
    assert busy.cli("view", "--json", env={"RASEN_LANG": language}).json["summary"]["specs"] == 2
    assert busy.cli("view", env={"RASEN_LANG": language}).code == 0


def test_a_root_that_cannot_be_selected_is_a_failure(world: World) -> None:
    result = world.cli("view", "--store", "nowhere", "--json")

    assert result.code == 1
    assert fits("view", result.json)["status"][0]["code"] == "no_registered_stores"


def test_without_a_workspace_it_says_so_beside_its_answer(world: World) -> None:
    told = world.cli("view")

    assert told.code == 0
    assert "No workspace in" in told.err
    assert world.cli("view", "--json").err == ""
