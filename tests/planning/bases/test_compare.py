"""What differs between two texts of a spec."""

from __future__ import annotations

import pytest
from tests.support.planning_texts import LOAN_PERIOD, RENEWALS, SPEC, STUDENT_LOANS, spec_of

from rasen.planning.bases.compare import differences

LONGER = LOAN_PERIOD.replace("21 days", "28 days")


def named(before: str | None, after: str | None) -> list[tuple[str | None, str]]:
    return [(one.requirement, one.change) for one in differences(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (SPEC, SPEC, []),
        (None, None, []),
        (SPEC, SPEC.replace("\n", "\r\n"), []),
        (SPEC, "\ufeff" + SPEC, []),
        (SPEC, SPEC.rstrip("\n"), []),
        (spec_of(LOAN_PERIOD), spec_of(LONGER), [("Loan Period", "changed")]),
        (spec_of(LOAN_PERIOD), spec_of(LOAN_PERIOD, RENEWALS), [("Renewals", "added")]),
        (spec_of(LOAN_PERIOD, RENEWALS), spec_of(RENEWALS), [("Loan Period", "removed")]),
        (spec_of(LOAN_PERIOD, RENEWALS), spec_of(RENEWALS, LOAN_PERIOD), []),
        (spec_of(RENEWALS), spec_of(RENEWALS, purpose="Another."), [(None, "changed")]),
        (None, spec_of(STUDENT_LOANS), [(None, "added"), ("Student Loans", "added")]),
        (spec_of(STUDENT_LOANS), None, [(None, "removed"), ("Student Loans", "removed")]),
    ],
    ids=[
        "same",
        "never-there",
        "line-endings",
        "byte-order-mark",
        "final-newline",
        "changed",
        "added",
        "removed",
        "order",
        "purpose",
        "new-spec",
        "spec-gone",
    ],
)
def test_differences_are_named(
    before: str | None, after: str | None, told: list[tuple[str | None, str]]
) -> None:
    assert named(before, after) == told


def test_a_change_shows_both_texts() -> None:
    (one,) = differences(spec_of(LOAN_PERIOD), spec_of(LONGER))

    assert (one.before, one.after) == (LOAN_PERIOD.rstrip("\n"), LONGER.rstrip("\n"))


def test_requirements_of_one_name_are_told_together() -> None:
    twice = spec_of(LOAN_PERIOD, LONGER)

    (one,) = differences(spec_of(LOAN_PERIOD), twice)

    assert one.requirement == "Loan Period"
    assert "28 days" in str(one.after)
