"""Profiles on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.terminal import Terminal
from tests.support.world import World

from rasen.files.lock import hold
from rasen.profiles.model import Retention
from rasen.surfaces.cli.help import display_width
from rasen.syntax import yaml
from rasen.workflows.ops import core, full

README = Path(__file__).resolve().parents[2] / "README.md"


def config(world: World) -> dict[str, object]:
    path = world.config_dir / "config.json"
    found: dict[str, object] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return {key: found[key] for key in ("profile", "workflows", "retention") if key in found}


def saved(world: World, name: str, text: str) -> None:
    path = world.config_dir / "profiles" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def listed(world: World) -> dict[str, object]:
    document: dict[str, object] = fits("profile-list", world.cli("profile", "list", "--json").json)
    return document


def code(world: World, *words: str) -> str:
    result = world.cli(*words, "--json")
    assert result.code == 1
    found: str = result.json["status"][0]["code"]
    return found


@pytest.mark.requirement("PR-011", "RT-005", "RT-002")
def test_the_built_in_ones_are_always_there(world: World) -> None:
    document = listed(world)

    rows = document["profiles"]
    assert isinstance(rows, list)
    assert [(row["name"], row["builtIn"]) for row in rows] == [("full", True), ("core", True)]
    assert rows[0]["definition"] == {
        "version": 2, "workflows": list(full()), "retention": "report",
    }  # fmt: skip
    assert rows[1]["definition"] == {"version": 2, "workflows": list(core()), "retention": "off"}


@pytest.mark.requirement("RT-006", "PR-014")
def test_a_new_user_has_everything_and_keeps_nothing(world: World) -> None:
    document = listed(world)

    assert document["current"] == {"version": 2, "workflows": list(full()), "retention": "off"}
    assert [row["matchesCurrent"] for row in document["profiles"]] == [False, False]  # type: ignore[attr-defined]
    assert "custom" in world.cli("profile", "list").out


@pytest.mark.parametrize("name", ["full", "core"])
def test_a_built_in_one_is_named_in_the_settings(world: World, name: str) -> None:
    world.cli("profile", "new", "mine", "--workflows", "propose", "--retention", "codify")

    result = world.cli("profile", "use", name, "--json")

    assert fits("profile", result.json)["profile"]["name"] == name
    assert config(world) == {"profile": name}
    matching = [row["name"] for row in listed(world)["profiles"] if row["matchesCurrent"]]  # type: ignore[attr-defined]
    assert matching == [name]


@pytest.mark.requirement("PR-002", "WF-008", "PR-012", "PR-020")
def test_a_profile_is_saved_in_catalogue_order_and_used(world: World) -> None:
    result = world.cli(
        "profile",
        "new",
        "mine",
        "--workflows",
        "archive,propose",
        "--retention",
        "report",
        "--json",
    )

    assert result.code == 0, result.out
    assert fits("profile", result.json)["profile"] == {
        "name": "mine",
        "version": 2,
        "workflows": ["propose", "archive"],
        "retention": "report",
    }
    path = world.config_dir / "profiles" / "mine.yaml"
    assert yaml.load(path.read_text("utf-8"), file="mine.yaml") == {
        "version": 2, "workflows": ["propose", "archive"], "retention": "report",
    }  # fmt: skip
    assert list(yaml.load(path.read_text("utf-8"), file="x")) == [
        "version",
        "workflows",
        "retention",
    ]
    assert config(world) == {
        "profile": "custom", "workflows": ["propose", "archive"], "retention": "report",
    }  # fmt: skip
    assert [row["name"] for row in listed(world)["profiles"] if row["matchesCurrent"]] == ["mine"]  # type: ignore[attr-defined]


@pytest.mark.requirement("PR-012", "WF-008")
def test_saving_closes_over_what_is_required_and_drops_what_nobody_selects(world: World) -> None:
    install(world, "inner")
    install(world, "outer", "inner", "apply")
    world.write(
        "p.yaml", "version: 1\nworkflows: [outer, retro-command, retain-command, propose]\n"
    )

    saved = world.cli("profile", "import", "p.yaml", "--json")

    assert saved.json["profile"]["workflows"] == ["propose", "apply", "inner", "outer"]
    assert saved.json["profile"]["retention"] == "report"
    for ids in ("propose,nowhere", "propose,propose"):
        assert code(world, "profile", "new", "other", "--workflows", ids) == "invalid_file"
    assert [row["name"] for row in listed(world)["profiles"]] == ["full", "core", "p"]  # type: ignore[attr-defined]


@pytest.mark.requirement("PR-014", "PR-020")
@pytest.mark.parametrize(
    ("retention", "name"), [("off", "core"), ("report", "custom"), ("codify", "custom")]
)
def test_the_mode_is_part_of_what_makes_a_profile(world: World, retention: str, name: str) -> None:
    world.cli("profile", "new", "mine", "--workflows", ",".join(core()), "--retention", retention)

    assert config(world)["profile"] == name
    matching = [row["name"] for row in listed(world)["profiles"] if row["matchesCurrent"]]  # type: ignore[attr-defined]
    assert matching == (["core", "mine"] if name == "core" else ["mine"])


def test_changing_a_saved_one_leaves_the_selection_alone(world: World) -> None:
    world.cli("profile", "new", "mine", "--workflows", "propose")
    before = config(world)

    assert world.cli("profile", "update", "mine", "--workflows", "apply").code == 0

    assert config(world) == before
    rows = listed(world)["profiles"]
    assert isinstance(rows, list)
    assert rows[2]["definition"]["workflows"] == ["apply"]


@pytest.mark.requirement("PR-003", "PR-004", "PR-005", "PR-006", "PR-009")
@pytest.mark.parametrize(
    ("ids", "kept", "retention"),
    [
        (["propose", "retro-command"], ["propose"], "report"),
        (["propose"], ["propose"], "off"),
        (["propose", "ff"], ["propose"], "off"),
        (["propose", "goal-command", "archive"], ["propose", "archive", "goal-command"], "off"),
    ],
)
def test_the_first_version_is_read_for_ever_and_left_as_it_is(
    world: World, ids: list[str], kept: list[str], retention: str
) -> None:
    text = json.dumps({"version": 1, "delivery": "both", "workflows": ids})
    saved(world, "old", text)
    before = snapshot(world.config_dir)

    rows = listed(world)["profiles"]

    assert isinstance(rows, list)
    assert rows[2]["definition"] == {"version": 2, "workflows": kept, "retention": retention}
    assert snapshot(world.config_dir) == before
    assert world.cli("profile", "use", "old").code == 0
    assert config(world)["workflows"] == kept


@pytest.mark.requirement("PR-009")
@pytest.mark.parametrize("id", ["retro-command-2", "my-retro-command", "retro"])
def test_only_the_retired_id_itself_means_a_report(world: World, id: str) -> None:
    install(world, id, skill=f"skill-of-{id}")
    saved(world, "old", f"version: 1\nworkflows: [propose, {id}]\n")

    definition = listed(world)["profiles"][2]["definition"]  # type: ignore[index]

    assert (definition["retention"], definition["workflows"]) == ("off", ["propose", id])


@pytest.mark.requirement("PR-001", "PR-002")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "a map"),
        ("version: 3\nworkflows: []\n", "1 or 2"),
        ("version: true\nworkflows: []\n", "1 or 2"),
        ("version: 1.0\nworkflows: []\n", "1 or 2"),
        ("version: 2\nworkflows: []\n", "lacks retention"),
        ("version: 2\nworkflows: []\nretention: maybe\n", "off, report or codify"),
        ("version: 2\nworkflows: []\nretention: off\nmore: 1\n", "does not know: more"),
        ("version: 1\nworkflows: []\nretention: off\n", "does not know: retention"),
        ("version: 2\nworkflows: [a, a]\nretention: off\n", "names twice: a"),
        ("version: 2\nworkflows: propose\nretention: off\n", "a list of ids"),
        ("a: [", ""),
    ],
)
def test_a_broken_one_is_listed_with_its_fault(world: World, text: str, said: str) -> None:
    saved(world, "odd", text)

    rows = listed(world)["profiles"]

    assert isinstance(rows, list)
    assert "definition" not in rows[2]
    assert said in rows[2]["error"]
    assert world.cli("profile", "use", "odd").code == 1
    assert config(world) == {}


@pytest.mark.requirement("SP-023")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("full", "reserved_name"),
        ("core", "reserved_name"),
        ("custom", "reserved_name"),
        ("Mine", "invalid_name"),
        ("-mine", "invalid_name"),
        ("a/b", "invalid_name"),
        ("x" * 65, "invalid_name"),
    ],
)
def test_names_that_cannot_be(world: World, name: str, expected: str) -> None:
    words = ("profile", "new", "--workflows", "propose", "--", name)
    result = world.cli(*words[:2], "--json", *words[2:])

    assert result.json["status"][0]["code"] == expected


def test_names_that_can_be(world: World) -> None:
    for name in ("a", "0.x_y-z", "x" * 64):
        assert world.cli("profile", "new", name, "--workflows", "propose").code == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("use", "nobody"), "not_found"),
        (("delete", "nobody", "--yes"), "not_found"),
        (("delete", "full", "--yes"), "reserved_name"),
        (("update", "nobody", "--workflows", "propose"), "not_found"),
        (("update", "core", "--workflows", "propose"), "reserved_name"),
        (("new", "mine", "--workflows", "nonsense"), "invalid_file"),
        (("new", "mine", "--workflows", "propose,propose"), "invalid_file"),
        (("new", "mine", "--workflows", "propose", "--retention", "x"), "invalid_file"),
        (("new", "mine"), "profile_editor_needs_terminal"),
        (("import", "nothing.yaml"), "file_missing"),
        (("import", "x.txt"), "unsupported_format"),
        (("export", "x.txt"), "unsupported_format"),
    ],
)
def test_refusals_change_nothing(world: World, words: tuple[str, ...], expected: str) -> None:
    world.write("x.txt", "x")
    before = snapshot(world.base)

    assert code(world, "profile", *words) == expected

    after = snapshot(world.base)
    assert {key for key in after if key not in before} <= {
        key for key in after if "profiles.lock" in str(key) or str(key).endswith("config/rasen")
    }


def test_a_name_that_is_taken(world: World) -> None:
    world.cli("profile", "new", "mine", "--workflows", "propose")

    assert code(world, "profile", "new", "mine", "--workflows", "apply") == "already_exists"


def test_deleting_asks_first(world: World) -> None:
    world.cli("profile", "new", "mine", "--workflows", "propose")
    path = world.config_dir / "profiles" / "mine.yaml"

    assert code(world, "profile", "delete", "mine") == "confirmation_required"
    assert path.exists()
    declined = world.cli("profile", "delete", "mine", input="n\n", tty=True)
    assert (declined.code, path.exists()) == (1, True)
    assert world.cli("profile", "delete", "mine", input="y\n", tty=True).code == 0
    assert not path.exists()


@pytest.mark.requirement("PR-031", "PR-040")
@pytest.mark.parametrize("ending", [".yaml", ".yml", ".json"])
def test_a_profile_goes_to_another_machine_as_a_plain_file(world: World, ending: str) -> None:
    world.cli("profile", "new", "mine", "--workflows", "propose,apply", "--retention", "codify")
    target = f"handed{ending}"

    assert world.cli("profile", "export", target, "--profile", "mine").code == 0
    text = world.read(target)
    assert text.startswith("{") is (ending == ".json")
    result = world.cli("profile", "import", target, "--json")

    assert result.json["profile"]["name"] == "handed"
    assert result.json["profile"]["workflows"] == ["propose", "apply"]
    assert world.cli("profile", "import", target, "--as", "other").code == 0
    assert code(world, "profile", "import", target) == "already_exists"
    assert world.cli("profile", "import", target, "--force").code == 0


@pytest.mark.requirement("PR-045")
def test_an_export_replaces_a_file_only_when_told(world: World) -> None:
    world.write("x.yaml", "theirs\n")

    assert code(world, "profile", "export", "x.yaml") == "already_exists"
    assert world.read("x.yaml") == "theirs\n"
    assert world.cli("profile", "export", "x.yaml", "--force").code == 0
    assert "version: 2" in world.read("x.yaml")
    world.write("x.rasenpkg", "theirs\n")
    assert code(world, "profile", "export", "x.rasenpkg") == "already_exists"
    assert world.read("x.rasenpkg") == "theirs\n"
    assert world.cli("profile", "export", "x.rasenpkg", "--force").code == 0
    assert world.read("x.rasenpkg").startswith("{")


@pytest.mark.requirement("PR-045")
def test_a_person_is_asked_before_an_export_replaces_a_file(world: World) -> None:
    for name in ("x.yaml", "x.rasenpkg"):
        world.write(name, "theirs\n")
        assert world.cli("profile", "export", name, tty=True, input="\n").code == 1
        assert world.read(name) == "theirs\n"
        assert world.cli("profile", "export", name, tty=True, input="y\n").code == 0
        assert world.read(name) != "theirs\n"


@pytest.mark.requirement("PR-022", "PR-034")
def test_what_is_not_installed_is_refused_before_anything_is_written(world: World) -> None:
    world.write("p.yaml", "version: 2\nworkflows: [propose, team-review]\nretention: off\n")

    assert code(world, "profile", "import", "p.yaml") == "invalid_file"
    assert not (world.config_dir / "profiles").exists()


@pytest.mark.requirement("PR-022")
def test_what_the_settings_name_and_nobody_knows_is_dropped_with_a_warning(world: World) -> None:
    assert world.cli("init", "--tools", "claude").code == 0
    world.config_dir.mkdir(parents=True, exist_ok=True)
    chosen = {"profile": "custom", "workflows": ["propose", "nowhere", "retro-command"]}
    (world.config_dir / "config.json").write_text(json.dumps(chosen), "utf-8")

    result = world.cli("update", "--json")
    told = world.cli("update")

    assert (result.code, told.code) == (0, 0)
    assert "nowhere" in told.err
    assert "retro-command" not in told.err
    assert listed(world)["current"] == {
        "version": 2, "workflows": ["propose"], "retention": "report",
    }  # fmt: skip


@pytest.mark.requirement("PR-021", "WF-009")
def test_experts_in_a_profile_are_dropped_with_a_word(world: World) -> None:
    world.write("p.yaml", "version: 2\nworkflows: [propose, review]\nretention: off\n")

    result = world.cli("profile", "import", "p.yaml")

    assert result.code == 0
    assert "always installed" in result.err
    assert "review" not in (world.config_dir / "profiles" / "p.yaml").read_text("utf-8")


@pytest.mark.requirement("PR-010")
def test_a_file_that_is_too_large_is_refused(world: World) -> None:
    text = "version: 2\nworkflows: [propose]\nretention: off\n"
    world.write("p.yaml", text + "#" * (1024 * 1024 - len(text)))
    world.write("q.yaml", text + "#" * (1024 * 1024 - len(text) + 1))

    assert world.cli("profile", "import", "p.yaml").code == 0
    assert code(world, "profile", "import", "q.yaml") == "file_too_large"
    assert [one.name for one in (world.config_dir / "profiles").iterdir()] == ["p.yaml"]


@pytest.mark.requirement("PR-017", "RT-007")
def test_a_mode_in_the_settings_wins_over_that_of_a_built_in_profile(world: World) -> None:
    world.cli("config", "set", "profile", "full")
    assert listed(world)["current"]["retention"] == "report"  # type: ignore[index]

    assert world.cli("config", "set", "retention", "off").code == 0
    assert listed(world)["current"]["retention"] == "off"  # type: ignore[index]
    assert world.cli("config", "set", "retention", "maybe").code == 1
    (world.config_dir / "config.json").write_text('{"profile": "core", "retention": "x"}', "utf-8")
    assert listed(world)["current"]["retention"] == "off"  # type: ignore[index]


def offered(world: World) -> list[str]:
    from rasen.profiles.ops import offered

    return [one.id for one in offered(world.context())]


@pytest.mark.requirement("PR-015", "RT-004")
@pytest.mark.parametrize(
    ("keys", "ticked"),
    [
        ("A", lambda ids: ids),
        ("AA \x1b[B\x1b[B ", lambda ids: [ids[0], ids[2]]),
    ],
    ids=["A ticks all", "again ticks none, Space one"],
)
def test_keys_tick_and_one_mode_is_chosen(
    world: World, keys: str, ticked: Callable[[list[str]], list[str]]
) -> None:
    """On a real terminal; `propose` and `explore` are ticked before."""
    ids = offered(world)
    world.cli("profile", "new", "mine", "--workflows", ",".join(ids[:2]))
    world.env["TERM"] = "xterm"

    with Terminal(world, "profile") as person:
        person.wait_for(f" {ids[-1].removesuffix('-command')} ")
        person.type(f"{keys}\r")
        person.wait_for("leave behind?")
        person.wait_for("codify")
        person.type("\x1b[B\x1b[B\r")
        code = person.code()

    assert code == 0, person.seen
    assert config(world) == {
        "profile": "custom", "workflows": ticked(ids), "retention": "codify",
    }  # fmt: skip


def test_going_through_all_of_full_leaves_it_full(world: World) -> None:
    """What comes later is not offered, and not lost either."""
    env = {"TERM": "dumb"}
    world.cli("profile", "use", "full")

    assert world.cli("profile", input="\n1\n", tty=True, env=env).code == 0
    assert config(world) == {"profile": "full"}
    assert world.cli("profile", input="1 2\n1\n", tty=True, env=env).code == 0
    assert config(world)["workflows"] == ["propose", "explore"]


@pytest.mark.requirement("PR-015")
def test_a_long_title_takes_two_lines_of_the_terminal_at_most(world: World) -> None:
    install(world, "long", more=f"skill: {{name: {'運用' * 100}}}\n")

    told = world.cli("profile", input="\n1\n", tty=True, env={"TERM": "dumb"}).err

    row = next(line for line in told.splitlines() if " long " in line)
    assert 70 * 2 < display_width(row) <= 80 * 2
    starts = {display_width(line[: line.index(text)]) for line, text in (
        (row, "運用"), (next(one for one in told.splitlines() if " propose " in one), "Create a")
    )}  # fmt: skip
    assert max(starts) - min(starts) <= 1  # the numbers grow by a digit


@pytest.mark.requirement("PR-015", "RT-004")
def test_a_person_ticks_workflows_and_one_mode(world: World) -> None:
    env = {"TERM": "dumb"}

    result = world.cli("profile", input="1 2\n2\n", tty=True, env=env)

    assert result.code == 0, result.err
    assert config(world)["workflows"] == ["propose", "explore"]
    assert config(world)["retention"] in [mode.value for mode in Retention]
    assert "retain" not in result.err
    assert "office-hours " in result.err
    assert world.cli("profile", "new", "mine", input="1\n1\n", tty=True, env=env).code == 0
    assert [row["name"] for row in listed(world)["profiles"]][2:] == ["mine"]  # type: ignore[attr-defined]


@pytest.mark.requirement("PR-016")
def test_neither_the_runner_nor_what_comes_later_is_offered(world: World) -> None:
    result = world.cli("profile", input="\n1\n", tty=True, env={"TERM": "dumb"})

    assert "retain" not in result.err.replace("retention", "")
    assert "goal" not in result.err


def test_the_older_spelling_still_works(world: World) -> None:
    assert world.cli("config", "profile", "core").code == 0
    assert config(world) == {"profile": "core"}
    assert "core" in world.cli("profile", "list").out


@pytest.mark.requirement("SP-041")
def test_a_writer_waits_for_another(world: World) -> None:
    lock = world.config_dir / ".profiles.lock"
    world.cli("profile", "new", "mine", "--workflows", "propose")
    before = snapshot(world.config_dir / "profiles")
    words = ("profile", "update", "mine", "--workflows", "apply")

    with ExitStack() as held:
        held.enter_context(hold(lock))
        with Terminal(world, *words) as other:
            other.wait_for("waiting for")
            assert snapshot(world.config_dir / "profiles") == before
            held.close()
            assert other.code() == 0

    assert [one["definition"]["workflows"] for one in listed(world)["profiles"][2:]] == [["apply"]]  # type: ignore[index]
    assert not lock.exists()


def install(
    world: World, id: str, *requires: str, more: str = "", skill: str | None = None
) -> None:
    """A workflow of the user's own. more: lines of its manifest."""
    place = f"drafts/{id}"
    listed = f"[{', '.join(requires)}]"
    world.write(
        f"{place}/workflow.yaml", f"version: 1\nid: {id}\nrequires:\n  workflows: {listed}\n{more}"
    )
    world.write(
        f"{place}/SKILL.md",
        f"---\nname: {skill or f'rasen-{id}'}\ndescription: Do {id}.\n---\n\nDo it.\n",
    )
    result = world.cli("workflow", "import", place, "--json")
    assert result.code == 0, result.out


