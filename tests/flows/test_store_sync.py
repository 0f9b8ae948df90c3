"""`rasen store sync`: two people, two machines, one remote, real git."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.desks import (
    CONFIG,
    LOAN,
    LOCK,
    META,
    NOTES,
    SPEC,
    TASKS,
    Desk,
    Desks,
    desks,
    requirement,
    spec,
)
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import Result, World

from rasen.files.lock import hold

LOAN_LONG = LOAN.replace("lend a bicycle", "lend a bicycle for a day")
BELL, LAMP = requirement("Bell", "sell bells"), requirement("Lamp", "sell lamps")


@pytest.fixture
def two(world: World) -> Desks:
    return desks(world)


def document(result: Result) -> dict[str, object]:
    found: dict[str, object] = fits("store-sync", result.json)
    return found


def state(desk: Desk) -> tuple[str, str, str, dict[str, tuple[str, int, bytes]]]:
    """Head, branch, what git sees as changed, and every file outside git's own folder."""
    return (
        desk.head,
        desk.git("symbolic-ref", "HEAD"),
        desk.git("status", "--porcelain"),
        snapshot(desk.root, without=(".git",)),
    )


def test_alike(two: Desks) -> None:
    head = two.ada.head

    result = two.ada.sync()

    assert result.code == 0
    assert document(result) == {
        "store": {"id": "team", "root": str(two.ada.root)},
        "upstream": "origin/main",
        "before": head,
        "after": head,
        "outcome": "up-to-date",
        "pulled": 0,
        "pushed": 0,
        "merged": [],
        "dry_run": False,
        "status": [],
    }


def test_only_ahead_pushes(two: Desks, world: World) -> None:
    head = two.ada.commit({SPEC: spec(LOAN_LONG, LOCK)})

    answer = document(two.ada.sync())

    assert (answer["outcome"], answer["pushed"], answer["after"]) == ("pushed", 1, head)
    assert world.git("rev-parse", "main", cwd=two.remote).strip() == head


def test_only_behind_moves_forward(two: Desks) -> None:
    head = two.ada.commit({SPEC: spec(LOAN_LONG, LOCK), NOTES: None, "rasen/new/a.md": "new\n"})
    two.ada.sync()

    answer = document(two.bea.sync())

    assert (answer["outcome"], answer["pulled"], answer["after"]) == ("fast-forwarded", 1, head)
    assert two.bea.git("status", "--porcelain") == ""
    assert two.bea.read(SPEC) == spec(LOAN_LONG, LOCK)
    assert not (two.bea.root / NOTES).exists()


def test_both_changed_the_same_spec(two: Desks) -> None:
    theirs = two.ada.commit({SPEC: spec(LOAN_LONG, LOCK, BELL)}, "Longer loans")
    two.ada.sync()
    two.bea.commit({SPEC: spec(LOAN, LAMP)}, "Lamps, and no locks")

    result = two.bea.sync()

    answer = document(result)
    assert result.code == 0
    assert (answer["outcome"], answer["pulled"], answer["pushed"]) == ("rebased", 1, 1)
    assert answer["merged"] == [{"file": SPEC, "how": "requirements"}]
    assert two.bea.read(SPEC) == spec(LOAN_LONG, BELL, LAMP)
    assert two.bea.git("rev-parse", "HEAD~1").strip() == theirs
    assert two.bea.git("log", "-1", "--format=%an %s").strip() == "bea Lamps, and no locks of bea"
    assert two.bea.git("status", "--porcelain") == ""
    assert document(two.ada.sync())["after"] == two.bea.head
    assert two.ada.read(SPEC) == two.bea.read(SPEC)


