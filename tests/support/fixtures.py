"""The lending desk: a small spec, and the smallest valid change to it."""

from __future__ import annotations

from tests.support.world import World

CHANGE = "longer-loans"
FOLDER = f"rasen/changes/{CHANGE}"
SPEC_FILE = "rasen/specs/lending/spec.md"
DELTA_FILE = f"{FOLDER}/specs/lending/spec.md"

STANDARD_LOAN = """#### Scenario: Standard loan
- **WHEN** a member checks out a book
- **THEN** the due date is 21 days later
"""
REFERENCE_STOCK = """#### Scenario: Reference stock
- **WHEN** a member tries to check out a reference book
- **THEN** the loan is refused
"""
LOAN_BODY = "The system SHALL set the due date 21 days after checkout.\n"
LOAN_PERIOD = f"### Requirement: Loan Period\n{LOAN_BODY}\n{STANDARD_LOAN}\n{REFERENCE_STOCK}"
RENEWALS = """### Requirement: Renewals
The system SHALL allow two renewals per loan.

#### Scenario: Third renewal
- **WHEN** a member asks for a third renewal
- **THEN** the request is refused
"""
STUDENT_LOANS = """### Requirement: Student Loans
The system SHALL grant students 42 days.

#### Scenario: Student card shown
- **WHEN** a member shows a student card
- **THEN** the due date is 42 days later
"""
HEAD = """# lending Specification

## Purpose
Rules for lending books and other stock to members at the branch desk.

## Requirements

"""
S1 = f"{HEAD}{LOAN_PERIOD}\n{RENEWALS}"
ADDED = f"## ADDED Requirements\n\n{STUDENT_LOANS}"
PROPOSAL = """## Why
Students keep their books for a whole term. They queue at the desk every three weeks to renew them.

## What Changes
- Students get a longer loan.
"""
TASKS = "## 1. Desk\n- [x] 1.1 Adjust due date\n"


def base_spec(world: World, text: str = S1) -> None:
    """A workspace that holds the base spec."""
    world.workspace()
    world.write(SPEC_FILE, text)


def change(
    world: World,
    delta: str | bytes = ADDED,
    *,
    name: str = CHANGE,
    proposal: str | bytes = PROPOSAL,
    tasks: str | bytes = TASKS,
) -> None:
    """A change to `lending`; without more than a name, the smallest valid one."""
    folder = f"rasen/changes/{name}"
    world.write(f"{folder}/proposal.md", proposal)
    world.write(f"{folder}/tasks.md", tasks)
    world.write(f"{folder}/specs/lending/spec.md", delta)


def desk(world: World, delta: str | bytes = ADDED) -> World:
    """The base spec and one change to it that holds `delta`."""
    base_spec(world)
    change(world, delta)
    return world
