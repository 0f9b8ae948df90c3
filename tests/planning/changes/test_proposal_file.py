"""Proposals: their parts, what they suggest, and the advice on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.planning.changes.model import Operation
from rasen.planning.changes.proposal_file import Proposal, advise, guess, missing_parts

WHY = "Members keep asking for more time, and the desk has to refuse them every day."
TEXT = f"# Change: Longer loans\n\n## Why\n{WHY}\n\n## What Changes\n- **lending:** Add student loans\n"


def rows(text: str, *descriptions: str) -> list[tuple[str, str, str]]:
    found = advise(Proposal(text), list(descriptions))
    return [(one.code, one.level.value, one.path) for one in found]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    proposal = Proposal(text)

    assert isinstance(proposal.title + proposal.why + proposal.what_changes, str)
    assert missing_parts(proposal) or (proposal.why and proposal.what_changes)
    assert proposal.suggestions() is not None


def test_parts() -> None:
    proposal = Proposal(TEXT)

    assert proposal.title == "Longer loans"
    assert proposal.why == WHY
    assert proposal.what_changes == "- **lending:** Add student loans"
    assert missing_parts(proposal) == []


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.replace("## Why", "## Why   "),
        TEXT.replace("## Why", "### why"),
    ],
    ids=["windows", "byte-order mark", "trailing spaces", "other level and case"],
)
def test_files_from_real_machines_read_the_same(text: str) -> None:
    assert Proposal(text).why == WHY
    assert Proposal(text).title == "Longer loans"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Plain\n", "Plain"),
        ("## Why\n# Later\n", "Later"),
        ("```\n# no\n```\n", ""),
        ("", ""),
        ("# Change: \n", "Change:"),
    ],
)
def test_title(text: str, title: str) -> None:
    assert Proposal(text).title == title


def test_missing_parts_are_errors_and_end_the_advice() -> None:
    assert rows("") == [
        ("proposal_why_missing", "ERROR", "why"),
        ("proposal_what_missing", "ERROR", "whatChanges"),
    ]
    assert rows("## Why\n\n## What Changes\nx\n") == [("proposal_why_missing", "ERROR", "why")]


@pytest.mark.parametrize(
    ("length", "code"),
    [(49, "proposal_why_brief"), (50, None), (1000, None), (1001, "proposal_why_long")],
)
def test_length_of_why(length: int, code: str | None) -> None:
    text = f"## Why\n{'y' * length}\n## What Changes\nx\n"

    assert rows(text, "a long description") == ([(code, "WARNING", "why")] if code else [])


@pytest.mark.parametrize(
    ("count", "code"),
    [(0, "proposal_no_delta"), (1, None), (10, None), (11, "proposal_many_deltas")],
)
def test_number_of_deltas(count: int, code: str | None) -> None:
    found = rows(TEXT, *["Add requirement: X"] * count)

    assert found == ([(code, "WARNING", "deltas")] if code else [])


@pytest.mark.parametrize(("length", "is_brief"), [(9, True), (10, False)])
def test_length_of_a_description(length: int, is_brief: bool) -> None:
    found = rows(TEXT, "Add requirement: X", "d" * length)

    expected = [("proposal_description_brief", "WARNING", "deltas.1.description")]
    assert found == (expected if is_brief else [])


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("Rename and add things", Operation.RENAMED),
        ("Add x, remove y", Operation.ADDED),
        ("create x", Operation.ADDED),
        ("A NEW thing", Operation.ADDED),
        ("Remove x", Operation.REMOVED),
        ("delete x", Operation.REMOVED),
        ("Change x", Operation.MODIFIED),
        ("address the renamed", Operation.MODIFIED),
    ],
)
def test_operation_is_guessed_from_whole_words(text: str, operation: Operation) -> None:
    assert guess(text) is operation


def test_bullets_suggest_deltas() -> None:
    text = (
        "## What Changes\n- **lending:** Add loans\n* **desk**: remove the bell\n- plain\n"
        "```\n- **sample:** Add\n```\n  + **nested:** Change it\n"
    )

    found = [(one.name, one.text, one.operation.value) for one in Proposal(text).suggestions()]

    assert found == [
        ("lending", "Add loans", "ADDED"),
        ("desk", "remove the bell", "REMOVED"),
        ("nested", "Change it", "MODIFIED"),
    ]
    assert Proposal("## Why\nx\n").suggestions() == []


CAPABILITIES = """\
# Change: x

## What Changes

- **BREAKING:** everything
- **desk/loans:** add hours
- **lending**: change the period

## Capabilities

### New Capabilities

<!-- `commented`: no -->
- `due-reminders`: mails
- <name>: a placeholder
- None of these words

```
- `fenced`: no
```

### Modified Capabilities

* **lending**: longer
+ plain-name - with a dash
- `借书`
"""


def test_capabilities_are_those_listed_and_those_suggested() -> None:
    assert Proposal(CAPABILITIES).capabilities() == [
        "due-reminders",
        "lending",
        "plain-name",
        "借书",
        "desk/loans",
    ]


def test_a_proposal_may_name_no_capability() -> None:
    assert Proposal("# x\n").capabilities() == []