def test_tasks_records_and_other_files_go_together(two: Desks) -> None:
    two.ada.commit(
        {
            TASKS: two.ada.read(TASKS).replace("[ ] 1.1", "[x] 1.1"),
            META: two.ada.read(META) + "goal: louder\n",
            CONFIG: two.ada.read(CONFIG) + "- project:web\n",
            "README.md": "# Store\n",
            "same.md": "same\n",
        }
    )
    two.ada.sync()
    two.bea.commit(
        {
            TASKS: two.bea.read(TASKS).replace("[ ] 1.2", "[~] 1.2"),
            META: two.bea.read(META).replace("created", "skip_specs: true\ncreated"),
            CONFIG: two.bea.read(CONFIG) + "- project:app\n",
            NOTES: "## Why\n\nBells are loud.\n",
            "same.md": "same\n",
        }
    )

    answer = document(two.bea.sync())

    assert answer["merged"] == [
        {"file": META, "how": "keys"},
        {"file": TASKS, "how": "tasks"},
        {"file": CONFIG, "how": "keys"},
        {"file": "same.md", "how": "same"},
    ]
    assert two.bea.read(TASKS) == "## 1. Bells\n\n- [x] 1.1 Buy\n- [~] 1.2 Mount\n"
    assert two.bea.read(CONFIG).endswith("- docs\n- project:web\n- project:app\n")
    assert "goal: louder" in two.bea.read(META)
    assert "skip_specs: true" in two.bea.read(META)
    assert two.bea.read("README.md") == "# Store\n"
    assert two.bea.read(NOTES) == "## Why\n\nBells are loud.\n"


def test_several_commits_keep_their_order_and_one_that_is_there_already_goes(two: Desks) -> None:
    two.ada.commit({SPEC: spec(LOAN_LONG, LOCK)})
    two.ada.sync()
    two.bea.commit({SPEC: spec(LOAN_LONG, LOCK)}, "The same")
    two.bea.commit({SPEC: spec(LOAN_LONG, LOCK, BELL)}, "Bells")
    two.bea.commit({NOTES: "## Why\n\nMore.\n"}, "Notes")

    answer = document(two.bea.sync())

    assert answer["pushed"] == 2
    subjects = two.bea.git("log", "--format=%s").splitlines()
    assert subjects == ["Notes of bea", "Bells of bea", "Work of ada", "Start of ada"]


@pytest.mark.parametrize(
    ("theirs", "mine", "file", "place"),
    [
        pytest.param(
            {SPEC: spec(LOAN_LONG, LOCK)},
            {SPEC: spec(LOAN.replace("lend", "hire"), LOCK)},
            SPEC,
            "Loan: body",
            id="one sentence of a spec",
        ),
        pytest.param({NOTES: "theirs\n"}, {NOTES: "mine\n"}, NOTES, "file", id="prose"),
        pytest.param({NOTES: None}, {NOTES: "mine\n"}, NOTES, "file", id="removed and changed"),
        pytest.param({NOTES: "theirs\n"}, {NOTES: None}, NOTES, "file", id="changed and removed"),
        pytest.param({"a.bin": b"\xff1"}, {"a.bin": b"\xff2"}, "a.bin", "file", id="no text"),
        pytest.param({"a": "file\n"}, {"a/b": "inside\n"}, "a", "file", id="file and folder"),
        pytest.param(
            {META: "schema: one\n"}, {META: "schema: two\n"}, META, "schema", id="a key of a record"
        ),
    ],
)
def test_a_contradiction_changes_nothing_and_shows_both_sides(
    two: Desks, theirs: dict[str, str], mine: dict[str, str], file: str, place: str
) -> None:
    two.ada.commit(theirs)
    two.ada.sync()
    two.bea.commit({"unrelated.md": "x\n"}, "First")
    two.bea.commit(mine)
    before = state(two.bea)

    result = two.bea.sync()

    assert result.code == 1
    assert result.error == "store_sync_conflict"
    answer = document(result)
    assert (answer["before"], answer["after"], answer["pushed"]) == (before[0], before[0], 0)
    conflicts = answer["conflicts"]
    assert isinstance(conflicts, list)
    assert [(one["file"], one["place"]) for one in conflicts] == [(file, place)]
    assert state(two.bea) == before


def test_a_person_sees_all_three_texts(two: Desks) -> None:
    two.ada.commit({NOTES: "of ada\n"})
    two.ada.sync()
    two.bea.commit({NOTES: "of {bea}\n"})

    result = two.bea.cli("store", "sync", "team")

    assert result.code == 1
    assert result.out == ""
    assert "    Bells are heard." in result.err
    assert "  theirs, at the remote:\n    of ada\n  mine, here:\n    of {bea}\n" in result.err
    assert "Error: origin/main and" in result.err
    assert "Fix: bring both sides together with git" in result.err


def break_dirty(desk: Desk) -> None:
    desk.write(NOTES, "not committed\n")


def break_staged(desk: Desk) -> None:
    desk.write(NOTES, "staged\n")
    desk.git("add", "-A")


def break_untracked(desk: Desk) -> None:
    desk.write("rasen/changes/new/proposal.md", "new\n")