@pytest.mark.requirement("PR-041", "PR-042", "PR-007")
def test_workflows_of_ones_own_travel_in_a_package(world: World) -> None:
    install(world, "inner")
    install(world, "team-review", "inner")
    world.cli("profile", "new", "mine", "--workflows", "propose,team-review")

    assert code(world, "profile", "export", "mine.yaml") == "unsupported_format"
    assert world.cli("profile", "export", "thin.yaml", "--thin").code == 0
    result = world.cli("profile", "export", "mine.rasenpkg", "--profile", "mine", "--json")

    assert result.code == 0, result.out
    package = json.loads(world.read("mine.rasenpkg"))
    assert [one["id"] for one in package["workflows"]] == ["inner", "team-review"]
    assert package["minRasenVersion"] == "0.1.5"
    assert package["profile"]["version"] == 2
    assert code(world, "profile", "export", "x.rasenpkg", "--thin") == "unsupported_format"


@pytest.mark.requirement("PR-043", "PR-044")
@pytest.mark.parametrize(
    ("words", "name"),
    [
        ((), "current-profile"),
        (("--profile", "core"), "core-profile"),
        (("--profile", "mine"), "mine"),
    ],
)
def test_a_package_can_hold_ids_alone_and_has_a_name(
    world: World, words: tuple[str, ...], name: str
) -> None:
    world.cli("profile", "new", "mine", "--workflows", "propose")

    assert world.cli("profile", "export", "p.rasenpkg", *words).code == 0

    package = json.loads(world.read("p.rasenpkg"))
    assert (package["name"], package["workflows"], package["roots"]) == (name, [], [])


