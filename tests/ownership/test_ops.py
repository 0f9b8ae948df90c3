"""Writing generated files, and taking them away again, with the ledger in the same write."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.crash import fork, points
from tests.support.world import World

from rasen.base.errors import ToolError
from rasen.files.atomic import digest
from rasen.files.batch import recover
from rasen.files.tree import tree_digest
from rasen.ownership import ops
from rasen.ownership.ledger_file import FilesLedgerInvalid
from rasen.ownership.model import Action, Desired, Kind, Owner, Site

CLAUDE = Owner("claude", "built-in:a")
NAMES = (
    ".claude/skills/rasen-a/SKILL.md",
    ".claude/skills/rasen-a/bin/x",
    ".claude/skills/rasen-b/SKILL.md",
)
EVERY = ops.Choice(concerns=lambda _: True)


@pytest.fixture
def site(world: World) -> Site:
    world.workspace()
    return Site(world.root, world.path("rasen/.rasen-files.json"), world.path("rasen/.journal"))


def wanted(*names: str, text: str = "one\n", owner: Owner = CLAUDE) -> list[Desired]:
    return [
        Desired(name, owner, text.encode(), mode=0o700 if "/bin/" in name else None)
        for name in names or NAMES
    ]


def run(world: World, site: Site, desired: list[Desired], choice: ops.Choice = EVERY) -> ops.Plan:
    plan = ops.plan_site(site, desired, choice)
    ops.apply(world.context(), plan, purpose="test")
    return plan


def actions(plan: ops.Plan) -> dict[str, str]:
    return {step.path: step.action.value for step in plan.steps}


def test_files_come_with_their_ledger_and_go_without_a_trace(world: World, site: Site) -> None:
    before = tree_digest(world.root)

    run(world, site, wanted())

    assert world.read(NAMES[0]) == "one\n"
    assert world.path(NAMES[1]).stat().st_mode & 0o100
    ledger = json.loads(world.read("rasen/.rasen-files.json"))
    assert [row["path"] for row in ledger["files"]] == sorted(NAMES)
    assert ledger["folders"] == [".claude"]
    run(world, site, [])
    assert tree_digest(world.root) == before


def test_folders_that_were_there_stay(world: World, site: Site) -> None:
    world.path(".claude/skills").mkdir(parents=True)
    world.write(".claude/skills/theirs/SKILL.md", "mine\n")
    before = tree_digest(world.root)

    run(world, site, wanted())
    run(world, site, [])

    assert tree_digest(world.root) == before


def test_doing_it_twice_changes_nothing(world: World, site: Site) -> None:
    run(world, site, wanted())
    before = tree_digest(world.root)

    plan = ops.plan_site(site, wanted(), EVERY)

    assert set(actions(plan).values()) == {"keep"}
    assert ops.apply(world.context(), plan, purpose="test") is False
    assert tree_digest(world.root) == before


def test_a_new_version_lies_beside_an_edited_file_and_goes_when_they_agree(
    world: World, site: Site
) -> None:
    run(world, site, wanted())
    world.write(NAMES[0], "edited\n")

    plan = run(world, site, wanted(text="two\n"))

    assert actions(plan)[NAMES[0]] == "beside"
    assert world.read(NAMES[0]) == "edited\n"
    assert world.read(f"{NAMES[0]}.new") == "two\n"
    assert world.read(NAMES[2]) == "two\n"
    world.write(NAMES[0], "two\n")
    run(world, site, wanted(text="two\n"))
    assert not world.path(f"{NAMES[0]}.new").exists()


def test_a_new_version_that_was_merged_and_deleted_does_not_come_back(
    world: World, site: Site
) -> None:
    beside = world.path(f"{NAMES[0]}.new")
    run(world, site, wanted())
    world.write(NAMES[0], "edited\n")
    run(world, site, wanted(text="two\n"))
    world.write(NAMES[0], "edited\ntwo\n")
    beside.unlink()

    plan = run(world, site, wanted(text="two\n"))

    assert actions(plan)[NAMES[0]] == "keep"
    assert [one.code for one in plan.findings] == ["owned_path_edited"]
    assert not beside.exists()
    assert f"{NAMES[0]}.new" not in world.read("rasen/.rasen-files.json")
    assert actions(run(world, site, wanted(text="two\n")))[NAMES[0]] == "keep"
    assert actions(run(world, site, wanted(text="three\n")))[NAMES[0]] == "beside"
    assert beside.read_text() == "three\n"
    assert world.read(NAMES[0]) == "edited\ntwo\n"


def test_force_replaces_what_was_edited_and_nothing_foreign(world: World, site: Site) -> None:
    world.write(NAMES[2], "theirs\n")
    run(world, site, wanted())
    world.write(NAMES[0], "edited\n")

    plan = run(world, site, wanted(text="two\n"), ops.Choice(lambda _: True, is_forced=True))

    assert world.read(NAMES[0]) == "two\n"
    assert world.read(NAMES[2]) == "theirs\n"
    assert [one.code for one in plan.findings] == ["owned_path_foreign"]


def test_edited_files_stay_when_the_rest_goes(world: World, site: Site) -> None:
    run(world, site, wanted())
    world.write(NAMES[0], "edited\n")

    plan = run(world, site, [])

    assert [one.code for one in plan.findings] == ["owned_path_released"]
    assert world.read(NAMES[0]) == "edited\n"
    assert not world.path(NAMES[2]).exists()
    assert not world.path("rasen/.rasen-files.json").exists()


def test_a_file_goes_with_the_last_who_wants_it(world: World, site: Site) -> None:
    other = Owner("claude", "workflow:b")
    name = NAMES[2]
    run(world, site, [*wanted(name), *wanted(name, owner=other)])

    run(world, site, wanted(name, owner=other))
    assert world.path(name).exists()
    rows = json.loads(world.read("rasen/.rasen-files.json"))["files"]
    assert [row["owners"] for row in rows] == [[{"tool": "claude", "source": "workflow:b"}]]
    run(world, site, [])
    assert not world.path(name).exists()


def test_what_others_decide_about_is_left_alone(world: World, site: Site) -> None:
    codex = ".codex/skills/rasen-a/SKILL.md"
    run(world, site, [*wanted(), *wanted(codex, owner=Owner("codex", "built-in:a"))])

    run(world, site, [], ops.Choice(lambda owner: owner.tool == "claude"))

    assert world.path(codex).exists()
    assert not world.path(".claude").exists()


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (lambda world: world.write(NAMES[0], "theirs\n"), "owned_path_foreign"),
        (lambda world: world.write(".claude", "a file\n"), "owned_path_not_a_file"),
        (lambda world: world.write(".claude/skills/rasen-a", "a file\n"), "owned_path_not_a_file"),
        (lambda world: world.path(NAMES[0]).mkdir(parents=True), "owned_path_not_a_file"),
        (lambda world: world.write(".claude/skills/Rasen-A/x", "y"), "owned_path_case_collision"),
        (lambda world: _link(world, ".claude"), "owned_path_link"),
        (lambda world: _link(world, ".claude/skills"), "owned_path_link"),
        (lambda world: _link(world, NAMES[0]), "owned_path_link"),
    ],
)
def test_what_is_in_the_way_is_told_and_stays(
    world: World, site: Site, prepare: object, code: str
) -> None:
    assert callable(prepare)
    prepare(world)
    outside = world.base / "outside"
    before = tree_digest(outside) if outside.exists() else None

    plan = run(world, site, wanted(NAMES[0]))

    assert [one.code for one in plan.findings] == [code]
    assert actions(plan) == {NAMES[0]: "refuse"}
    assert not world.path("rasen/.rasen-files.json").exists()
    assert before is None or tree_digest(outside) == before


def _link(world: World, name: str) -> None:
    target = world.base / "outside"
    target.mkdir()
    place = world.path(name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def test_a_recorded_file_that_became_a_link_is_not_followed(world: World, site: Site) -> None:
    run(world, site, wanted())
    outside = world.base / "outside.md"
    outside.write_text("one\n", "utf-8")
    world.path(NAMES[0]).unlink()
    world.path(NAMES[0]).symlink_to(outside)

    run(world, site, [])

    assert outside.read_text("utf-8") == "one\n"
    assert world.path(NAMES[0]).is_symlink()


@pytest.mark.parametrize(
    "text",
    [
        "[]", "{", '{"version": 2, "files": [], "folders": []}', '{"version": true}', '{"version": 1}',
        '{"version": 1, "files": [{"path": "../x"}], "folders": []}',
        '{"version": 1, "files": [], "folders": ["/etc"]}',
        '{"version": 1, "version": 1, "files": [], "folders": []}',
        '{"version": 1, "files": [{"path": "x", "digest": "d", "version": "1", "owners": []}], '
        '"folders": []}',
    ],
)  # fmt: skip
def test_a_damaged_ledger_stops_everything(world: World, site: Site, text: str) -> None:
    world.write("rasen/.rasen-files.json", text)
    before = tree_digest(world.root)

    with pytest.raises(ToolError) as caught:
        run(world, site, wanted())

    assert caught.value.code in (FilesLedgerInvalid.code, "json_invalid")
    assert tree_digest(world.root) == before


def test_a_member_of_somebody_elses_file(world: World, site: Site) -> None:
    world.write(".claude/settings.json", '{\n  "model": "x"\n}\n')
    before = tree_digest(world.root)
    one = Desired(".claude/settings.json", CLAUDE, b'"1"', Kind.MEMBER, "env.TEAMS")

    run(world, site, [one, *wanted()])

    assert json.loads(world.read(".claude/settings.json")) == {"model": "x", "env": {"TEAMS": "1"}}
    assert set(actions(ops.plan_site(site, [one, *wanted()], EVERY)).values()) == {"keep"}
    run(world, site, [])
    assert tree_digest(world.root) == before


def test_a_member_in_a_file_that_is_made_for_it(world: World, site: Site) -> None:
    before = tree_digest(world.root)
    one = Desired(".claude/settings.json", CLAUDE, b'"1"', Kind.MEMBER, "env.TEAMS")

    run(world, site, [one, *wanted()])
    assert json.loads(world.read(".claude/settings.json")) == {"env": {"TEAMS": "1"}}
    run(world, site, [])

    assert tree_digest(world.root) == before


@pytest.mark.parametrize("text", ["{", "[]", "// c\n{}\n"])
def test_settings_that_cannot_be_read_are_left_alone(world: World, site: Site, text: str) -> None:
    world.write(".claude/settings.json", text)
    one = Desired(".claude/settings.json", CLAUDE, b'"1"', Kind.MEMBER, "env.TEAMS")

    plan = run(world, site, [one, *wanted()])

    assert [found.code for found in plan.findings] == ["owned_path_unreadable"]
    assert world.read(".claude/settings.json") == text
    assert world.path(NAMES[0]).exists()


@pytest.mark.parametrize("fault", ["kill", "enospc"])
def test_it_is_all_or_nothing(world: World, site: Site, fault: str) -> None:
    world.path(".claude/skills").mkdir(parents=True)
    world.write(".claude/settings.json", "{}\n")
    one = Desired(".claude/settings.json", CLAUDE, b'"1"', Kind.MEMBER, "env.TEAMS")
    start = world.base / "start"
    shutil.copytree(world.root, start)

    def prepare() -> None:
        shutil.rmtree(world.root)
        shutil.copytree(start, world.root)

    nothing = tree_digest(world.root)
    run(world, site, [one, *wanted()])
    everything = tree_digest(world.root)
    for at in points(lambda: run(world, site, [one, *wanted()]), prepare):
        prepare()
        fork(lambda: run(world, site, [one, *wanted()]), at=at, fault=fault)
        recover(site.journal, tell=lambda _: None)
        assert tree_digest(world.root) in (nothing, everything), at


def test_removal_is_all_or_nothing(world: World, site: Site) -> None:
    nothing = tree_digest(world.root)
    run(world, site, wanted())
    start = world.base / "start"
    shutil.copytree(world.root, start)
    everything = tree_digest(world.root)

    def prepare() -> None:
        shutil.rmtree(world.root)
        shutil.copytree(start, world.root)

    for at in points(lambda: run(world, site, []), prepare):
        prepare()
        fork(lambda: run(world, site, []), at=at)
        recover(site.journal, tell=lambda _: None)
        assert tree_digest(world.root) in (nothing, everything), at


def test_an_earlier_version_of_ours_is_taken_over_only_when_nothing_is_lost(
    world: World, site: Site
) -> None:
    world.write(NAMES[0], "generatedBy: 0.1\n")
    known = [Desired(NAMES[0], CLAUDE, b"new\n", is_known=True)]
    asked: list[str] = []

    def committed(path: str) -> bool:
        asked.append(path)
        return False

    choice = ops.Choice(lambda _: True, is_inherited=lambda _: True, is_committed=committed)
    plan = run(world, site, known, choice)
    assert (actions(plan)[NAMES[0]], asked) == ("beside", [NAMES[0]])
    assert world.read(f"{NAMES[0]}.new") == "new\n"

    sure = ops.Choice(lambda _: True, is_inherited=lambda _: True, is_committed=lambda _: True)
    plan = run(world, site, known, sure)
    assert plan.by(Action.TAKE_OVER)
    assert world.read(NAMES[0]) == "new\n"
    assert not world.path(f"{NAMES[0]}.new").exists()
    run(world, site, [])
    assert not world.path(".claude/skills/rasen-a").exists()


def test_paths_do_not_depend_on_where_the_project_is(
    world: World, site: Site, tmp_path: Path
) -> None:
    run(world, site, wanted())

    assert str(world.root) not in world.read("rasen/.rasen-files.json")
    moved = tmp_path / "elsewhere"
    shutil.move(world.root, moved)
    elsewhere = Site(moved, moved / "rasen/.rasen-files.json", moved / "rasen/.journal")
    plan = ops.plan_site(elsewhere, wanted(), EVERY)
    assert set(actions(plan).values()) == {"keep"}


def test_a_ledger_is_not_believed_about_places_where_we_write_nothing(
    world: World, site: Site
) -> None:
    world.write("src/main.py", "one\n")
    row = {
        "path": "src/main.py", "digest": digest(b"one\n"), "version": "0.2.0",
        "owners": [{"tool": "claude", "source": "built-in:a"}],
    }  # fmt: skip
    world.write(
        "rasen/.rasen-files.json", json.dumps({"version": 1, "files": [row], "folders": []})
    )
    narrow = site._replace(places=(".claude/skills", ".claude/settings.json"))

    plan = run(world, narrow, wanted())
    assert [(one.code, one.path) for one in plan.findings] == [
        ("owned_path_outside", "src/main.py")
    ]
    plan = run(world, narrow, [])

    assert world.read("src/main.py") == "one\n"
    assert not world.path(NAMES[0]).exists()
    assert "src/main.py" in world.read("rasen/.rasen-files.json")


SETTINGS = ".claude/settings.json"
ENV_A = Desired(SETTINGS, CLAUDE, b'"1"', Kind.MEMBER, "env.A")
ENV_B = Desired(SETTINGS, CLAUDE, b'"2"', Kind.MEMBER, "env.B")
GUIDE = Desired("AGENTS.md", CLAUDE, b"Use rasen.\n", Kind.BLOCK, "guide")
RULES = Desired("AGENTS.md", CLAUDE, b"Be brief.\n", Kind.BLOCK, "rules")


@pytest.mark.parametrize("pair", [(ENV_A, ENV_B), (GUIDE, RULES)], ids=["members", "blocks"])
@pytest.mark.parametrize("first", [0, 1, None], ids=["first", "second", "both"])
@pytest.mark.parametrize("is_there", [False, True], ids=["new", "there"])
def test_several_parts_of_one_file_come_and_go_in_any_order(
    world: World, site: Site, pair: tuple[Desired, Desired], first: int | None, is_there: bool
) -> None:
    if is_there:
        world.write(SETTINGS, '{\n  "model": "x"\n}\n')
        world.write("AGENTS.md", "Mine.\r\nNo end")
    before = tree_digest(world.root)

    run(world, site, list(pair))
    assert set(actions(ops.plan_site(site, pair, EVERY)).values()) == {"keep"}
    if first is not None:
        run(world, site, [pair[1 - first]])
        (row,) = json.loads(world.read("rasen/.rasen-files.json"))["files"]
        assert row["part"] == pair[1 - first].part
        assert set(actions(ops.plan_site(site, [pair[1 - first]], EVERY)).values()) == {"keep"}
    run(world, site, [])

    assert tree_digest(world.root) == before


def test_one_part_after_the_other_comes_and_goes(world: World, site: Site) -> None:
    before = tree_digest(world.root)

    run(world, site, [ENV_A, GUIDE])
    run(world, site, [ENV_A, ENV_B, GUIDE, RULES])
    run(world, site, [ENV_B, RULES])
    assert json.loads(world.read(SETTINGS)) == {"env": {"B": "2"}}
    run(world, site, [])

    assert tree_digest(world.root) == before


def test_a_block_is_updated_and_an_edited_one_stays(world: World, site: Site) -> None:
    world.write("AGENTS.md", "Mine.\n")
    run(world, site, [GUIDE, RULES])
    newer = [replace(one, data=b"Newer.\n") for one in (GUIDE, RULES)]
    world.write("AGENTS.md", world.read("AGENTS.md").replace("Be brief.", "Be long.") + "More.\n")

    plan = run(world, site, newer)

    text = world.read("AGENTS.md")
    assert [(one.code, one.path) for one in plan.findings] == [("owned_path_edited", "AGENTS.md")]
    assert "Newer.\n" in text
    assert "Be long.\n" in text
    assert (text.startswith("Mine.\n"), text.endswith("More.\n")) == (True, True)
    run(world, site, [])
    assert "Newer." not in world.read("AGENTS.md")
    assert "Be long.\n" in world.read("AGENTS.md")


def test_a_block_in_a_file_with_other_line_ends_is_as_we_wrote_it(world: World, site: Site) -> None:
    world.write("AGENTS.md", "Mine.\r\n")
    run(world, site, [GUIDE])

    plan = ops.plan_site(site, [GUIDE], EVERY)

    assert (actions(plan), plan.findings) == ({"AGENTS.md": "keep"}, [])


def test_broken_markers_are_told_and_left(world: World, site: Site) -> None:
    text = "<!-- rasen:start guide -->\nMine.\n"
    world.write("AGENTS.md", text)

    plan = run(world, site, [GUIDE, *wanted()])

    assert [found.code for found in plan.findings] == ["owned_path_unreadable"]
    assert world.read("AGENTS.md") == text
    assert world.path(NAMES[0]).exists()


def test_a_part_that_somebody_changed_since_the_plan_is_not_overwritten(
    world: World, site: Site
) -> None:
    world.write(SETTINGS, '{"model": "x"}\n')
    plan = ops.plan_site(site, [ENV_A], EVERY)
    world.write(SETTINGS, '{"env": {"A": "mine"}}\n')

    with pytest.raises(ToolError) as caught:
        ops.apply(world.context(), plan, purpose="test")

    assert caught.value.code == "file_changed"
    assert world.read(SETTINGS) == '{"env": {"A": "mine"}}\n'
    assert not world.path("rasen/.rasen-files.json").exists()