def break_detached(desk: Desk) -> None:
    desk.git("checkout", "-q", "--detach")


def break_no_remote(desk: Desk) -> None:
    desk.git("remote", "remove", "origin")


def break_no_upstream(desk: Desk) -> None:
    desk.git("switch", "-q", "-c", "other")


def break_unfinished(desk: Desk) -> None:
    desk.write(".git/MERGE_HEAD", desk.head + "\n")


def break_fetch(desk: Desk) -> None:
    desk.git("remote", "set-url", "origin", str(desk.root / "nowhere"))


def break_upstream(desk: Desk) -> None:
    desk.git("push", "-q", "origin", "HEAD:refs/heads/side")
    desk.git("fetch", "-q")
    desk.git("branch", "-q", "-u", "origin/side")
    desk.git("push", "-q", "origin", ":refs/heads/side")
    desk.git("update-ref", "refs/remotes/origin/side", desk.head)


def break_git_folder(desk: Desk) -> None:
    (desk.root / ".git").rename(desk.root.parent / "git")


def break_history(desk: Desk) -> None:
    desk.git("switch", "-q", "--orphan", "fresh")
    desk.commit(
        dict.fromkeys([NOTES], "fresh\n")
        | {
            ".rasen-store/store.yaml": desk.git("show", "main:.rasen-store/store.yaml"),
            CONFIG: "schema: spec-driven\n",
        }
    )
    desk.git("branch", "-q", "-u", "origin/main")


def break_unborn(desk: Desk) -> None:
    kept = {path: desk.read(path) for path in (".rasen-store/store.yaml", CONFIG)}
    desk.git("switch", "-q", "--orphan", "fresh")
    for path, text in kept.items():
        desk.write(path, text)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (break_dirty, "store_sync_dirty"),
        (break_staged, "store_sync_dirty"),
        (break_untracked, "store_sync_dirty"),
        (break_detached, "store_sync_detached_head"),
        (break_no_remote, "store_sync_no_remote"),
        (break_no_upstream, "store_sync_no_upstream"),
        (break_unfinished, "store_sync_unfinished"),
        (break_fetch, "store_sync_fetch_failed"),
        (break_upstream, "store_sync_upstream_gone"),
        (break_git_folder, "store_sync_not_repository"),
        (break_history, "store_sync_unrelated"),
        (break_unborn, "store_sync_no_commits"),
    ],
)
@pytest.mark.parametrize("form", ["json", "text"])
def test_what_stands_in_the_way_is_named_and_left_alone(
    two: Desks, spoil: Callable[[Desk], None], code: str, form: str
) -> None:
    spoil(two.bea)
    before = snapshot(two.bea.root, without=(".git",))
    status = two.bea.git("status", "--porcelain") if (two.bea.root / ".git").exists() else ""

    words = ("--json",) if form == "json" else ()
    result = two.bea.cli("store", "sync", "team", *words)

    assert result.code == 1
    if form == "json":
        document(result)
        diagnostic = result.json["status"][0]
        assert (diagnostic["code"], diagnostic["severity"]) == (code, "error")
        assert diagnostic["target"] == "store.git"
        assert diagnostic["fix"]
    else:
        assert result.out == ""
        assert "Error: " in result.err
        assert "\nFix: " in result.err
    assert snapshot(two.bea.root, without=(".git",)) == before
    if status:
        assert two.bea.git("status", "--porcelain") == status


def without_git(world: World) -> dict[str, str | None]:
    empty = world.base / "empty"
    empty.mkdir()
    return {"PATH": str(empty)}


def test_missing_git(two: Desks, world: World) -> None:
    env = {**two.bea.env, **without_git(world)}

    result = world.process("store", "sync", "team", "--json", env=env)

    assert result.error == "store_sync_git_missing"


def test_missing_identity_matters_only_where_commits_are_made(two: Desks) -> None:
    names = [f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]
    two.bea.git("config", "--remove-section", "user")
    two.bea.git("config", "user.useConfigOnly", "true")
    two.ada.commit({SPEC: spec(LOAN_LONG, LOCK)})
    two.ada.sync()
    env = {**two.bea.env, **dict.fromkeys([*names, "EMAIL"])}

    forward = two.bea.world.process("store", "sync", "team", "--json", env=env)
    two.ada.commit({SPEC: spec(LOAN_LONG, LOCK, BELL)})
    two.ada.sync()
    two.bea.commit({NOTES: "mine\n"})
    before = state(two.bea)
    both = two.bea.world.process("store", "sync", "team", "--json", env=env)

    assert forward.json["outcome"] == "fast-forwarded"
    assert both.error == "store_sync_identity_missing"
    assert state(two.bea) == before


