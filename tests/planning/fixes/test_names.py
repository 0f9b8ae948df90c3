"""Which requirement a name that no requirement has was meant for."""

from __future__ import annotations

import pytest

from rasen.planning.fixes.names import meant_name

NAMES = ["Loan Period", "Renewals", "API", "Rule 12", "Late Fee", "Late Fees"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Loan Periods", "Loan Period"),
        ("loan  period", "Loan Period"),
        ("Loan Perod", "Loan Period"),
        ("Renewal", "Renewals"),
        ("Renewing", None),
        ("CLI", None),
        ("Rule 13", None),
        ("Rules 12", "Rule 12"),
        ("Late Fe", None),
        ("late fee", "Late Fee"),
        ("Overdue Fines", None),
        ("", None),
    ],
)
def test_exactly_one_close_name_is_meant(name: str, meant: str | None) -> None:
    assert meant_name(name, NAMES) == meant
