"""Where the base of a change is found, in real repositories of every shape."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.planning_texts import DELTA, SPEC
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.planning.bases import model
from rasen.planning.bases.find import BaseFinder, subject
from rasen.planning.bases.former import Replaced
from rasen.planning.bases.model import Base, Source
from rasen.roots.model import SOURCE_NEAREST, Root

OLD, NEW, NEWER = SPEC, SPEC.replace("21 days", "28 days"), SPEC.replace("21 days", "35 days")
LENDING = "rasen/specs/lending/spec.md"
DELTA_FILE = "rasen/changes/x/specs/lending/spec.md"


@dataclass(frozen=True)
class Told:
    """Journals as given."""

    all: tuple[Replaced, ...]

    def replaced(self) -> Iterable[Replaced]:
        return self.all


@pytest.fixture
def repo(world: World) -> World:
    """A repository with a workspace that has one spec, committed."""
    world.git("init", "-q")
    world.workspace()
    world.write(LENDING, OLD)
    commit(world)
    return world


def commit(world: World, cwd: Path | None = None) -> str:
    world.git("add", "-A", cwd=cwd)
    world.git("commit", "-q", "--allow-empty", "-m", "x", cwd=cwd)
    return head(world, cwd)


def head(world: World, cwd: Path | None = None) -> str:
    return world.git("rev-parse", "HEAD", cwd=cwd).strip()


def change(world: World, *, commit: str | None = None, at: Path | None = None) -> None:
    base = f"base:\n  commit: {commit}\n" if commit else ""
    folder = (at or world.root) / "rasen/changes/x"
    (folder / "specs/lending").mkdir(parents=True, exist_ok=True)
    (folder / ".openspec.yaml").write_text(f"schema: spec-driven\ncreated: 2026-01-31\n{base}")
    (folder / "specs/lending/spec.md").write_text(DELTA)


def base(world: World, *journals: Replaced, root: Path | None = None, of: str = "lending") -> Base:
    place = (root or world.root).resolve()
    finder = BaseFinder(Root(place, SOURCE_NEAREST, "rasen"), Told(journals))
    return finder.of(place / "rasen/changes/x", of)


def known(found: Base) -> tuple[Source, str | None, str | None]:
    return found.source, found.text, found.revision


def test_a_recorded_text_wins_over_everything(repo: World) -> None:
    change(repo, commit=head(repo))
    repo.write("rasen/changes/x/.base/lending/spec.md", NEW)

    assert known(base(repo)) == (Source.RECORDED, NEW, None)


def test_a_recorded_absence_says_that_there_was_no_spec(repo: World) -> None:
    change(repo, commit=head(repo))
    repo.write("rasen/changes/x/.base/lending/.absent", "")

    assert known(base(repo)) == (Source.RECORDED, None, None)


def test_a_record_of_another_capability_says_nothing(world: World) -> None:
    world.workspace()
    change(world)
    world.write("rasen/changes/x/.base/desk/spec.md", OLD)

    assert base(world).source is Source.UNKNOWN


@pytest.mark.parametrize("content", [b"\xff\xfe", None], ids=["not-utf8", "link-outside"])
def test_an_unreadable_record_is_a_problem_and_no_lesser_source_is_taken(
    repo: World, content: bytes | None
) -> None:
    change(repo, commit=head(repo))
    place = repo.path("rasen/changes/x/.base/lending/spec.md")
    place.parent.mkdir(parents=True)
    if content is None:
        outside = repo.base / "outside.md"
        outside.write_text(OLD)
        place.symlink_to(outside)
    else:
        place.write_bytes(content)

    found = base(repo)

    assert (found.source, found.why) == (Source.UNKNOWN, model.RECORD_UNREADABLE)
    assert found.problem is not None


def test_the_commit_that_the_change_names_is_its_base(repo: World) -> None:
    first = head(repo)
    repo.write(LENDING, NEW)
    commit(repo)
    change(repo, commit=first)
    repo.write(LENDING, NEWER)
    commit(repo)

    assert known(base(repo)) == (Source.COMMIT, OLD, first)


def test_a_short_commit_id_is_completed(repo: World) -> None:
    first = head(repo)
    change(repo, commit=first[:9])

    assert known(base(repo)) == (Source.COMMIT, OLD, first)


def test_a_spec_that_the_named_commit_lacks_did_not_exist(repo: World) -> None:
    first = head(repo)
    change(repo, commit=first)
    repo.write("rasen/specs/desk/spec.md", OLD)
    commit(repo)

    assert known(base(repo, of="desk")) == (Source.COMMIT, None, first)


def test_a_named_commit_without_any_specs_says_nothing(world: World) -> None:
    world.git("init", "-q")
    world.write("README", "x")
    first = commit(world)
    world.workspace()
    world.write(LENDING, OLD)
    change(world, commit=first)
    second = commit(world)

    found = base(world)

    assert known(found) == (Source.INTRODUCED, OLD, second)
    assert found.passed == (model.COMMIT_WITHOUT_SPECS,)


def test_a_named_commit_that_is_not_here_is_passed_over(repo: World) -> None:
    first = head(repo)
    change(repo, commit="d" * 40)
    commit(repo)

    found = base(repo)

    assert known(found) == (Source.INTRODUCED, OLD, first)
    assert found.passed == (model.COMMIT_NOT_HERE,)


def test_the_base_of_a_committed_delta_is_what_was_there_before_it(repo: World) -> None:
    repo.write(LENDING, NEW)
    before = commit(repo)
    change(repo)
    commit(repo)
    repo.write(LENDING, NEWER)
    commit(repo)

    assert known(base(repo)) == (Source.INTRODUCED, NEW, before)


def test_a_spec_changed_in_the_commit_of_the_delta_is_taken_as_it_was_before(repo: World) -> None:
    before = head(repo)
    change(repo)
    repo.write(LENDING, NEW)
    commit(repo)

    assert known(base(repo)) == (Source.INTRODUCED, OLD, before)


def test_a_workspace_committed_in_one_go_takes_the_specs_of_that_commit(world: World) -> None:
    world.git("init", "-q")
    world.workspace()
    world.write(LENDING, OLD)
    change(world)
    only = commit(world)
    world.write(LENDING, NEW)
    commit(world)

    assert known(base(world)) == (Source.INTRODUCED, OLD, only)


def test_a_capability_that_is_new_with_the_delta_had_no_spec(repo: World) -> None:
    repo.write("rasen/changes/x/specs/desk/spec.md", DELTA)
    added = commit(repo)
    repo.write("rasen/specs/desk/spec.md", OLD)
    commit(repo)

    assert known(base(repo, of="desk")) == (Source.INTRODUCED, None, added)


def test_an_edit_of_the_delta_does_not_move_its_base(repo: World) -> None:
    before = head(repo)
    change(repo)
    commit(repo)
    repo.write(LENDING, NEW)
    commit(repo)
    repo.write(DELTA_FILE, DELTA + "\n")
    commit(repo)

    assert known(base(repo)) == (Source.INTRODUCED, OLD, before)


def test_a_delta_taken_out_and_put_back_keeps_its_first_base(repo: World) -> None:
    before = head(repo)
    change(repo)
    commit(repo)
    repo.git("revert", "--no-edit", "HEAD")
    repo.write(LENDING, NEW)
    commit(repo)
    change(repo)
    commit(repo)

    assert known(base(repo)) == (Source.INTRODUCED, OLD, before)


def test_a_new_change_with_an_archived_one_s_name_begins_anew(repo: World) -> None:
    change(repo)
    commit(repo)
    shutil.move(repo.path("rasen/changes/x"), repo.path("rasen/changes/archive/2026-01-31-x"))
    repo.write(LENDING, NEW)
    archived = commit(repo)
    change(repo)
    commit(repo)

    assert known(base(repo)) == (Source.INTRODUCED, NEW, archived)


def test_a_reopened_change_keeps_its_first_base(repo: World) -> None:
    before = head(repo)
    change(repo)
    commit(repo)
    places = repo.path("rasen/changes/x"), repo.path("rasen/changes/archive/2026-01-31-x")
    shutil.move(*places)
    commit(repo)
    shutil.move(*reversed(places))
    repo.write(LENDING, NEW)
    commit(repo)

    assert known(base(repo)) == (Source.INTRODUCED, OLD, before)


def test_an_uncommitted_delta_is_based_on_the_current_commit(repo: World) -> None:
    change(repo)
    repo.write(LENDING, NEW)

    found = base(repo)

    assert known(found) == (Source.INTRODUCED, OLD, head(repo))
    assert found.why == model.DELTA_UNCOMMITTED


def test_nothing_is_known_where_neither_delta_nor_spec_is_committed(repo: World) -> None:
    repo.write(".gitignore", "/rasen\n")
    repo.git("rm", "-rq", "--cached", "rasen")
    commit(repo)
    change(repo)

    found = base(repo)

    assert (found.source, found.why) == (Source.UNKNOWN, model.SPEC_UNTRACKED)


def test_a_repository_without_commits_says_nothing(world: World) -> None:
    world.git("init", "-q")
    world.workspace()
    world.write(LENDING, OLD)
    change(world)

    assert base(world).source is Source.UNKNOWN


def test_without_git_nothing_is_known(world: World) -> None:
    world.workspace()
    world.write(LENDING, OLD)
    change(world, commit="d" * 40)

    found = base(world)

    assert (found.source, found.why) == (Source.UNKNOWN, model.NO_GIT)


def test_a_linked_work_tree_and_a_detached_head_are_asked_alike(repo: World) -> None:
    first = head(repo)
    tree = repo.base / "tree"
    repo.git("worktree", "add", "-q", "--detach", str(tree))
    change(repo, at=tree)
    commit(repo, tree)
    (tree / LENDING).write_text(NEW)
    commit(repo, tree)

    assert known(base(repo, root=tree)) == (Source.INTRODUCED, OLD, first)


def test_a_root_below_the_top_of_its_repository_finds_its_own_files(world: World) -> None:
    world.git("init", "-q", cwd=world.base)
    world.workspace()
    world.write(LENDING, OLD)
    (world.base / "rasen/specs/lending").mkdir(parents=True)
    (world.base / LENDING).write_text(NEWER)
    before = commit(world, world.base)
    change(world)
    commit(world, world.base)

    assert known(base(world)) == (Source.INTRODUCED, OLD, before)


def test_a_shallow_clone_knows_nothing_of_what_came_before_its_end(repo: World) -> None:
    change(repo)
    commit(repo)
    repo.write(LENDING, NEW)
    commit(repo)
    clone = repo.base / "clone"
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(clone))

    found = base(repo, root=clone)

    assert (found.source, found.why) == (Source.UNKNOWN, model.SHALLOW)


def test_a_shallow_clone_knows_what_came_within_it(repo: World) -> None:
    repo.write(LENDING, NEW)
    before = commit(repo)
    change(repo)
    commit(repo)
    clone = repo.base / "clone"
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.root}", str(clone))

    assert known(base(repo, root=clone)) == (Source.INTRODUCED, NEW, before)


def test_a_partial_clone_does_not_take_a_file_it_lacks_for_absent(repo: World) -> None:
    first = head(repo)
    repo.write(LENDING, NEW)
    change(repo, commit=first)
    commit(repo)
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = repo.base / "clone"
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.root}", str(clone))

    found = base(repo, root=clone)

    assert found.source is Source.UNKNOWN
    assert model.OBJECT_NOT_HERE in (found.why, *found.passed)


def test_a_moved_workspace_begins_with_the_move(repo: World) -> None:
    change(repo)
    commit(repo)
    repo.git("mv", "rasen", "elsewhere")
    commit(repo)
    repo.path("elsewhere").rename(repo.path("moved"))
    shutil.copytree(repo.path("moved"), repo.path("sub/rasen"))
    (repo.root / "sub" / LENDING).write_text(NEW)
    moved = commit(repo)

    assert known(base(repo, root=repo.path("sub"))) == (Source.INTRODUCED, NEW, moved)


def test_names_beyond_ascii_are_found(repo: World) -> None:
    repo.write("rasen/specs/借 书/spec.md", OLD)
    before = commit(repo)
    repo.write("rasen/changes/x/specs/借 书/spec.md", DELTA)
    commit(repo)

    assert known(base(repo, of="借 书")) == (Source.INTRODUCED, OLD, before)


def test_settings_of_the_user_do_not_change_the_answer(repo: World) -> None:
    for name, value in {
        "log.showRoot": "false", "log.follow": "true", "diff.renames": "copies",
        "core.quotepath": "true", "diff.noprefix": "true", "log.decorate": "full",
    }.items():  # fmt: skip
        repo.git("config", name, value)
    before = head(repo)
    change(repo)
    commit(repo)

    assert known(base(repo)) == (Source.INTRODUCED, OLD, before)


def test_journals_are_asked_where_git_cannot_tell(world: World) -> None:
    world.workspace()
    change(world)
    world.write(LENDING, NEW)
    journal = Replaced("2026-03-01T10:00:00.000Z", {"lending": OLD})

    assert known(base(world, journal)) == (Source.JOURNAL, OLD, None)


def test_older_journals_prove_that_the_current_spec_is_the_base(world: World) -> None:
    world.workspace()
    change(world)
    world.write(LENDING, NEW)
    journal = Replaced("2026-01-01T10:00:00.000Z", {"lending": OLD})

    found = base(world, journal)

    assert known(found) == (Source.JOURNAL, NEW, None)
    assert found.why == model.NEVER_REPLACED


def test_journals_are_better_than_the_current_commit_for_an_uncommitted_delta(repo: World) -> None:
    change(repo)
    journal = Replaced("2026-03-01T10:00:00.000Z", {"lending": NEWER})

    assert known(base(repo, journal)) == (Source.JOURNAL, NEWER, None)


def test_finding_writes_nothing(repo: World) -> None:
    change(repo)
    commit(repo)
    before = snapshot(repo.root)

    base(repo)

    assert snapshot(repo.root) == before


def test_without_a_git_program_nothing_is_known(
    repo: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(repo)
    commit(repo)
    monkeypatch.setenv("PATH", os.devnull)

    assert base(repo).source is Source.UNKNOWN


def test_subjects_without_metadata_have_their_deltas(world: World) -> None:
    world.workspace()
    world.write(DELTA_FILE, DELTA)
    world.write("rasen/changes/x/.openspec.yaml", "base: 7\n")

    found = subject(world.path("rasen/changes/x"), more=["desk"])

    assert dict(found.files) == {"desk": None, "lending": "lending/spec.md"}
    assert found.commit is None


def archived(at: str, before: str) -> Replaced:
    return Replaced(at, {"lending": before})


def test_a_delta_rebased_onto_an_archive_has_the_text_before_it(repo: World) -> None:
    repo.write(LENDING, NEW)
    commit(repo)
    change(repo, commit="a" * 40)
    commit(repo)
    found = base(repo, archived("2026-01-31T10:00:00+00:00", OLD))
    assert known(found) == (Source.JOURNAL, OLD, None)
    assert found.passed == (model.COMMIT_NOT_HERE,)


def test_a_rebased_delta_not_committed_yet_has_the_text_before_the_archive(repo: World) -> None:
    repo.write(LENDING, NEW)
    commit(repo)
    change(repo, commit="a" * 40)
    assert known(base(repo, archived("2026-02-01T10:00:00+00:00", OLD)))[1] == OLD


def test_a_lost_commit_leaves_history_alone_that_is_older_than_the_archive(repo: World) -> None:
    change(repo, commit="a" * 40)
    commit(repo)
    repo.write(LENDING, NEWER)
    found = base(repo, archived("2026-02-02T10:00:00+00:00", NEW))
    assert (found.source, found.text) == (Source.INTRODUCED, OLD)


def test_a_cut_off_history_leaves_the_text_before_an_archive_of_that_day(repo: World) -> None:
    change(repo, commit="a" * 40)
    commit(repo)
    repo.write(LENDING, NEW)
    commit(repo)
    place = repo.root.parent / "shallow"
    repo.git("clone", "-q", "--depth", "1", repo.root.as_uri(), str(place))
    found = base(repo, archived("2026-01-31T10:00:00+00:00", OLD), root=place)
    assert known(found) == (Source.JOURNAL, OLD, None)
