"""What the author of a change saw: noted with the change, shown, recorded and moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support import crash
from tests.support.documents import fits
from tests.support.planning_texts import LOAN_PERIOD, SPEC, STUDENT_LOANS
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.planning import change_base, new_change
from rasen.planning.schemas.outputs import outputs
from rasen.roots import ops as roots
from rasen.roots.model import RootRequest

LENDING = "rasen/specs/lending/spec.md"
RECORDED = "rasen/changes/x/.base/lending/spec.md"
OLD, NEW = SPEC, SPEC.replace("21 days", "28 days") + "\n" + STUDENT_LOANS
DELTA = "## MODIFIED Requirements\n\n" + LOAN_PERIOD
PROPOSAL = """\
# Longer loans

## Why
Members ask for more time, and the desk has no answer for them today, so we lend longer.

## What Changes

- **BREAKING:** rename everything
- **desk:** add opening hours

## Capabilities

### New Capabilities

<!-- `not-this-one`: a comment -->
- `due-reminders`: mails before the due date

### Modified Capabilities

- **lending**: longer loans

```
- `nor-this`: an example
```
"""


@pytest.fixture
def project(world: World) -> World:
    """A workspace with one spec and an open change for it, without git."""
    world.workspace()
    world.write(LENDING, OLD)
    change(world)
    return world


@pytest.fixture
def repo(project: World) -> World:
    """The same, the change committed after the spec."""
    project.path("rasen/changes/x").rename(project.base / "x")
    project.git("init", "-q")
    commit(project)
    (project.base / "x").rename(project.path("rasen/changes/x"))
    commit(project)
    return project


def change(world: World, name: str = "x") -> None:
    world.write(
        f"rasen/changes/{name}/.openspec.yaml", "schema: spec-driven\ncreated: 2026-01-31\n"
    )
    world.write(f"rasen/changes/{name}/specs/lending/spec.md", DELTA)


def commit(world: World) -> str:
    world.git("add", "-A")
    world.git("commit", "-q", "--allow-empty", "-m", "x")
    return world.git("rev-parse", "HEAD").strip()


def base(world: World, *options: str, code: int = 0) -> Any:
    result = world.cli("change", "base", "x", *options, "--json")
    assert result.code == code, result.out + result.err
    return fits("change-base", result.json)


def metadata(world: World, name: str = "y") -> str:
    return world.read(f"rasen/changes/{name}/.openspec.yaml")


class TestNewChange:
    def test_the_current_commit_is_noted(self, repo: World) -> None:
        repo.cli("new", "change", "y")

        head = repo.git("rev-parse", "HEAD").strip()
        assert (
            metadata(repo) == f"schema: spec-driven\ncreated: 2026-01-31\nbase:\n  commit: {head}\n"
        )
        assert not repo.path("rasen/changes/y/.base").exists()

    def test_without_git_nothing_is_noted(self, project: World) -> None:
        project.cli("new", "change", "y")

        assert metadata(project) == "schema: spec-driven\ncreated: 2026-01-31\n"

    def test_a_repository_without_commits_has_none_to_note(self, project: World) -> None:
        project.git("init", "-q")

        project.cli("new", "change", "y")

        assert "base" not in metadata(project)

    def test_specs_that_are_not_committed_as_they_are_get_recorded(self, repo: World) -> None:
        repo.write(LENDING, NEW)
        repo.write("rasen/specs/desk/loans/spec.md", OLD)

        result = repo.cli("new", "change", "y", "--json")

        document = fits("new-change", result.json)
        assert sorted(document["recorded"]) == ["desk/loans", "lending"]
        assert repo.read("rasen/changes/y/.base/lending/spec.md") == NEW
        assert repo.read("rasen/changes/y/.base/desk/loans/spec.md") == OLD
        assert "commit:" in metadata(repo)

    def test_a_spec_deleted_since_the_commit_is_recorded_as_absent(self, repo: World) -> None:
        repo.path(LENDING).unlink()

        repo.cli("new", "change", "y")

        assert repo.path("rasen/changes/y/.base/lending/.absent").is_file()

    def test_many_uncommitted_specs_are_not_copied_and_no_commit_is_noted(
        self, repo: World
    ) -> None:
        for number in range(9):
            repo.write(f"rasen/specs/s{number}/spec.md", OLD)

        repo.cli("new", "change", "y")

        assert "base" not in metadata(repo)
        assert not repo.path("rasen/changes/y/.base").exists()

    def test_ignored_specs_are_not_what_a_commit_says(self, project: World) -> None:
        project.git("init", "-q")
        project.write(".gitignore", "/rasen/\n")
        commit(project)

        project.cli("new", "change", "y")

        assert "base" not in metadata(project)

    def test_a_root_below_the_top_of_its_repository_notes_its_commit(self, project: World) -> None:
        project.git("init", "-q", cwd=project.base)
        project.git("add", "-A", cwd=project.base)
        project.git("commit", "-qm", "x", cwd=project.base)
        project.write(LENDING, NEW)

        project.cli("new", "change", "y")

        head = project.git("rev-parse", "HEAD", cwd=project.base).strip()
        assert head in metadata(project)
        assert project.read("rasen/changes/y/.base/lending/spec.md") == NEW

    def test_named_capabilities_are_recorded_whether_they_have_a_spec_or_not(
        self, project: World
    ) -> None:
        project.write(LENDING, "\ufeff" + OLD.replace("\n", "\r\n"))

        result = project.cli("new", "change", "y", "--touches", "lending, desk/loans,lending")

        assert result.code == 0, result.err
        assert "lending, desk/loans" in result.out
        assert project.read("rasen/changes/y/.base/lending/spec.md") == project.read(LENDING)
        assert project.path("rasen/changes/y/.base/desk/loans/.absent").is_file()

    @pytest.mark.parametrize("name", ["../x", "a/../b", "/etc", ".base", "a//b", "a/.b", "a\\b"])
    def test_names_that_no_capability_has_are_refused(self, project: World, name: str) -> None:
        before = snapshot(project.root)

        result = project.cli("new", "change", "y", "--touches", name, "--json")

        assert result.error == "capability_name_invalid"
        assert snapshot(project.root) == before

    def test_blank_names_are_refused(self, project: World) -> None:
        assert project.cli("new", "change", "y", "--touches", " ", "--json").code == 1


class TestShowing:
    def test_the_base_and_what_changed_since(self, repo: World) -> None:
        first = repo.git("rev-parse", "HEAD^").strip()
        repo.write(LENDING, NEW)

        document = base(repo)

        assert document["bases"] == [
            {
                "capability": "lending",
                "source": "introduced",
                "why": f"the specs just before the delta was committed, at {first[:12]}",
                "revision": first,
                "hadSpec": True,
                "moved": [
                    {"change": "changed", "requirement": "Loan Period"},
                    {"change": "added", "requirement": "Student Loans"},
                ],
            }
        ]

    def test_an_unknown_base_says_why(self, project: World) -> None:
        (row,) = base(project)["bases"]

        assert (row["source"], row["moved"]) == ("unknown", [])
        assert row["why"] == "git has no history to tell here, or refuses to"

    def test_people_read_the_same(self, repo: World) -> None:
        repo.write(LENDING, NEW + "\n## Notes\n")

        out = repo.cli("change", "base", "x").out

        assert out.splitlines()[0] == "lending: history"
        assert "    changed: Loan Period" in out.splitlines()
        assert "    added: Student Loans" in out.splitlines()
        assert "    changed: text outside of requirements" in out.splitlines()

    def test_the_proposal_names_capabilities_too(self, project: World) -> None:
        project.write("rasen/changes/x/proposal.md", PROPOSAL)
        project.write("rasen/changes/x/.base/older/.absent", "")

        names = [row["capability"] for row in base(project)["bases"]]

        assert names == ["desk", "due-reminders", "lending", "older"]

    def test_looking_writes_nothing(self, repo: World) -> None:
        before = snapshot(repo.root)

        base(repo)

        assert snapshot(repo.root) == before

    @pytest.mark.parametrize("name", ["none", "../x", "archive"])
    def test_an_unknown_change_is_refused(self, project: World, name: str) -> None:
        result = project.cli("change", "base", name, "--json")

        assert (result.code, result.error) == (1, "change_error")

    def test_an_unreadable_record_is_shown_and_not_overwritten(self, repo: World) -> None:
        repo.write(RECORDED, b"\xff")

        (row,) = base(repo)["bases"]
        result = repo.cli("change", "base", "x", "--record", "--json")

        assert row["source"] == "unknown"
        assert result.error == "file_not_utf8"
        assert repo.path(RECORDED).read_bytes() == b"\xff"


class TestRecording:
    def test_the_best_known_base_is_recorded(self, repo: World) -> None:
        repo.write(LENDING, NEW)

        document = base(repo, "--record")

        assert document["recorded"] == [{"capability": "lending", "source": "introduced"}]
        assert repo.read(RECORDED) == OLD
        (row,) = document["bases"]
        assert (row["source"], row["path"]) == ("recorded", str(repo.path(RECORDED)))
        assert [one["requirement"] for one in row["moved"]] == ["Loan Period", "Student Loans"]

    def test_where_nothing_is_known_the_spec_as_it_is_is_recorded(self, project: World) -> None:
        assert base(project, "--record")["recorded"] == [
            {"capability": "lending", "source": "current"}
        ]
        assert project.read(RECORDED) == OLD

    def test_what_is_recorded_stays(self, project: World) -> None:
        base(project, "--record")
        project.write(LENDING, NEW)
        before = snapshot(project.root)

        assert base(project, "--record")["recorded"] == []
        assert snapshot(project.root) == before

    def test_named_capabilities_only(self, project: World) -> None:
        assert base(project, "--record", "--touches", "desk")["recorded"] == [
            {"capability": "desk", "source": "current"}
        ]
        assert not project.path(RECORDED).exists()
        assert project.path("rasen/changes/x/.base/desk/.absent").is_file()

    def test_people_read_what_was_recorded(self, project: World) -> None:
        out = project.cli("change", "base", "x", "--record").out

        assert "Recorded lending, from: the spec as it is" in out

    def test_the_two_ways_to_write_exclude_each_other(self, project: World) -> None:
        result = project.cli("change", "base", "x", "--record", "--rebase", "--json")

        assert (result.code, result.error) == (1, "usage_error")


class TestRebasing:
    def test_it_needs_a_yes_and_shows_what_there_is_to_see(self, repo: World) -> None:
        repo.write(LENDING, NEW)
        before = snapshot(repo.root)

        document = base(repo, "--rebase", code=1)

        assert document["status"][0]["code"] == "base_rebase_confirmation_required"
        changed, added = document["bases"][0]["moved"]
        assert "21 days" in changed["before"]
        assert "28 days" in changed["after"]
        assert "before" not in added
        assert snapshot(repo.root) == before

    def test_with_a_yes_the_spec_as_it_is_becomes_the_base(self, repo: World) -> None:
        repo.write(LENDING, NEW)

        document = base(repo, "--rebase", "--yes")

        assert document["recorded"] == [{"capability": "lending", "source": "current"}]
        assert document["bases"][0]["moved"] == []
        assert repo.read(RECORDED) == NEW

    def test_an_unknown_base_needs_a_yes_too(self, project: World) -> None:
        assert base(project, "--rebase", code=1)["bases"][0]["source"] == "unknown"

    def test_nothing_to_see_needs_no_yes(self, repo: World) -> None:
        assert base(repo, "--rebase")["recorded"] == [
            {"capability": "lending", "source": "current"}
        ]
        assert base(repo, "--rebase")["recorded"] == []

    def test_a_spec_that_is_gone_replaces_the_recorded_text(self, project: World) -> None:
        base(project, "--record")
        project.path(LENDING).unlink()

        base(project, "--rebase", "--yes")

        assert not project.path(RECORDED).exists()
        assert project.path("rasen/changes/x/.base/lending/.absent").is_file()

    def test_a_new_spec_replaces_the_recorded_absence(self, project: World) -> None:
        project.path(LENDING).unlink()
        base(project, "--record")
        project.write(LENDING, NEW)

        base(project, "--rebase", "--yes")

        assert project.read(RECORDED) == NEW
        assert not project.path("rasen/changes/x/.base/lending/.absent").exists()

    @pytest.mark.parametrize(("answer", "text"), [("y\n", NEW), ("n\n", None), ("\n", None)])
    def test_a_person_is_asked_after_seeing_it(
        self, repo: World, answer: str, text: str | None
    ) -> None:
        repo.write(LENDING, NEW)

        result = repo.cli("change", "base", "x", "--rebase", tty=True, input=answer)

        assert result.code == 0
        assert "-The system SHALL set the due date 21 days after checkout." in result.out
        assert "+The system SHALL set the due date 28 days after checkout." in result.out
        assert (repo.read(RECORDED) if repo.path(RECORDED).exists() else None) == text

    def test_where_nobody_can_answer_it_is_refused(self, repo: World) -> None:
        repo.write(LENDING, NEW)

        result = repo.cli("change", "base", "x", "--rebase")

        assert result.code == 1
        assert "rasen change base x --rebase --yes" in result.err
        assert not repo.path(RECORDED).exists()

    def test_a_yes_to_another_state_does_not_count(self, repo: World) -> None:
        ctx = repo.context()
        root = roots.select(ctx, RootRequest())
        seen = change_base.show(ctx, root, "x")
        repo.write(LENDING, NEW)

        with pytest.raises(change_base.RebaseNeedsConsent):
            change_base.rebase(ctx, root, "x", agreed=seen)


class TestTheFolder:
    @pytest.mark.parametrize(
        "words",
        [("status", "--change", "x"), ("show", "x"), ("instructions", "tasks", "--change", "x")],
        ids=" ".join,
    )
    def test_no_reader_sees_it(self, project: World, words: tuple[str, ...]) -> None:
        project.write("rasen/changes/x/proposal.md", PROPOSAL)
        before = project.cli(*words, "--json").out
        project.write(RECORDED, OLD)
        project.write("rasen/changes/x/.base/other/spec.md", OLD)

        assert project.cli(*words, "--json").out == before

    def test_nothing_in_it_is_validated(self, project: World) -> None:
        project.write(RECORDED, OLD)
        project.write("rasen/changes/x/.base/other/notes.md", "### Requirement: stray\n")

        document = project.cli("validate", "x", "--json").json

        assert ".base" not in str(document)

    @pytest.mark.parametrize("pattern", ["**/*.md", "*/*/spec.md", "**/spec.md"])
    def test_no_artifact_pattern_matches_it(self, project: World, pattern: str) -> None:
        project.write(RECORDED, OLD)
        folder = project.path("rasen/changes/x")

        found = [path.relative_to(folder).as_posix() for path in outputs(folder, pattern)]

        assert found == ["specs/lending/spec.md"]

    def test_archive_takes_it_along(self, repo: World) -> None:
        base(repo, "--record")

        result = repo.cli("archive", "x", "--yes", "--json")

        assert result.code == 0, result.out
        archived = Path(result.json["archive"]["path"])
        assert (archived / ".base/lending/spec.md").read_text() == OLD


@pytest.mark.parametrize("fault", ["kill", "torn", "enospc"])
def test_recording_is_all_or_nothing_wherever_it_stops(project: World, fault: str) -> None:
    def work() -> None:
        ctx = project.context()
        root = roots.select(ctx, RootRequest())
        change_base.rebase(ctx, root, "x", "lending,desk", yes=True)

    def prepare() -> None:
        for path in (RECORDED, "rasen/changes/x/.base/desk/.absent"):
            project.path(path).unlink(missing_ok=True)
        project.write("rasen/changes/x/.base/lending/.absent", "")
        project.write("rasen/changes/x/.base/desk/spec.md", NEW)

    prepare()
    before = snapshot(project.root)
    work()
    after = snapshot(project.root)
    assert after != before
    for at in crash.points(work, prepare):
        prepare()
        crash.fork(work, at=at, fault=fault)
        roots.select(project.context(), RootRequest())
        assert snapshot(project.root) in (before, after), f"at {at}"


def test_a_new_change_with_bases_is_all_or_nothing_wherever_it_stops(project: World) -> None:
    def work() -> None:
        ctx = project.context()
        root = roots.select(ctx, RootRequest())
        request = new_change.ChangeRequest("y", touches="lending,desk")
        new_change.create(ctx, root, request)

    def prepare() -> None:
        import shutil

        shutil.rmtree(project.path("rasen/changes/y"), ignore_errors=True)

    prepare()
    before = snapshot(project.root)
    work()
    after = snapshot(project.root)
    for at in crash.points(work, prepare):
        prepare()
        crash.fork(work, at=at)
        roots.select(project.context(), RootRequest())
        assert snapshot(project.root) in (before, after), f"at {at}"
