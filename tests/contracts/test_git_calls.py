"""Only `store setup` (and `store sync`, which is asked for) writes to git; nobody else goes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.fixtures import CHANGE, base_spec, change
from tests.support.store_commands import commit, metadata, planning, setup, watched_git
from tests.support.world import World

from rasen.surfaces import table

WRITERS = {"store setup", "store sync"}
"""The commands that exist to write to a repository, or to talk to a remote."""

READS = frozenset(
    [
        *("cat-file", "config", "diff-tree", "for-each-ref", "log", "ls-files", "ls-tree"),
        *("merge-base", "remote", "rev-list", "rev-parse", "show", "status", "symbolic-ref"),
        *("var", "version", "--version", "worktree", "check-ignore", "diff", "check-ref-format"),
    ]
)
"""Sub-commands of git that, with the words they are given here, change nothing and go nowhere."""
PROJECT_ID = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
_WITH_ARGUMENT = {"remote": {()}, "worktree": {("list", "--porcelain")}}
_CALLS: dict[str, tuple[str, ...]] = {
    "__complete": ("changes",),
    "archive": (CHANGE, "--yes"),
    "archive relocate": ("--to", "external", "--verify-hash"),
    "change base": (CHANGE, "--record"),
    "change lane": (CHANGE, "light"),
    "completion generate": ("bash",),
    "completion install": ("bash",),
    "completion uninstall": ("bash", "--yes"),
    "config get": ("language",),
    "config set": ("language", "en"),
    "config unset": ("language",),
    "config reset": ("--all", "--yes"),
    "context": ("--json",),
    "diff": (CHANGE,),
    "doctor": ("--fix", "--gc", "--json"),
    "explain": (CHANGE,),
    "history": ("lending",),
    "init": ("--tools", "claude,codex"),
    "instructions": ("proposal", "--change", CHANGE),
    "instructions apply": ("--change", CHANGE),
    "new change": ("another",),
    "pipeline classify": ("add a feature",),
    "pipeline show": ("small-feature",),
    "pipeline validate": ("small-feature",),
    "lock": ("library/ours",),
    "package inspect": ("mine.rasenpkg",),
    "package verify": ("mine.rasenpkg",),
    "profile delete": ("mine", "--yes"),
    "profile export": ("x.yaml",),
    "profile import": ("mine.yaml", "--as", "other"),
    "profile new": ("another", "--workflows", "propose"),
    "profile update": ("mine", "--workflows", "apply"),
    "profile use": ("core",),
    "schema fork": ("spec-driven", "mine"),
    "schema init": ("mine", "--description", "x", "--artifacts", "proposal,specs"),
    "schema validate": ("spec-driven",),
    "schema which": ("spec-driven",),
    "session check": ("--frozen", PROJECT_ID),
    "session end": ("one",),
    "show": (CHANGE,),
    "status": ("--change", CHANGE),
    "store add-project": (".", "--to", "team", "--set-primary"),
    "store adopt": (".", "--to", "team", "--verify-hash"),
    "store doctor": (),
    "store eject": ("project", "--from", "team", "--all", "--yes"),
    "store migrate-membership": ("older", "--apply"),
    "store register": ("../second", "--yes"),
    "store remove": ("third", "--yes"),
    "store unregister": ("third",),
    "store upgrade-identity": ("older", "--apply"),
    "sync": (CHANGE, "--yes"),
    "task done": (CHANGE, "1"),
    "task list": (CHANGE,),
    "task reopen": (CHANGE, "1"),
    "task start": (CHANGE, "1"),
    "undo": ("--yes",),
    "uninstall": ("--yes",),
    "validate": ("--all", "--strict"),
    "workflow delete": ("ours", "--yes"),
    "workflow diff": ("ours", "../ours"),
    "workflow export": ("ours", "ours.rasenpkg"),
    "workflow import": ("../ours",),
    "workflow init": ("another", "--output", "../another"),
    "workflow show": ("ours",),
    "workflow upgrade": ("../ours", "--yes"),
    "workflow validate": ("../ours",),
    "workflow which": ("ours",),
    "work migrate": ("--yes", "--include-tracked"),
    "workset create": ("both", "--member", ".", "--member", "../team"),
    "workset open": ("pair", "--tool", "nothing"),
    "workset remove": ("pair", "--yes"),
}
_DRAFT = ("workflow", "init", "ours", "--output", "../ours")
_INSTALLED = (_DRAFT, ("workflow", "import", "../ours"))
_PACKED = ("profile", "export", "mine.rasenpkg", "--profile", "mine")
_MINE = ("profile", "new", "mine", "--workflows", "propose")
_BEFORE: dict[str, tuple[tuple[str, ...], ...]] = {
    "completion uninstall": (("completion", "install", "bash"),),
    "lock": (("workflow", "init", "ours", "--output", "library/ours"),),
    "package inspect": (_MINE, _PACKED),
    "package verify": (_MINE, _PACKED),
    "profile delete": (_MINE,),
    "profile export": (_MINE,),
    "profile import": (_MINE, ("profile", "export", "mine.yaml")),
    "profile update": (_MINE,),
    "session end": (("session", "start", "--id", "one"),),
    "session show": (("session", "start", "--id", "one"),),
    "store eject": (("store", "adopt", ".", "--to", "team"),),
    "undo": (("archive", CHANGE, "--yes"),),
    "uninstall": (("init", "--tools", "claude"),),
    "workflow delete": _INSTALLED,
    "workflow diff": _INSTALLED,
    "workflow export": _INSTALLED,
    "workflow import": (_DRAFT,),
    "workflow show": _INSTALLED,
    "workflow upgrade": _INSTALLED,
    "workflow validate": (_DRAFT,),
    "workflow which": _INSTALLED,
    "workset open": (("workset", "create", "pair", "--member", ".", "--member", "../team"),),
    "workset remove": (("workset", "create", "pair", "--member", "."),),
}
"""What has to be done first, unwatched, for a command to have something to do."""
_ENDS_ELSEHOW = {
    "config profile",
    "lock install",
    "outdated",
    "package sign",
    "package verify",
    "profile",
    "store",
    "workset",
    "workset open",
}
"""Commands that do not end well here: mere groups, and where there is no program to start."""
_OPEN_EDITORS = {"config edit", "config ui", "config"}
ROWS = [
    row
    for row in table.OPERATIONS
    if row.name not in WRITERS | _OPEN_EDITORS and row.name not in table.GROUPS
]


def _is_harmless(words: list[str]) -> bool:
    """Whether a git call, without its global options, only looks."""
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "--version":
        option = rest.pop(0)
        if option in ("-c", "-C"):
            rest.pop(0)
    if not rest or rest[0] not in READS:
        return False
    verb, arguments = rest[0], tuple(rest[1:])
    if verb == "config":
        return arguments[:1] == ("--get",) or arguments[:1] == ("--get-all",)
    return verb not in _WITH_ARGUMENT or arguments in _WITH_ARGUMENT[verb]


@pytest.fixture
def place(world: World) -> World:
    """A project and three stores under git, all of them with a remote that could be talked to."""
    base_spec(world)
    change(world)
    world.write("rasen/config.yaml", f"schema: spec-driven\nprojectId: {PROJECT_ID}\n")
    world.write("rasen/changes/archive/2026-01-01-old/proposal.md", "# Old\n")
    world.write(f"rasen/changes/{CHANGE}/handoff.md", "x\n")
    planning(world.base / "second")
    for root in (world.root, _older(world)):
        world.git("init", "-q", cwd=root)
        commit(world, root)
    for root in (world.root, setup(world), setup(world, "third"), world.base / "older"):
        bare = world.base / f"{root.name}.git"
        world.git("init", "-q", "--bare", str(bare))
        world.git("remote", "add", "origin", str(bare), cwd=root)
        world.git("push", "-q", "-u", "origin", "HEAD", cwd=root)
    assert world.process("store", "register", "../older").code == 0
    return world


def _older(world: World) -> Path:
    """A store without an identity, with an older list of its members."""
    root = planning(world.base / "older")
    metadata(root, "version: 1\nid: older\n")
    (root / ".rasen-store" / "adoptions.yaml").write_text(
        f"adoptions:\n  - projectId: {PROJECT_ID}\n    sourcePath: /srv/x\n    specs: [lending]\n"
    )
    return root


def _references(world: World) -> list[str]:
    """Every reference and index of every repository, the remotes too."""
    roots = [path.parent for path in world.base.glob("*/.git")] + list(world.base.glob("*.git"))
    staged = [world.git("ls-files", "-s", cwd=root) for root in roots if root.suffix != ".git"]
    return staged + [world.git("for-each-ref", cwd=root) for root in roots]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_command_never_writes_to_git(place: World, row: table.Operation) -> None:
    for words in _BEFORE.get(row.name, ()):
        assert place.process(*words).code == 0
    env, log = watched_git(place)
    before = _references(place)

    if row.name == "session show":
        env["RASEN_SESSION_CONTEXT"] = str(place.data_dir / "sessions" / "one" / "context.json")

    result = place.process(*row.name.split(), *_CALLS.get(row.name, ()), env=env)

    assert result.code == 0 or row.name in _ENDS_ELSEHOW, result.out + result.err
    calls = [line.split() for line in log.read_text().splitlines()]
    assert [" ".join(words) for words in calls if not _is_harmless(words)] == []
    if row.name != "store remove":
        assert _references(place) == before


def test_the_words_are_those_of_commands() -> None:
    assert (set(_CALLS) | set(_BEFORE) | _ENDS_ELSEHOW) <= {row.name for row in ROWS}


def test_setting_up_makes_these_writes_and_no_others(place: World) -> None:
    env, log = watched_git(place)

    result = place.process("store", "setup", "new", "--path", "../new", "--json", env=env)

    assert result.code == 0
    calls = [line.split() for line in log.read_text().splitlines()]
    verbs = [words for words in calls if not _is_harmless(words)]
    assert [next(word for word in words if not word.startswith("-")) for words in verbs] == [
        "init",
        "add",
        "commit",
    ]
    assert all("--" in words for words in verbs[1:])


@pytest.mark.parametrize(
    ("call", "is_so"),
    [
        ("status --porcelain", True),
        ("-c core.fsmonitor=false --no-pager rev-parse HEAD", True),
        ("config --get remote.origin.url", True),
        ("remote", True),
        ("config user.name x", False),
        ("remote update", False),
        ("remote add x y", False),
        ("worktree add x", False),
        ("fetch origin", False),
        ("-C x push", False),
        ("add -- x", False),
        ("", False),
    ],
)
def test_the_check_tells_looking_from_writing(call: str, is_so: bool) -> None:
    assert _is_harmless(call.split()) is is_so