@pytest.mark.requirement("PR-030", "PR-033", "WF-005")
def test_a_package_brings_its_workflows_to_another_machine(world: World) -> None:
    install(world, "team-review")
    world.cli("profile", "new", "mine", "--workflows", "propose,team-review")
    world.cli("profile", "export", "renamed.rasenpkg", "--profile", "mine")
    env = {"RASEN_HOME": str(world.base / "other-machine")}

    result = world.cli("profile", "import", "renamed.rasenpkg", "--json", env=env)

    assert result.code == 0, result.out
    assert result.json["profile"]["name"] == "mine"
    assert result.json["profile"]["workflows"] == ["propose", "team-review"]
    text = (world.base / "other-machine/profiles/mine.yaml").read_text("utf-8")
    assert "Do team-review" not in text
    again = world.cli("profile", "import", "renamed.rasenpkg", "--json", env=env)
    assert again.json["status"][0]["code"] == "already_exists"
    assert world.cli("profile", "import", "renamed.rasenpkg", "--force", env=env).code == 0
    assert world.cli("profile", "import", "renamed.rasenpkg", "--as", "b", env=env).code == 0


@pytest.mark.requirement("PR-013")
def test_a_project_cannot_be_locked_to_no_profile(world: World) -> None:
    world.workspace()

    assert world.cli("config", "set", "profile", "custom", "--scope", "project").code == 1
    assert world.cli("config", "set", "profile", "core", "--scope", "project").code == 0