def test_merges_of_ones_own_are_left_to_git(two: Desks) -> None:
    two.bea.git("switch", "-q", "-c", "side")
    two.bea.commit({"side.md": "x\n"})
    two.bea.git("switch", "-q", "main")
    two.bea.commit({NOTES: "mine\n"})
    two.bea.git("merge", "-q", "--no-edit", "side")
    two.ada.commit({"ada.md": "x\n"})
    two.ada.sync()

    assert two.bea.sync().error == "store_sync_merge_commits"


def test_a_rehearsal_changes_nothing_at_all(two: Desks) -> None:
    two.ada.commit({SPEC: spec(LOAN_LONG, LOCK)})
    two.ada.sync()
    two.bea.commit({SPEC: spec(LOAN, LOCK, BELL)})
    before, remote = snapshot(two.bea.root), snapshot(two.remote)

    result = two.bea.sync("--dry-run")

    answer = document(result)
    assert (answer["outcome"], answer["pulled"], answer["pushed"]) == ("rebased", 1, 1)
    assert answer["dry_run"] is True
    assert answer["merged"] == [{"file": SPEC, "how": "requirements"}]
    assert snapshot(two.bea.root) == before
    assert snapshot(two.remote) == remote


def test_a_rehearsal_shows_conflicts(two: Desks) -> None:
    two.ada.commit({NOTES: "theirs\n"})
    two.ada.sync()
    two.bea.commit({NOTES: "mine\n"})
    before = snapshot(two.bea.root)

    assert two.bea.sync("--dry-run").error == "store_sync_conflict"
    assert snapshot(two.bea.root) == before


def hook(remote: Path, name: str, script: str) -> None:
    path = remote / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)


def test_a_refused_push_keeps_what_was_pulled(two: Desks) -> None:
    theirs = two.ada.commit({SPEC: spec(LOAN_LONG, LOCK)})
    two.ada.sync()
    mine = two.bea.commit({NOTES: "mine\n"})
    hook(two.remote, "pre-receive", "echo 'not today' >&2; exit 1\n")

    result = two.bea.sync()

    answer = document(result)
    assert result.error == "store_sync_push_failed"
    assert (answer["before"], answer["pulled"], answer["pushed"]) == (mine, 1, 0)
    assert two.bea.git("rev-parse", "HEAD~1").strip() == theirs
    assert two.bea.git("status", "--porcelain") == ""
    (two.remote / "hooks/pre-receive").unlink()
    assert document(two.bea.sync())["outcome"] == "pushed"


def moving(desk: Desk, *, times: int) -> None:
    """Before each of the first pushes of `desk`, somebody else pushes another commit."""
    script = f"""
count=$(cat "{desk.root}/../pushes" 2>/dev/null || echo 0)
[ "$count" -ge {times} ] && exit 0
echo $((count + 1)) > "{desk.root}/../pushes"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
cd "{desk.root.parent.parent}/ada/team" && git pull -q --rebase && echo "$count" > "moved-$count.md" &&
git add -A && git commit -qm "Moved $count" && git push -q
"""
    hook(desk.root / ".git", "pre-push", script)


def test_a_remote_that_moves_once_is_followed(two: Desks) -> None:
    two.bea.commit({NOTES: "mine\n"})
    moving(two.bea, times=1)

    result = two.bea.sync()

    answer = document(result)
    assert result.code == 0, result.json
    assert (answer["outcome"], answer["pulled"], answer["pushed"]) == ("rebased", 1, 1)
    assert two.bea.git("log", "--format=%s").splitlines()[:2] == ["Work of bea", "Moved 0"]


def test_a_remote_that_moves_on_and_on_is_given_up(two: Desks) -> None:
    two.bea.commit({NOTES: "mine\n"})
    moving(two.bea, times=5)

    result = two.bea.sync()

    assert result.error == "store_sync_remote_moved"
    assert document(result)["pulled"] == 1
    assert two.bea.git("status", "--porcelain") == ""


