"""`rasen workflow init --from`: a folder of skills becomes workflows, and each problem is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.skill_collection import FAULTY, MENDED, SOUND, lay_out
from tests.support.snapshot import snapshot
from tests.support.workflow_makers import install, lay
from tests.support.world import World


def convert(world: World, source: str, output: str = "made") -> tuple[int, dict[str, Any]]:
    result = world.cli("workflow", "init", "--from", source, "--output", output, "--json")
    answer = fits("workflow-init", result.json)
    return result.code, {Path(one["source"]).name: one for one in answer["workflows"]}


def messages(one: Any) -> list[str]:
    return [found["message"] for found in one["diagnostics"]]


def test_the_sound_ones_become_workflows_that_can_be_installed(world: World) -> None:
    source = lay_out(world.root / "shared")
    before = snapshot(source)

    code, rows = convert(world, "shared")

    assert code == 1
    assert len(rows) == 20
    for name in SOUND:
        assert (rows[name]["output"], rows[name]["diagnostics"]) == (
            str(world.root / "made" / name),
            [],
        )
    made = sorted(one.name for one in (world.root / "made").iterdir())
    assert len(made) == len(SOUND) + len(MENDED)
    for name in made:
        assert world.cli("workflow", "validate", f"made/{name}").err == ""
        assert world.cli("workflow", "import", f"made/{name}").code == 0
    assert snapshot(source) == before


@pytest.mark.parametrize("name", MENDED)
def test_what_can_be_mended_is_mended_and_told(world: World, name: str) -> None:
    lay_out(world.root / "shared")

    _, rows = convert(world, "shared")

    assert rows[name]["output"] is not None
    assert MENDED[name][1] in messages(rows[name])
    assert {one["severity"] for one in rows[name]["diagnostics"]} == {"warning"}


@pytest.mark.parametrize("name", FAULTY)
def test_what_only_its_author_can_mend_is_left_out_and_told(world: World, name: str) -> None:
    lay_out(world.root / "shared")

    _, rows = convert(world, "shared")

    assert rows[name]["output"] is None
    assert FAULTY[name][1] in [one["code"] for one in rows[name]["diagnostics"]]
    assert all(one["sourcePath"].startswith(str(world.root)) for one in rows[name]["diagnostics"])
    assert not (world.root / "made" / name).exists()


def test_the_body_stays_as_it_is_and_scripts_are_declared_as_such(world: World) -> None:
    lay_out(world.root / "shared")

    convert(world, "shared")

    assert (world.root / "made/windows-made/SKILL.md").read_bytes().endswith(b"---\nDo it.\r\n")
    manifest = world.read("made/chart-maker/workflow.yaml")
    assert "references/kinds.md" in manifest.partition("scripts:")[0]
    assert "scripts/draw.py" in manifest.partition("scripts:")[2]
    assert '"allowed-tools": "Read, Bash"' in world.read("made/extra-fields/SKILL.md")


def test_a_single_skill_and_a_collection_in_a_folder_of_skills(world: World) -> None:
    lay(world.root / "one/brew-coffee", SOUND["brew-coffee"])
    lay(world.root / "repository/skills/kanji", SOUND["kanji"])
    lay(world.root / "repository/docs", {"readme.md": b"x"})

    assert convert(world, "one/brew-coffee", "a")[0] == 0
    assert convert(world, "repository", "b")[0] == 0
    assert (world.root / "a/brew-coffee/workflow.yaml").is_file()
    assert (world.root / "b/kanji/workflow.yaml").is_file()


def test_people_read_what_became_of_each(world: World) -> None:
    lay_out(world.root / "shared")

    result = world.cli("workflow", "init", "--from", "shared", "--output", "made")

    assert "13 of 20 skills became workflows." in result.out
    assert "Left out: " in result.err
    assert "→ write line 3 so" not in result.err
    assert "[ERROR] no-body/SKILL.md: " in result.err


def test_what_is_installed_already_is_told(world: World) -> None:
    install(world, "kanji")
    lay(world.root / "shared/kanji", SOUND["kanji"])

    code, rows = convert(world, "shared")

    assert code == 1
    assert [one["code"] for one in rows["kanji"]["diagnostics"]] == ["workflow_id_collision"]
    assert not (world.root / "made").exists()


def test_a_folder_without_skills_and_a_folder_in_use_are_refused(world: World) -> None:
    world.write("nothing/readme.md", "x")
    world.write("used/file", "x")
    lay(world.root / "shared/kanji", SOUND["kanji"])

    for source, output, code in (
        ("nothing", "made", "skills_not_found"),
        ("nowhere", "made", "skills_not_found"),
        ("shared", "used", "output_not_empty"),
    ):
        result = world.cli("workflow", "init", "--from", source, "--output", output, "--json")
        assert (result.code, result.error) == (1, code)


def test_links_in_a_skill_are_left_out_and_not_followed(world: World) -> None:
    folder = lay(world.root / "shared/kanji", SOUND["kanji"])
    (folder / "secret.md").symlink_to(world.write("secret", "private\n"))

    _, rows = convert(world, "shared")

    assert "secret.md" in messages(rows["kanji"])[0]
    assert sorted(one.name for one in (world.root / "made/kanji").iterdir()) == [
        "SKILL.md", "workflow.yaml",
    ]  # fmt: skip


def named(name: str) -> dict[str, bytes]:
    return {"SKILL.md": f"---\nname: {name}\ndescription: X.\n---\nDo it.\n".encode()}


@pytest.mark.parametrize(
    ("places", "beside", "ids"),
    [
        (("template", "skills/pdf", "skills/mail"), "spec", ["mail", "pdf", "template"]),
        (("plugins/a/skills/one", "plugins/b/skills/two"), "docs", ["one", "two"]),
        (("skills/writing/one", "skills/code/two"), "scripts", ["one", "two"]),
        ((".claude/skills/one",), "src", ["one"]),
        (("one", ".claude/skills/one"), "src", ["one"]),
    ],
    ids=["template beside", "plugins", "categories", "of an agent", "of an agent too"],
)
def test_collections_are_found_however_they_are_arranged(
    world: World, places: tuple[str, ...], beside: str, ids: list[str]
) -> None:
    for place in places:
        lay(world.root / "shared" / place, named(place.rpartition("/")[2]))
    world.write(f"shared/{beside}/readme.md", "x")

    code, _ = convert(world, "shared")

    assert code == 0
    assert sorted(one.name for one in (world.root / "made").iterdir()) == ids


def test_a_folder_that_was_meant_as_a_skill_is_named(world: World) -> None:
    lay(world.root / "shared/skills/good", named("good"))
    world.write("shared/skills/empty/readme.md", "x")
    world.write("shared/small/skill.md", "x")

    code, rows = convert(world, "shared")

    assert code == 1
    assert {
        name: [found["code"] for found in one["diagnostics"]] for name, one in rows.items()
    } == {
        "good": [],
        "empty": ["skill_missing"],
        "small": ["skill_missing"],
    }


def test_a_link_counts_when_its_skill_is_not_there_otherwise(world: World) -> None:
    lay(world.root / "shared/good", named("good"))
    lay(world.root / "elsewhere/far", named("far"))
    (world.root / "shared/alias").symlink_to("good")
    (world.root / "shared/far").symlink_to(world.root / "elsewhere/far")

    _, rows = convert(world, "shared")

    assert list(rows) == ["far", "good"]
    assert rows["far"]["diagnostics"][0]["code"] == "source_not_directory"


def test_files_whose_names_cannot_be_used_are_left_out(world: World) -> None:
    lay(world.root / "shared/kanji", SOUND["kanji"])
    world.write("shared/kanji/caf\udce9.md", "x")
    world.write(f"shared/kanji/{'a' * 130}/{'b' * 130}", "x")

    _, rows = convert(world, "shared")

    assert [one["code"] for one in rows["kanji"]["diagnostics"]] == ["skill_file_left_out"] * 2
    assert len(list((world.root / "made/kanji").iterdir())) == 2


@pytest.mark.parametrize(
    ("head", "line", "message"),
    [
        ("license:", "", "license has no value and was dropped"),
        ("tags: [a, b]", '  "tags": "a, b"', "tags was a list and became text"),
        ("deep: [{a: b}]", r'  "deep": "[{\"a\": \"b\"}]"', "the field deep went into metadata"),
        ("flag: true", '  "flag": "true"', "the field flag went into metadata"),
        ("metadata: words", '  "metadata": "words"', "metadata was no map and became one"),
        ("metadata: {empty: }", "", "empty has no value and was dropped"),
    ],
)
def test_no_value_of_the_front_matter_is_lost_untold(
    world: World, head: str, line: str, message: str
) -> None:
    text = f"---\nname: one\ndescription: X.\n{head}\n---\nDo it.\n"
    lay(world.root / "one", {"SKILL.md": text.encode()})

    code, rows = convert(world, "one")

    assert code == 0
    assert message in messages(rows["one"])
    made = world.read("made/one/SKILL.md")
    assert line in made.splitlines() or line == ""
    assert ("metadata:" in made, "None" in made) == (line != "", False)


def test_blank_lines_before_the_front_matter_are_dropped_and_a_key_twice_is_not_quoted(
    world: World,
) -> None:
    lay(world.root / "shared/late", {"SKILL.md": b"\n" + named("late")["SKILL.md"]})
    twice = b"---\nname: twice\nname: other\ndescription: X.\n---\nDo it.\n"
    lay(world.root / "shared/twice", {"SKILL.md": twice})

    _, rows = convert(world, "shared")

    assert messages(rows["late"]) == ["the blank space before the front matter was dropped"]
    assert [one["code"] for one in rows["twice"]["diagnostics"]] == ["yaml_invalid"]


def test_letters_that_an_id_cannot_have_are_made_plain_or_come_from_the_folder(
    world: World,
) -> None:
    lay(world.root / "shared/one", named("Ünïcode Näme"))
    lay(world.root / "shared/two", named("漢字"))

    _, rows = convert(world, "shared")

    assert (rows["one"]["id"], rows["two"]["id"]) == ("unicode-name", "two")


def test_a_manifest_that_is_there_is_not_dropped_untold(world: World) -> None:
    lay(world.root / "one", {**named("one"), "workflow.yaml": b"version: 1\nid: other\n"})

    code, rows = convert(world, "one")

    assert code == 0
    assert [(found["code"], found["path"]) for found in rows["one"]["diagnostics"]] == [
        ("skill_mended", "workflow.yaml")
    ]
    assert "id: one" in world.read("made/one/workflow.yaml")
