"""What may be done with a place: every combination of wanted, recorded and there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.files.atomic import ABSENT, digest
from rasen.ownership import model
from rasen.ownership.disk import other_ends
from rasen.ownership.model import Action, Actual, Desired, Kind, Owner, Row, Step
from rasen.ownership.plan import combined, decide

ME, OTHER = Owner("claude", "built-in:a"), Owner("codex", "built-in:a")
OLD, NEW, THEIRS = b"old\n", b"new\n", b"theirs\n"


def desired(data: bytes = NEW, *, is_known: bool = True) -> Desired:
    return Desired("x/SKILL.md", ME, data, is_known=is_known)


def row(data: bytes = OLD) -> Row:
    return Row("x/SKILL.md", digest(data), (OTHER,), "0.1.0")


def there(data: bytes | None, **more: object) -> Actual:
    if data is None:
        return Actual(ABSENT)
    return Actual(digest(data), other_ends(data), **more)  # type: ignore[arg-type]


def with_lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def code(step: Step) -> str | None:
    return step.finding.code if step.finding else None


@pytest.mark.parametrize(
    ("wanted", "recorded", "actual", "forced", "action", "told"),
    [
        (NEW, None, there(None), False, Action.CREATE, None),
        (NEW, None, there(THEIRS), False, Action.REFUSE, model.FOREIGN),
        (NEW, None, there(THEIRS), True, Action.REFUSE, model.FOREIGN),
        (NEW, None, there(NEW), True, Action.REFUSE, model.FOREIGN),
        (NEW, None, there(THEIRS, is_inherited=True), False, Action.BESIDE, model.INHERITED),
        (NEW, None, there(THEIRS, is_inherited=True), True, Action.BESIDE, model.INHERITED),
        (NEW, None, there(THEIRS, is_inherited=True, is_committed=True), False, Action.TAKE_OVER,
         None),
        (NEW, None, there(NEW, is_inherited=True), False, Action.TAKE_OVER, None),
        (NEW, OLD, there(None), False, Action.CREATE, None),
        (NEW, OLD, there(OLD), False, Action.UPDATE, None),
        (NEW, OLD, there(NEW), False, Action.KEEP, None),
        (NEW, NEW, there(NEW), False, Action.KEEP, None),
        (NEW, OLD, there(THEIRS), False, Action.BESIDE, model.EDITED_BESIDE),
        (NEW, OLD, there(THEIRS), True, Action.UPDATE, None),
        (NEW, NEW, there(THEIRS), False, Action.KEEP, model.EDITED),
        (NEW, NEW, there(THEIRS), True, Action.UPDATE, None),
        (NEW, NEW, there(b"new\r\n"), False, Action.KEEP, model.LINE_ENDINGS),
        (b"new\r\n", b"new\r\n", there(NEW), False, Action.KEEP, model.LINE_ENDINGS),
        (NEW, OLD, there(b"old\r\n"), False, Action.UPDATE, None),
        (NEW, b"old\r\n", there(OLD), False, Action.UPDATE, None),
        (b"\0\r\n", b"\0\r\n", there(b"\0\n"), False, Action.KEEP, model.EDITED),
        (b"\0\n", b"\0\n", there(b"\0\r\n"), False, Action.KEEP, model.EDITED),
        (None, OLD, there(None), False, Action.FORGET, None),
        (None, OLD, there(OLD), False, Action.REMOVE, None),
        (None, OLD, there(b"old\r\n"), False, Action.REMOVE, None),
        (None, b"old\r\n", there(OLD), False, Action.REMOVE, None),
        (None, OLD, there(THEIRS), False, Action.RELEASE, model.RELEASED),
        (None, OLD, there(THEIRS), True, Action.RELEASE, model.RELEASED),
        (NEW, None, Actual(ABSENT, blocked=model.LINK), True, Action.REFUSE, model.LINK),
        (NEW, OLD, Actual(ABSENT, blocked=model.LINK), True, Action.REFUSE, model.LINK),
        (None, OLD, Actual(ABSENT, blocked=model.LINK), True, Action.RELEASE,
         model.RELEASED_BLOCKED),
        (None, OLD, Actual(ABSENT, blocked=model.NOT_WRITABLE), True, Action.FORGET, None),
        (None, OLD, Actual(ABSENT, blocked=model.UNREADABLE), True, Action.REFUSE,
         model.UNREADABLE),
    ],
)  # fmt: skip
def test_the_decision(
    wanted: bytes | None,
    recorded: bytes | None,
    actual: Actual,
    forced: bool,
    action: Action,
    told: model.Rule | None,
) -> None:
    step = decide(
        None if wanted is None else desired(wanted),
        None if recorded is None else row(recorded),
        actual,
        version="0.2.0",
        is_forced=forced,
    )

    assert (step.action, code(step)) == (action, told.code if told else None)


def test_adopting_takes_what_an_earlier_version_made() -> None:
    step = decide(desired(), None, there(THEIRS, is_inherited=True), version="0.2.0", adopts=True)

    assert step.action is Action.TAKE_OVER
    assert step.row == Row("x/SKILL.md", digest(NEW), (ME,), "0.2.0")


def test_adopting_never_takes_what_is_somebody_elses() -> None:
    assert decide(desired(), None, there(THEIRS), version="1", adopts=True).action is Action.REFUSE


def test_all_who_want_a_file_are_recorded() -> None:
    step = decide(desired(), row(NEW), there(NEW), version="0.2.0")

    assert step.row is not None
    assert step.row.owners == (ME, OTHER)
    assert step.row.version == "0.1.0"


def test_fields_of_a_newer_program_are_kept() -> None:
    recorded = Row("x/SKILL.md", digest(OLD), (ME,), "0.1.0", extra={"later": 1})

    step = decide(desired(), recorded, there(THEIRS), version="0.2.0")

    assert step.row is not None
    assert step.row.extra == {"later": 1}


TEXTS = st.sampled_from([OLD, NEW, THEIRS, b"old\r\n", b"new\r\n"])


@given(
    wanted=st.none() | TEXTS,
    recorded=st.none() | TEXTS,
    actual=st.none() | TEXTS,
    is_inherited=st.booleans(),
    is_committed=st.booleans(),
    forced=st.booleans(),
)
def test_nothing_of_anybody_elses_is_ever_lost(
    wanted: bytes | None,
    recorded: bytes | None,
    actual: bytes | None,
    is_inherited: bool,
    is_committed: bool,
    forced: bool,
) -> None:
    if wanted is None and recorded is None:
        return
    found = there(actual)._replace(is_inherited=is_inherited, is_committed=is_committed)
    step = decide(
        None if wanted is None else desired(wanted),
        None if recorded is None else row(recorded),
        found,
        version="0.2.0",
        is_forced=forced,
    )
    is_written = step.action in (Action.CREATE, Action.UPDATE, Action.TAKE_OVER, Action.REMOVE)
    if actual is None or not is_written or actual == wanted:
        return
    is_as_recorded = recorded is not None and with_lf(recorded) == with_lf(actual)
    is_asked_for = forced and recorded is not None and wanted is not None
    is_safe_in_git = recorded is None and is_inherited and is_committed
    is_ending = wanted is not None and with_lf(actual) == with_lf(wanted)
    assert is_as_recorded or is_asked_for or is_safe_in_git or is_ending


def test_two_who_want_the_same_share_it() -> None:
    twice = [desired(), Desired("x/SKILL.md", OTHER, NEW)]

    found, refused = combined(twice)

    assert refused == []
    assert found["x/SKILL.md", ""] == twice


def test_two_who_want_different_things_cannot_both_have_it() -> None:
    _, refused = combined([desired(), Desired("x/SKILL.md", Owner("claude", "workflow:b"), OLD)])

    assert [code(step) for step in refused] == ["owned_path_conflict"]
    assert "built-in:a" in str(refused[0].finding)
    assert "workflow:b" in str(refused[0].finding)


def test_names_that_differ_by_case_alone_are_refused() -> None:
    _, refused = combined([desired(), Desired("X/skill.md", ME, NEW)])

    assert [code(step) for step in refused] == ["owned_path_case_collision"]


def test_an_edited_member_is_told_and_has_no_twin() -> None:
    wanted = Desired("s.json", ME, b'"1"', Kind.MEMBER, "env.X")
    recorded = Row("s.json", digest(b'"0"'), (ME,), "0.1.0", Kind.MEMBER, "env.X")

    step = decide(wanted, recorded, Actual(digest(b'"2"')), version="0.2.0")

    assert (step.action, code(step)) == (Action.KEEP, "owned_path_edited")
