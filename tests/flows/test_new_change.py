"""Starting a change on the command line."""

from __future__ import annotations

import re

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import World


def test_change_gets_all_it_needs_in_a_fresh_folder(world: World) -> None:
    result = world.cli("new", "change", "longer-loans", "--json")

    assert result.code == 0
    document = fits("new-change", result.json)
    folder = world.path("rasen/changes/longer-loans")
    assert document["change"] == {
        "id": "longer-loans",
        "path": str(folder),
        "metadataPath": str(folder / ".openspec.yaml"),
        "schema": "spec-driven",
    }
    assert list(document) == ["change", "root"]
    assert world.read("rasen/changes/longer-loans/.openspec.yaml") == (
        "schema: spec-driven\ncreated: 2026-01-31\n"
    )
    assert world.read("rasen/config.yaml") == "schema: spec-driven\n"
    assert world.path("rasen/specs").is_dir()
    assert world.path("rasen/changes/archive").is_dir()
    assert not world.path("rasen/.journal").exists()


def test_texts_go_where_they_belong(world: World) -> None:
    world.workspace()

    result = world.cli(
        "new", "change", "x", "--description", "All about x.", "--goal", "Reach: y",
        "--proposal", " It hurts. ",
    )  # fmt: skip

    assert result.code == 0
    assert world.read("rasen/changes/x/README.md") == "# x\n\nAll about x.\n"
    assert 'goal: "Reach: y"\n' in world.read("rasen/changes/x/.openspec.yaml")
    proposal = world.read("rasen/changes/x/proposal.md")
    assert re.fullmatch(r"# x\n\n_[^\n]+_\n\n## Why\n\nIt hurts\.\n", proposal)


def test_the_schema_of_one_change_does_not_become_the_default(world: World) -> None:
    world.cli("schema", "fork", "spec-driven", "ours")

    result = world.cli("new", "change", "x", "--schema", "ours.yaml")

    assert result.code == 0
    assert world.read("rasen/changes/x/.openspec.yaml").startswith("schema: ours\n")
    assert world.read("rasen/config.yaml") == "schema: spec-driven\n"


def test_the_schema_of_the_settings_is_followed(world: World) -> None:
    world.workspace(config="schema: ours\n")
    world.cli("schema", "fork", "spec-driven", "ours")

    assert world.cli("new", "change", "x", "--json").json["change"]["schema"] == "ours"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Add-x", "upper-case"),
        ("add x", "spaces"),
        ("add_x", "underscores"),
        ("-add", "begins with a hyphen"),
        ("add-", "ends with a hyphen"),
        ("add--x", "two hyphens"),
        ("add.x", "only lower-case"),
        ("../x", "only lower-case"),
        ("2fa", "begins with a digit"),
        ("", "empty"),
        ("a" * 201, "200"),
        ("archive", "archived changes"),
        ("é", "only lower-case"),
    ],
)
def test_bad_names_are_refused_each_in_its_own_words(world: World, name: str, words: str) -> None:
    before = snapshot(world.base)

    result = world.cli("new", "change", "--json", "--", name)

    assert result.code == 1
    assert result.error == "change_error"
    assert words in fits("new-change", result.json)["status"][0]["message"]
    assert snapshot(world.base) == before


def test_longest_name(world: World) -> None:
    assert world.cli("new", "change", "a" * 200).code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--initiative", "x"], "initiative_option_removed"),
        (["--areas", "x"], "areas_option_removed"),
        (["--proposal", "  "], "change_error"),
        (["--goal", ""], "change_error"),
        (["--schema", "nope"], "change_error"),
        (["--schema", "../x"], "change_error"),
        (["--store-path", "/x"], "store_path_not_supported"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_refusals_leave_nothing(world: World, words: list[str], code: str) -> None:
    before = snapshot(world.base)

    result = world.cli("new", "change", "x", *words, "--json")

    assert (result.code, result.error) == (1, code)
    assert fits("new-change", result.json)["change"] is None
    assert snapshot(world.base) == before


def test_removed_options_name_their_target(world: World) -> None:
    [diagnostic] = world.cli("new", "change", "x", "--areas", "y", "--json").json["status"]

    assert diagnostic["target"] == "change.options"


def test_a_bad_name_is_said_before_a_removed_option(world: World) -> None:
    assert world.cli("new", "change", "X", "--areas", "y", "--json").error == "change_error"


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_a_taken_name_is_refused(world: World, kind: str) -> None:
    world.workspace()
    place = world.path("rasen/changes/x")
    if kind == "folder":
        place.mkdir()
    elif kind == "file":
        place.write_text("")
    else:
        place.symlink_to(world.path("nowhere"))

    result = world.cli("new", "change", "x", "--json")

    assert (result.code, result.error) == (1, "change_error")
    assert "already exists" in result.json["status"][0]["message"]


def test_a_failure_takes_back_what_was_made(world: World) -> None:
    world.workspace()
    world.path("rasen/changes/archive").rmdir()
    world.path("rasen/changes/archive").write_text("a file where a folder belongs")
    before = snapshot(world.root)

    result = world.cli("new", "change", "x", "--json")

    assert result.code == 1
    assert snapshot(world.root) == before


def test_text_form_is_relative_here_and_absolute_elsewhere(world: World) -> None:
    world.workspace()
    world.path("src").mkdir()

    here = world.cli("new", "change", "one").out
    below = world.cli("new", "change", "two", cwd=world.path("src")).out

    assert "'one' at rasen/changes/one/" in here
    assert 'rasen status --change "one"' in here
    assert f"'two' at {world.path('rasen/changes/two')}/" in below


def test_other_settings_files_are_left_alone(world: World) -> None:
    world.write("rasen/config.yml", "schema: spec-driven # ours\n")

    world.cli("new", "change", "x")

    assert not world.path("rasen/config.yaml").exists()


def test_works_on_an_openspec_tree(world: World) -> None:
    world.workspace("openspec")

    result = world.cli("new", "change", "x", env={"RASEN_WORKSPACE": "openspec"})

    assert result.code == 0
    assert world.path("openspec/changes/x/.openspec.yaml").is_file()
    assert not world.path("rasen").exists()