@pytest.mark.requirement("PR-050", "PR-051", "PR-052", "WF-007")
def test_the_project_decides_before_the_machine(world: World) -> None:
    from rasen.profiles.model import Source
    from rasen.profiles.ops import effective
    from rasen.roots.model import Root

    world.workspace()
    root = Root(world.root, "nearest", "rasen")

    def chosen(config: str) -> tuple[str, Source, list[str]]:
        world.write("rasen/config.yaml", config)
        found = effective(world.context(), root)
        return found.name, found.source, [one.code for one in found.notices]

    world.cli("profile", "use", "core")
    assert chosen("schema: spec-driven\n") == ("core", Source.MACHINE, [])
    assert chosen("profile: full\n") == ("full", Source.PROJECT_PROFILE, [])
    told = chosen("profile: full\nworkflows: [propose]\n")
    assert told == ("custom", Source.PROJECT_WORKFLOWS, ["profile_lock_shadowed"])
    assert chosen("profile: absent\n") == ("core", Source.MACHINE, ["profile_lock_unusable"])
    saved(world, "ours", "version: 2\nworkflows: [apply]\nretention: codify\n")
    assert chosen("profile: ours\n") == ("ours", Source.PROJECT_PROFILE, [])
    saved(world, "ours", "broken")
    assert chosen("profile: ours\n")[2] == ["profile_lock_unusable"]
    found = effective(world.context(), root)
    assert found.workflows[:2] == ("propose", "explore")
    assert "retain-command" in found.workflows
    (world.config_dir / "config.json").write_text('{"profile": "gone"}', "utf-8")
    told = chosen("schema: spec-driven\n")
    assert told == ("full", Source.MACHINE, ["profile_unusable"])
    saved(world, "gone", "version: 2\nworkflows: [apply]\nretention: codify\n")
    assert chosen("schema: spec-driven\n") == ("gone", Source.MACHINE, [])
    saved(world, "gone", "broken")
    assert set(full()) <= set(effective(world.context(), root).workflows)
    result = world.cli("init", "--tools", "claude")
    assert (result.code, "the profile gone of this machine cannot be used" in result.err) == (
        0,
        True,
    )
    assert world.cli("config", "set", "profile", "gone").code == 1


@pytest.mark.requirement("PR-008")
def test_an_older_program_can_be_given_a_profile_by_hand(world: World) -> None:
    """Version 1 is version 2 without `retention`; the page says so."""
    page = (README.parent / "docs/howto/profiles.md").read_text("utf-8")

    assert "version 1" in page
    saved(world, "old", "version: 1\nworkflows: [propose, retro-command]\n")
    rows = listed(world)["profiles"]
    assert isinstance(rows, list)
    assert rows[2]["definition"]["retention"] == "report"
