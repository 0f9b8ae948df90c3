"""How a requirement that others renamed since is found again, and what becomes of entries for it."""

from __future__ import annotations

import pytest
from tests.support.planning_texts import requirement, spec_of

from rasen.planning.changes.delta_file import Delta
from rasen.planning.merging.merge import Setting, merge
from rasen.planning.merging.model import Merged
from rasen.planning.merging.seen import Seen, likely_moved_to, moved_to, seen_of
from rasen.planning.specs.spec_file import SpecDocument

A = requirement("A", "It SHALL open at eight.", "Early")
B = requirement("B", "It MUST be free of charge.\nNobody SHALL pay.", "Free")
BASE = spec_of(A, B)


def as_named(block: str, name: str) -> str:
    return "\n".join([f"### Requirement: {name}", *block.split("\n")[1:]])


def blocks_of(*blocks: str) -> Seen:
    return seen_of(spec_of(*blocks))


def run(delta: str, spec: str) -> Merged:
    setting = Setting("x", "change", "specs/x/spec.md", seen=seen_of(BASE))
    return merge(Delta(delta), SpecDocument(spec), setting)


def modified(block: str) -> str:
    return f"## MODIFIED Requirements\n\n{block}"


def removed(name: str) -> str:
    return f"## REMOVED Requirements\n- ### Requirement: {name}\n"


def renamed(old: str, new: str) -> str:
    return (
        f"## RENAMED Requirements\n- FROM: ### Requirement: {old}\n- TO: ### Requirement: {new}\n"
    )


OLDER = A.replace("eight", "nine")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ((as_named(A, "C"), B), "C"),
        ((A, B), None),
        ((as_named(OLDER, "C"), B), None),
        ((as_named(A, "C"), as_named(A, "D"), B), None),
        ((as_named(A, "B"), as_named(B, "A")), "B"),
        ((OLDER, as_named(A, "C"), B), None),
        ((B,), None),
    ],
    ids=["renamed", "there", "changed too", "two alike", "swapped", "copied", "gone"],
)
def test_a_renamed_requirement_is_known_by_its_text(
    now: tuple[str, ...], expected: str | None
) -> None:
    assert moved_to("A", seen_of(BASE), blocks_of(*now).blocks) == expected


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ((as_named(OLDER, "C"), B), "C"),
        ((as_named(OLDER, "B"),), "B"),
        ((B,), None),
        ((requirement("C", "Something SHALL be else.", "Other"), B), None),
    ],
    ids=["changed a little", "under a former name", "gone", "another one"],
)
def test_a_renamed_and_changed_requirement_is_likely_the_one_with_most_of_the_lines(
    now: tuple[str, ...], expected: str | None
) -> None:
    longer = spec_of(A.replace("\n\n", "\nIt SHALL close at ten.\n\n", 1), B)
    now = tuple(
        one.replace("\n\n", "\nIt SHALL close at ten.\n\n", 1)
        if "eight" in one or "nine" in one
        else one
        for one in now
    )

    assert likely_moved_to("A", seen_of(longer), blocks_of(*now).blocks) == expected


def test_an_edit_follows_a_rename() -> None:
    merged = run(modified(OLDER), spec_of(as_named(A, "C"), B))

    assert merged.text == spec_of(as_named(OLDER, "C"), B)


def test_an_edit_follows_two_names_that_changed_places() -> None:
    merged = run(modified(OLDER), spec_of(as_named(A, "B"), as_named(B, "A")))

    assert merged.text == spec_of(as_named(OLDER, "B"), as_named(B, "A"))


def test_a_removal_follows_a_rename() -> None:
    assert run(removed("A"), spec_of(as_named(A, "C"), B)).text == spec_of(B)


@pytest.mark.parametrize("delta", [removed("B"), renamed("B", "D")], ids=["removed", "renamed"])
def test_what_was_renamed_and_changed_may_not_go_or_get_a_third_name_unasked(delta: str) -> None:
    merged = run(delta, spec_of(A, as_named(B.replace("Nobody", "No member"), "C")))

    assert [finding.code for finding in merged.findings] == ["merge_conflict"]
    assert merged.text is None


def test_the_same_rename_by_both_is_done_already_even_if_one_changed_the_text() -> None:
    merged = run(renamed("B", "C"), spec_of(A, as_named(B.replace("Nobody", "No member"), "C")))

    assert (merged.findings, merged.text) == ((), None)


def test_removing_what_is_gone_without_a_trace_is_told_and_does_nothing() -> None:
    merged = run(removed("B"), spec_of(A))

    assert [finding.code for finding in merged.findings] == ["merge_requirement_gone"]
