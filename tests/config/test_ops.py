"""Which setting counts, and changing one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.world import World

from rasen.base.context import Note
from rasen.base.errors import ToolError
from rasen.base.messages import fill
from rasen.config import keys, ops
from rasen.config.model import Change, ProjectConfig, Setting


def write_settings(world: World, content: object) -> Path:
    path = world.config_dir / "config.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


LAYERS: dict[str, Any] = {
    "project": ProjectConfig(values={"archive": {"timing": "in-ship"}, "profile": "team"}),
    "store": ProjectConfig(
        values={"archive": {"timing": "on-merge", "destination": "prune"}, "profile": "no"}
    ),
}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("archive.timing", ("in-ship", "project")),
        ("archive.destination", ("prune", "store")),
        ("models.default", ("m", "global")),
        ("proactive", (True, "default")),
        ("profile", ("team", "project")),
        ("language", ("ja", "global")),
        ("models.roles.fixer", (None, "default")),
        ("telemetry.enabled", (False, "default")),
    ],
)
def test_the_nearest_layer_wins(world: World, key: str, expected: tuple[object, str]) -> None:
    write_settings(world, {"models": {"default": "m"}, "language": "ja", "profile": "core"})

    found = ops.effective(world.context(), key, **LAYERS)

    assert (found.value, found.source) == expected


def test_a_scope_that_may_not_hold_a_key_does_not_count(world: World) -> None:
    store = ProjectConfig(values={"profile": "theirs"})

    assert ops.effective(world.context(), "profile", store=store).source == "default"


@pytest.mark.parametrize(
    ("env", "key", "value"),
    [
        ({"RASEN_LANG": "zh-cn"}, "language", "zh-cn"),
        ({"RASEN_LANG": "JA"}, "language", "ja"),
        ({"RASEN_TELEMETRY": "0"}, "telemetry.enabled", False),
        ({"DO_NOT_TRACK": "1"}, "telemetry.enabled", False),
        ({"CI": "true"}, "telemetry.enabled", False),
    ],
)
def test_the_environment_wins_over_all(
    world: World, env: dict[str, str], key: str, value: object
) -> None:
    write_settings(world, {"language": "en", "telemetry": {"enabled": True}})
    world.env.update(env)

    assert ops.effective(world.context(), key) == Setting(key, value, "env-override")


def test_every_key_of_the_registry_is_listed(world: World) -> None:
    write_settings(world, {"featureFlags": {"b": True, "a": False}})

    found = ops.entries(world.context())

    names = [item.key for item in found]
    patterns = [key.name for key in keys.KEYS if key.name != "featureFlags.<name>"]
    assert [name for name in names if not name.startswith("featureFlags")] == patterns
    assert [name for name in names if name.startswith("featureFlags")] == [
        "featureFlags.a",
        "featureFlags.b",
    ]


def test_a_wrong_global_value_is_told_and_does_not_count(world: World) -> None:
    path = write_settings(world, {"proactive": "maybe", "repoMode": "solo", "other": {"x": 1}})
    told: list[Note] = []

    found = ops.global_config(world.context(tell=told.append))

    assert found.values == {"repoMode": "solo", "other": {"x": 1}}
    assert [fill(note.text, note.params) for note in told] == [
        f"{path}: proactive is ignored: it must be true or false"
    ]


BROKEN = '{\n  "telemetry": {"enabled": false},\n  "profile": "custom",\n}\n'


def test_a_broken_file_reads_as_its_most_private_meaning(world: World) -> None:
    path = write_settings(world, BROKEN)
    told: list[Note] = []

    found = ops.global_config(world.context(tell=told.append))

    assert found.is_broken
    assert found.values == {"telemetry": {"enabled": False}}
    assert len({fill(note.text, note.params) for note in told}) == 1
    assert f"{path}:4:1" in fill(told[0].text, {"problem": str(told[0].params["problem"])})


@pytest.mark.parametrize(
    "change",
    [
        lambda ctx: ops.set_value(ctx, Change("proactive"), False),
        lambda ctx: ops.unset(ctx, Change("proactive")),
        lambda ctx: ops.reset(ctx, is_all=True),
    ],
    ids=["set", "unset", "reset"],
)
@pytest.mark.parametrize("content", [BROKEN, "[]", "", '{"a": 1, "a": 2}', "\ufeff{}"])
def test_a_broken_file_is_never_overwritten(world: World, change: Any, content: str) -> None:
    path = write_settings(world, content)
    before = path.read_bytes()

    with pytest.raises(ToolError) as caught:
        change(world.context())

    assert caught.value.code in ("json_invalid", "config_shape_invalid")
    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir()] == ["config.json"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("false", False), ("True", "True"), ("5", 5), ("-5", -5), ("0.5", 0.5),
        ("1e3", 1000.0), ("1e999", "1e999"), ("0x1F", "0x1F"), ("", ""), ("on", "on"),
        ("[1, \"a\"]", [1, "a"]), ('{"a": 1}', {"a": 1}), ("[1", "[1"), ("{a: 1}", "{a: 1}"),
        ("null", "null"), ("1.2.3", "1.2.3"), ("NaN", "NaN"), ("９", "９"),
    ],
)  # fmt: skip
def test_typed_words_become_values(text: str, value: object) -> None:
    found = ops.coerce(text)

    assert found == value
    assert type(found) is type(value)


VALID: list[tuple[str, str, object]] = [
    ("global", "profile", "custom"),
    ("global", "workflows", ["a"]),
    ("global", "language", "zh-cn"),
    ("global", "workspace", "openspec"),
    ("global", "featureFlags.a-b_1", True),
    ("global", "proactive", False),
    ("global", "repoMode", "solo"),
    ("global", "keepalive.runtimes.codex", True),
    ("global", "keepalive.contextFloor", 0),
    ("global", "keepalive.beatSeconds", 90),
    ("global", "ui.pinnedSpaces", [1, "a"]),
    ("global", "autopilot.gates", "off"),
    ("global", "handoff.roles.planner", {"remainingTokens": 5}),
    ("project", "profile", "team"),
    ("project", "workflows", []),
    ("project", "schema", "x"),
    ("project", "archive.destination", "prune"),
    ("project", "keepalive.beatSeconds", 280),
    ("project", "models.roles.any", "m"),
    ("project", "pipelines.p.gates", "on"),
    ("project", "pipelines.p.models.s", "m"),
    ("project", "pipelines.p.handoff.s", 0.5),
    ("project", "pipelines.p.runtimes.r", "claude"),
]
INVALID: list[tuple[str, str, object, str]] = [
    ("global", "profile", "team", "config_value_invalid"),
    ("global", "language", "de", "config_value_invalid"),
    ("global", "workspace", "plans", "config_value_invalid"),
    ("global", "featureFlags.a", "yes", "config_value_invalid"),
    ("global", "keepalive.contextFloor", -1, "config_value_invalid"),
    ("global", "keepalive.contextFloor", True, "config_value_invalid"),
    ("global", "keepalive.beatSeconds", 281, "config_value_invalid"),
    ("global", "ui.pinnedSpaces", "a", "config_value_invalid"),
    ("global", "handoff.threshold", 0, "config_value_invalid"),
    ("global", "models.default", 4, "config_value_invalid"),
    ("global", "workflows", [1], "config_value_invalid"),
    ("global", "handoff.roles.boss", 0.5, "config_key_unknown"),
    ("global", "schema", "x", "config_key_scope"),
    ("global", "archive.timing", "in-ship", "config_key_scope"),
    ("global", "telemetry.anonymousId", "x", "config_key_unknown"),
    ("global", "featureFlags.__proto__", True, "config_key_unknown"),
    ("global", "featureFlags", {}, "config_key_unknown"),
    ("global", "nothing", 1, "config_key_unknown"),
    ("project", "profile", "custom", "config_value_invalid"),
    ("project", "archive.timing", "later", "config_value_invalid"),
    ("project", "proactive", True, "config_key_scope"),
    ("project", "nothing", 1, "config_key_unknown"),
]


@pytest.mark.parametrize(("scope", "key", "value"), VALID)
def test_a_setting_that_was_set_is_read_back(
    world: World, scope: str, key: str, value: object
) -> None:
    folder = world.workspace() if scope == "project" else None
    ctx = world.context()

    ops.set_value(ctx, Change(key, scope), value, folder)

    assert ops.get_value(ctx, key, folder) == value


@pytest.mark.parametrize(("scope", "key", "value", "code"), INVALID)
def test_what_cannot_be_set_leaves_the_file_alone(
    world: World, scope: str, key: str, value: object, code: str
) -> None:
    folder = world.workspace()
    machine = write_settings(world, {"repoMode": "solo"})
    before = machine.read_bytes(), (folder / "config.yaml").read_bytes()

    with pytest.raises(ToolError) as caught:
        ops.set_value(world.context(), Change(key, scope), value, folder)

    assert caught.value.code == code
    assert (machine.read_bytes(), (folder / "config.yaml").read_bytes()) == before


def test_unknown_keys_may_be_set_when_asked_for(world: World) -> None:
    ctx = world.context()

    ops.set_value(ctx, Change("tool.depth", allow_unknown=True), 3)

    assert ops.get_value(ctx, "tool.depth") == 3
    with pytest.raises(ToolError) as caught:
        ops.set_value(ctx, Change("__proto__.x", allow_unknown=True), 3)
    assert caught.value.code == "config_key_unknown"


def test_what_a_write_does_not_mean_stays(world: World) -> None:
    path = write_settings(
        world,
        '{"z": [1], "telemetry": {"anonymousId": "x"}, "delivery": "both", "profile": "core"}',
    )

    ops.set_value(world.context(), Change("proactive"), False)

    assert path.read_text() == (
        '{\n  "z": [\n    1\n  ],\n  "telemetry": {\n    "anonymousId": "x"\n  },\n'
        '  "profile": "core",\n  "proactive": false\n}\n'
    )


def test_unsetting_prunes_empty_parents(world: World) -> None:
    path = write_settings(world, {"keepalive": {"runtimes": {"codex": True}}, "z": 1})

    removed = ops.unset(world.context(), Change("keepalive.runtimes.codex"))

    assert (removed.was_set, removed.value) == (True, False)
    assert json.loads(path.read_text()) == {"z": 1}


def test_unsetting_what_was_not_set_writes_nothing(world: World) -> None:
    removed = ops.unset(world.context(), Change("proactive"))

    assert not removed.was_set
    assert not world.config_dir.exists()


def test_reports_cannot_be_switched_on(world: World) -> None:
    saved = ops.set_value(world.context(), Change("telemetry.enabled"), True)

    assert saved.note is not None
    assert not world.config_dir.exists()


def test_reset_keeps_what_is_not_ours(world: World) -> None:
    path = write_settings(world, {"profile": "core", "proactive": False, "z": 1})

    done = ops.reset(world.context(), is_all=True)

    assert (done.kept, done.has_changed) == (("z",), True)
    assert json.loads(path.read_text()) == {"z": 1}
    assert not ops.reset(world.context(), is_all=True).has_changed


def test_project_changes_keep_comments_order_and_unknown_keys(world: World) -> None:
    text = (
        "# top\r\nschema: a # why\r\n\r\nodd: {x: 1}\r\narchive:\r\n  timing: in-ship\r\n# end\r\n"
    )
    folder = world.workspace(config="")
    (folder / "config.yaml").write_bytes(text.encode())
    ctx = world.context()

    ops.set_value(ctx, Change("archive.destination", "project"), "prune", folder)
    ops.set_value(ctx, Change("schema", "project"), "b", folder)

    assert (folder / "config.yaml").read_bytes().decode() == text.replace(
        "schema: a", "schema: b"
    ).replace("in-ship\r\n", "in-ship\r\n  destination: prune\r\n")

    ops.unset(ctx, Change("archive.destination", "project"), folder)
    ops.unset(ctx, Change("archive.timing", "project"), folder)

    assert "archive" not in (folder / "config.yaml").read_text()


def test_the_short_ending_is_edited_in_its_place(world: World) -> None:
    folder = world.workspace()
    (folder / "config.yaml").rename(folder / "config.yml")

    ops.set_value(world.context(), Change("schema", "project"), "b", folder)

    assert (folder / "config.yml").read_text() == "schema: b\n"
    assert not (folder / "config.yaml").exists()


@pytest.mark.parametrize("has_folder", [True, False])
def test_a_project_file_is_never_created(world: World, *, has_folder: bool) -> None:
    folder = world.root / "rasen"
    if has_folder:
        folder.mkdir()

    with pytest.raises(ToolError) as caught:
        ops.set_value(world.context(), Change("schema", "project"), "b", folder)

    assert caught.value.code == "config_file_missing"
    assert not (folder / "config.yaml").exists()
    assert folder.exists() is has_folder


def test_a_broken_project_file_is_not_edited(world: World) -> None:
    folder = world.workspace(config="schema: [a\n")

    with pytest.raises(ToolError) as caught:
        ops.set_value(world.context(), Change("schema", "project"), "b", folder)

    assert caught.value.code == "yaml_invalid"
    assert (folder / "config.yaml").read_text() == "schema: [a\n"


OLDER = [
    pytest.param({}, "config/openspec", id="XDG_CONFIG_HOME"),
    pytest.param({"XDG_CONFIG_HOME": ""}, "home/.config/rasen", id=".config, this program"),
    pytest.param({"XDG_CONFIG_HOME": ""}, "home/.config/openspec", id=".config, the other"),
    pytest.param({"APPDATA": "{base}/roaming"}, "roaming/rasen", id="APPDATA"),
]


@pytest.mark.parametrize(("env", "folder"), OLDER)
def test_settings_of_an_older_layout_are_read_in_place_until_a_write(
    world: World, env: dict[str, str], folder: str
) -> None:
    world.env.update({name: value.format(base=world.base) for name, value in env.items()})
    old = world.base / folder / "config.json"
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_text('{"profile": "core", "odd": 1}')
    ctx = world.context()

    assert ops.get_value(ctx, "profile") == "core"
    assert not ops.machine_path(ctx).exists()

    ops.set_value(ctx, Change("proactive"), False)

    assert json.loads(ops.machine_path(ctx).read_text()) == {
        "profile": "core", "odd": 1, "proactive": False,
    }  # fmt: skip
    assert old.read_text() == '{"profile": "core", "odd": 1}'


def test_with_a_home_of_our_own_older_layouts_do_not_count(world: World) -> None:
    old = world.base / "config" / "openspec" / "config.json"
    old.parent.mkdir(parents=True)
    old.write_text('{"profile": "core"}')
    world.env["RASEN_HOME"] = str(world.base / "own")

    assert ops.get_value(world.context(), "profile") == "full"
