"""`rasen config` as people and agents use it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from jsonschema_rs import validator_for
from tests.support.world import World

import rasen.surfaces

SCHEMA = Path(rasen.surfaces.__file__).with_name("schemas") / "config-list.schema.json"


def machine_file(world: World) -> Path:
    return world.config_dir / "config.json"


def broken(world: World) -> bytes:
    path = machine_file(world)
    path.parent.mkdir(parents=True)
    path.write_text('{\n  "telemetry": {"enabled": false},\n  "profile": "custom",\n}\n')
    return path.read_bytes()


def test_the_bare_form_lists_every_setting_with_its_source(world: World) -> None:
    world.workspace(config="schema: house\n")

    result = world.cli("config")

    assert result.code == 0
    assert "schema = house (project)" in result.out
    assert "proactive = true (default)" in result.out
    assert "--help" in result.out.splitlines()[-1]


def test_a_setting_goes_round(world: World) -> None:
    assert world.cli("config", "set", "repoMode", "solo").out == 'Set repoMode = "solo"\n'
    assert world.cli("config", "get", "repoMode").out == "solo\n"
    assert "repoMode = solo (global)" in world.cli("config").out
    assert world.cli("config", "unset", "repoMode").code == 0
    assert world.cli("config", "get", "repoMode").out == "collaborative\n"
    assert json.loads(machine_file(world).read_text()) == {}


def test_lists_and_numbers_are_typed_as_json(world: World) -> None:
    assert (
        world.cli("config", "set", "workflows", '["a", "b"]').out == 'Set workflows = ["a", "b"]\n'
    )
    assert world.cli("config", "set", "handoff.threshold", "0.25").code == 0
    assert world.cli("config", "get", "workflows").out == '["a", "b"]\n'
    assert world.cli("config", "get", "handoff").out == '{"threshold": 0.25}\n'


def test_text_that_looks_like_a_number_needs_the_flag(world: World) -> None:
    refused = world.cli("config", "set", "models.default", "4")
    assert (refused.code, "--string" in refused.err) == (1, True)

    assert world.cli("config", "set", "models.default", "4", "--string").code == 0
    assert world.cli("config", "get", "models.default").out == "4\n"


def test_what_is_not_set_answers_with_silence(world: World) -> None:
    result = world.cli("config", "get", "models.default")

    assert (result.code, result.out, result.err) == (1, "", "")


def test_an_unknown_key_is_refused_with_near_ones(world: World) -> None:
    result = world.cli("config", "set", "proactiv", "true")

    assert result.code == 1
    assert "proactive" in result.err
    assert not world.config_dir.exists()


@pytest.mark.parametrize(
    "words",
    [("--scope", "project", "set", "schema", "b"), ("set", "schema", "b", "--scope", "project")],
)
def test_the_scope_may_stand_on_either_side_of_the_verb(
    world: World, words: tuple[str, ...]
) -> None:
    world.workspace(config="# keep\nschema: a # this\n")

    assert world.cli("config", *words).code == 0

    assert world.read("rasen/config.yaml") == "# keep\nschema: b # this\n"


def test_the_project_is_found_from_below(world: World) -> None:
    world.workspace(config="schema: a\n")
    below = world.root / "src" / "deep"
    below.mkdir(parents=True)

    result = world.cli("config", "--scope", "project", "path", cwd=below)

    assert result.out == f"{world.root / 'rasen' / 'config.yaml'}\n"


def test_without_a_workspace_project_settings_are_refused_and_nothing_is_made(world: World) -> None:
    result = world.cli("config", "--scope", "project", "set", "schema", "b")

    assert result.code == 1
    assert "rasen init" in result.err
    assert list(world.root.iterdir()) == []


def test_another_scope_is_refused(world: World) -> None:
    result = world.cli("config", "--scope", "store", "list", "--json")

    assert (result.code, result.error) == (1, "usage_error")


@pytest.mark.parametrize("scope", ["global", "project"])
def test_the_json_list_fits_its_schema(world: World, scope: str) -> None:
    world.workspace(
        config="schema: a\ncontext: c\nrules: {proposal: [x]}\nreferences: [t, {id: p, type: project}]\n"
        "store: {uid: u}\narchive: {timing: in-ship}\nodd: 1\n"
    )
    world.cli("config", "set", "keepalive.beatSeconds", "100")

    result = world.cli("config", "--scope", scope, "list", "--json")

    assert result.code == 0
    validator_for(json.loads(SCHEMA.read_text())).validate(result.json)
    if scope == "global":
        assert result.json["keepalive"] == {
            "beatSeconds": 100, "runtimes": {"claude": True, "codex": False}, "contextFloor": 0,
        }  # fmt: skip
    else:
        assert result.json["references"] == ["t", "project:p"]
        assert "odd" not in result.json


def test_the_list_says_what_was_chosen(world: World) -> None:
    world.cli("config", "set", "profile", "core")

    lines = world.cli("config", "list").out.splitlines()

    assert "  profile = core (explicit)" in lines
    assert "  workflows = not set (default)" in lines


def test_a_broken_file_is_told_left_alone_and_read_privately(world: World) -> None:
    before = broken(world)

    listed = world.cli("config", "list", "--json")
    refused = world.cli("config", "set", "repoMode", "solo")

    assert listed.code == 0
    assert listed.json["telemetry"] == {"enabled": False}
    assert listed.json["profile"] == "full"
    assert "config.json:4:1" in listed.err
    assert refused.code == 1
    assert "config.json:4:1" in refused.err
    assert machine_file(world).read_bytes() == before


def test_a_broken_file_does_not_stop_other_commands(world: World) -> None:
    world.workspace()
    before = broken(world)

    result = world.cli("list", "--json")

    assert result.code == 0
    assert result.json["changes"] == []
    assert machine_file(world).read_bytes() == before


def test_reports_stay_off(world: World) -> None:
    result = world.cli("config", "set", "telemetry.enabled", "true")

    assert result.code == 0
    assert "telemetry.enabled" in result.out
    assert not world.config_dir.exists()


def test_reset_names_what_it_leaves(world: World) -> None:
    world.cli("config", "set", "profile", "core")
    world.cli("config", "set", "zork", "1", "--allow-unknown")

    told = world.cli("config", "reset", "--all", "-y").out

    assert told.splitlines() == [
        "The global settings are back to their defaults",
        "Left as they are, because no setting has such a name: zork",
    ]


def test_reset_needs_its_word_and_a_yes(world: World) -> None:
    world.cli("config", "set", "profile", "core")

    assert world.cli("config", "reset").code == 1
    assert world.cli("config", "reset", "--all").code == 1
    assert world.cli("config", "reset", "--all", tty=True, input="n\n").code == 0
    assert world.cli("config", "get", "profile").out == "core\n"

    assert world.cli("config", "reset", "--all", "-y").code == 0
    assert world.cli("config", "get", "profile").out == "full\n"


@pytest.mark.parametrize("form", [("reset", "--all", "-y"), ("edit",)])
def test_some_forms_are_for_the_global_settings_only(world: World, form: tuple[str, ...]) -> None:
    world.workspace()

    result = world.cli("config", "--scope", "project", *form)

    assert result.code == 1
    assert world.read("rasen/config.yaml") == "schema: spec-driven\n"


@pytest.mark.parametrize("name", ["ui"])
def test_what_lives_elsewhere_says_where(world: World, name: str) -> None:
    result = world.cli("config", name)

    assert (result.code, result.out) == (1, "")
    assert "rasen config" in result.err.splitlines()[1]


def editor(world: World, content: str, status: int = 0) -> str:
    script = world.base / "an editor.py"
    script.write_text(
        f"import pathlib, sys\npathlib.Path(sys.argv[1]).write_text({content!r})\nsys.exit({status})\n"
    )
    return f'"{sys.executable}" "{script}"'


def test_edit_opens_the_editor_and_checks_what_it_left(world: World) -> None:
    good = world.cli("config", "edit", env={"EDITOR": editor(world, '{"profile": "core"}')})
    assert good.code == 0
    assert world.cli("config", "get", "profile").out == "core\n"

    bad = world.cli("config", "edit", env={"EDITOR": "", "VISUAL": editor(world, "{,}")})
    assert bad.code == 1
    assert "config.json:1:2" in bad.err
    assert machine_file(world).read_text() == "{,}"


def test_an_editor_that_fails_is_reported(world: World) -> None:
    failed = world.cli("config", "edit", env={"EDITOR": editor(world, "{}", 3)})
    missing = world.cli("config", "edit", env={"EDITOR": "no-such-editor-here"})
    unnamed = world.cli("config", "edit")

    assert [item.code for item in (failed, missing, unnamed)] == [1, 1, 1]
    assert "3" in failed.err
    assert "no-such-editor-here" in missing.err
    assert "EDITOR" in unnamed.err


def test_in_a_terminal_settings_are_changed_in_a_dialogue(world: World) -> None:
    asked = world.cli("config", tty=True, input="\n").err.splitlines()
    number = next(line.split(".")[0] for line in asked if "repoMode" in line)

    result = world.cli("config", tty=True, input=f"{number}\n1\n1\n\n")

    assert result.code == 0
    assert world.cli("config", "get", "repoMode").out == "solo\n"


def test_the_workspace_setting_moves_every_command(world: World) -> None:
    world.workspace("openspec", config="schema: theirs\n")

    world.cli("config", "set", "workspace", "openspec")

    assert "schema = theirs (project)" in world.cli("config").out
    assert world.cli("config", "--scope", "project", "get", "schema").out == "theirs\n"


def test_an_invalid_workspace_variable_is_a_clear_error(world: World) -> None:
    result = world.cli("config", "get", "profile", env={"RASEN_WORKSPACE": "plans"})

    assert result.code == 1
    assert "RASEN_WORKSPACE" in result.err