def test_the_first_push_of_a_fresh_remote(two: Desks, world: World) -> None:
    fresh = world.base / "fresh.git"
    world.git("init", "-q", "--bare", str(fresh))
    two.bea.git("remote", "set-url", "origin", str(fresh))
    two.bea.git("update-ref", "-d", "refs/remotes/origin/main")

    answer = document(two.bea.sync())

    assert (answer["outcome"], answer["pushed"]) == ("pushed", 1)
    assert world.git("rev-parse", "main", cwd=fresh).strip() == two.bea.head


@pytest.mark.parametrize("words", [(), ("--json",), ("--dry-run",)])
def test_credentials_never_reach_the_output(two: Desks, words: tuple[str, ...]) -> None:
    url = "https://ada:ghp_abcdefghijklmnop1234@127.0.0.1:1/team.git"
    two.bea.git("remote", "set-url", "origin", url)

    result = two.bea.cli("store", "sync", "team", *words)

    assert result.code == 1
    assert "127.0.0.1" in result.out + result.err
    assert "config remote.origin.url https://127.0.0.1:1/team.git" in result.out + result.err
    assert "ghp_" not in result.out + result.err
    assert "ada:" not in result.out + result.err


def test_remotes_with_credentials_are_refused_before_anything_is_asked(two: Desks) -> None:
    url = "https://ada:ghp_abcdefghijklmnop1234@127.0.0.1:1/team.git"
    two.bea.git("remote", "set-url", "--push", "origin", url)
    before = two.bea.git("for-each-ref")

    result = two.bea.sync()

    assert result.error == "store_remote_credentials"
    assert two.bea.git("for-each-ref") == before


def test_nobody_is_asked_for_a_password(two: Desks, world: World) -> None:
    asked = world.base / "asked"
    asker = world.base / "asker"
    asker.write_text(f"#!/bin/sh\ntouch {asked}\necho x\n")
    asker.chmod(0o755)
    two.bea.git("remote", "set-url", "origin", "https://127.0.0.1:1/team.git")
    env = {name: str(asker) for name in ("GIT_ASKPASS", "SSH_ASKPASS")}

    result = two.bea.sync(env=env)

    assert result.error == "store_sync_fetch_failed"
    assert not asked.exists()


def test_an_edit_while_it_runs_is_not_overwritten(two: Desks) -> None:
    two.ada.commit({NOTES: "theirs\n"})
    two.ada.sync()
    upload = two.bea.root.parent / "upload"
    upload.write_text(
        f'#!/bin/sh\necho edited > "{two.bea.root / NOTES}"\nexec git-upload-pack "$@"\n'
    )
    upload.chmod(0o755)
    two.bea.git("config", "remote.origin.uploadpack", str(upload))
    head = two.bea.head

    result = two.bea.sync()

    assert result.error == "store_sync_local_moved"
    assert two.bea.read(NOTES) == "edited\n"
    assert two.bea.head == head
    assert two.bea.git("diff", "--cached", "--name-only") == ""


def test_a_linked_work_tree_is_synced_like_any_checkout(two: Desks) -> None:
    linked = two.bea.root.parent / "linked"
    two.bea.git("worktree", "add", "-q", "-b", "linked", str(linked), "--track", "origin/main")
    two.bea.git("config", "push.default", "upstream")
    desk = Desk(two.bea.world, "bea", linked, two.bea.env)
    desk.register(linked)
    two.ada.commit({SPEC: spec(LOAN_LONG, LOCK)})
    two.ada.sync()
    desk.commit({SPEC: spec(LOAN, LOCK, BELL)})
    main = state(two.bea)

    answer = document(desk.sync())

    assert answer["outcome"] == "rebased"
    assert desk.read(SPEC) == spec(LOAN_LONG, LOCK, BELL)
    assert desk.git("status", "--porcelain") == ""
    assert state(two.bea) == main


def test_modes_and_odd_names_survive(two: Desks) -> None:
    two.ada.commit({SPEC: spec(LOAN_LONG, LOCK)})
    two.ada.sync()
    tool = two.bea.write("tools/run me ünïcode.sh", "#!/bin/sh\n")
    tool.chmod(0o755)
    two.bea.commit({"-dash": "x\n"})

    assert two.bea.sync().code == 0

    assert tool.stat().st_mode & 0o111
    assert two.bea.git("status", "--porcelain") == ""
    assert two.bea.read("-dash") == "x\n"


@pytest.mark.usefixtures("impatient")
def test_two_syncs_at_once_do_not_meet(two: Desks) -> None:
    with hold(two.bea.root / ".git/rasen-sync.lock"):
        result = two.bea.sync()

    assert result.error == "store_sync_busy"
