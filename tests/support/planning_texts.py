"""The base spec and change that planning tests vary."""

from __future__ import annotations

PURPOSE = "Rules for lending books and other stock to members at the branch desk."

LOAN_PERIOD = """\
### Requirement: Loan Period
The system SHALL set the due date 21 days after checkout.

#### Scenario: Standard loan
- **WHEN** a member checks out a book
- **THEN** the due date is 21 days later

#### Scenario: Reference stock
- **WHEN** a member tries to check out a reference book
- **THEN** the loan is refused
"""

RENEWALS = """\
### Requirement: Renewals
The system SHALL allow two renewals per loan.

#### Scenario: Third renewal
- **WHEN** a member asks for a third renewal
- **THEN** the request is refused
"""

STUDENT_LOANS = """\
### Requirement: Student Loans
The system SHALL grant students 42 days.

#### Scenario: Student card shown
- **WHEN** a member shows a student card
- **THEN** the due date is 42 days later
"""

HEAD = f"# lending Specification\n\n## Purpose\n{PURPOSE}\n\n## Requirements\n\n"
SPEC = f"{HEAD}{LOAN_PERIOD}\n{RENEWALS}"
DELTA = f"## ADDED Requirements\n\n{STUDENT_LOANS}"


def requirement(name: str, body: str = "It SHALL work.", scenario: str = "Works") -> str:
    """A sound requirement block."""
    return f"### Requirement: {name}\n{body}\n\n#### Scenario: {scenario}\n- **WHEN** a\n- **THEN** b\n"


def spec_of(*blocks: str, purpose: str = PURPOSE, tail: str = "") -> str:
    """A spec with these blocks, one blank line between."""
    body = "\n".join(blocks)
    return f"# x Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n\n{body}{tail}"
