"""Records are joined, written, read back; addresses and words are fit to be shared."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.world import World

from rasen.config.model import StorePointer
from rasen.files.errors import FileChanged
from rasen.stores import membership, records
from rasen.stores.binding import Ask, decide
from rasen.stores.commits import quoted, suggest
from rasen.stores.membership import Edit
from rasen.stores.membership_file import Adoption, Membership, Roles

UID = "00000000-0000-4000-8000-00000000000a"
OTHER = "00000000-0000-4000-8000-00000000000b"
ROLES = st.builds(Roles, st.booleans(), st.booleans())


@given(ROLES, ROLES)
def test_joining_takes_no_role_away(known: Roles, wanted: Roles) -> None:
    joined = membership.joined(Membership("app", known), Membership("app", wanted))

    assert joined.roles == Roles(
        known.planning or wanted.planning, known.knowledge or wanted.knowledge
    )
    assert membership.joined(joined, Membership("app", wanted)) == joined


def test_joining_keeps_what_is_known_and_fills_what_is_open() -> None:
    known = Membership("app", Roles(), id="mine", knowledge_bundle="b")
    adoption = Adoption(("pay",), (), "2026-01-01")

    joined = membership.joined(known, Membership("app", Roles(), "other", "r", adoption))

    assert joined == Membership("app", Roles(), "mine", "r", adoption, "b")


@pytest.mark.parametrize(
    ("remote", "is_portable"),
    [
        ("https://example.com/a.git", True),
        ("ssh://git@example.com/a", True),
        ("git@example.com:a/b.git", True),
        ("example.com:a.git", True),
        ("/srv/git/a.git", False),
        ("../a.git", False),
        ("a", False),
        ("file:///srv/a.git", False),
        ("FILE://srv/a", False),
        ("C:\\repos\\a", False),
        ("C:/repos/a", False),
        ("./a:b", False),
    ],
)
def test_an_address_of_this_machine_is_none(remote: str, *, is_portable: bool) -> None:
    assert membership.is_portable(remote) is is_portable


def test_a_record_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = records.record_path(tmp_path, "app")
    known = Membership("app", Roles(knowledge=True))
    assert membership.write_record(path, known, known=None, journal=tmp_path / ".journal") is True
    assert membership.write_record(path, known, known=known, journal=tmp_path / ".journal") is False
    theirs = path.read_bytes()

    with pytest.raises(FileChanged):
        membership.write_record(
            path,
            Membership("app", Roles(planning=True)),
            known=None,
            journal=tmp_path / ".journal",
        )

    assert path.read_bytes() == theirs
    assert records.members(tmp_path) == (known,)


def test_a_record_that_is_not_what_was_written_is_refused(tmp_path: Path) -> None:
    path = records.record_path(tmp_path, "app")
    membership.write_record(path, Membership("app"), known=None, journal=tmp_path / ".journal")

    for wanted in (Membership("app", Roles(planning=True)), None):
        with pytest.raises(membership.RecordUnverified) as refusal:
            membership.verify_record(path, wanted)
        assert refusal.value.code == "store_project_record_unverified"


def test_settings_changed_meanwhile_are_not_overwritten(world: World) -> None:
    workspace = world.workspace()
    edit = Edit.of(workspace)
    (workspace / "config.yaml").write_text("theirs: 1\n")

    with pytest.raises(FileChanged):
        membership.write_edit(edit.to("ours: 1\n"))

    assert (workspace / "config.yaml").read_text() == "theirs: 1\n"


@given(st.text(min_size=1, max_size=40).filter(lambda word: "\0" not in word))
def test_a_quoted_word_is_one_word(word: str) -> None:
    import shlex

    assert shlex.split(quoted(word)) == [word]
    assert not quoted(word).startswith("-")


def test_only_what_differs_is_suggested(world: World) -> None:
    world.git("init", "-q")
    kept, changed, gone = (world.write(name, "x") for name in ("kept", "it's", "gone"))
    world.git("add", "-A")
    world.git("commit", "-qm", "x")
    changed.write_text("y")
    gone.unlink()
    new = world.write("new dir/file", "z")
    touched = [kept, changed, gone, new.parent, world.path("never")]

    (commit,) = suggest(world.root, touched, purpose="Say; it")

    world.shell("sh", commit.command)
    assert world.git("status", "--porcelain") == ""
    assert world.git("log", "-1", "--format=%s") == "Say; it\n"
    assert "kept" not in commit.command
    assert suggest(world.root, [kept], purpose="none") == ()
    assert suggest(world.home, [kept], purpose="no repository") == ()


HERE, THERE = StorePointer(UID, "here"), StorePointer(OTHER, "there")


@pytest.mark.parametrize(
    ("current", "is_asked", "leaves", "plans_itself", "outcome"),
    [
        pytest.param(None, True, None, False, "bound", id="nowhere"),
        pytest.param(None, False, None, False, "left", id="nowhere, not asked"),
        pytest.param(HERE, True, None, False, "already", id="here"),
        pytest.param(HERE, False, None, False, "already", id="here, not asked"),
        pytest.param(StorePointer(id="here"), True, None, False, "already", id="here by name"),
        pytest.param(THERE, True, None, False, "refused", id="elsewhere"),
        pytest.param(THERE, True, "other", False, "refused", id="elsewhere, leaving a third"),
        pytest.param(THERE, True, "there", False, "bound", id="leaving by name"),
        pytest.param(THERE, True, OTHER.upper(), False, "bound", id="leaving by identity"),
        pytest.param(THERE, False, "there", False, "left", id="elsewhere, not asked"),
        pytest.param(None, True, None, True, "refused", id="in itself"),
        pytest.param(HERE, True, None, True, "refused", id="in itself, with a pointer"),
    ],
)
def test_who_may_be_bound(
    current: StorePointer | None,
    leaves: str | None,
    outcome: str,
    *,
    is_asked: bool,
    plans_itself: bool,
) -> None:
    ask = Ask(is_asked, leaves, "/app")

    found = decide(current, HERE, ask, plans_itself=plans_itself)

    assert found.is_refused is (outcome == "refused")
    assert found.is_already is (outcome == "already")
    assert found.becomes == (HERE if outcome == "bound" else None)
    assert bool(found.rebind_command) is found.is_refused
    assert (found.refusal("app") is not None) is found.is_refused
