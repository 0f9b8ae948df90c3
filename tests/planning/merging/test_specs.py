"""Merging whole specs: requirement by requirement, and losing nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasen.planning.merging.specs import merge_specs
from rasen.planning.merging.whole import merged_order

HEAD = "# Lending\n\n## Purpose\n\nBooks are lent.\n\n## Requirements\n\n"


def requirement(name: str, body: str = "SHALL lend", scenario: str = "it is lent") -> str:
    return f"### Requirement: {name}\nThe library {body}.\n\n#### Scenario: Usual\n- **THEN** {scenario}\n"


def spec(*blocks: str, head: str = HEAD, tail: str = "") -> str:
    return head + "\n".join(blocks) + (f"\n{tail}" if tail else "")


LOAN, RENEWAL = requirement("Loan"), requirement("Renewal")
BASE = spec(LOAN, RENEWAL)
LOAN_28 = requirement("Loan", "SHALL lend for 28 days")
LOAN_SEEN = requirement("Loan", scenario="a receipt is printed")
FINE, HOLD = requirement("Fine"), requirement("Hold")


@pytest.mark.parametrize(
    ("theirs", "mine", "merged"),
    [
        pytest.param(BASE, spec(LOAN_28, RENEWAL), spec(LOAN_28, RENEWAL), id="only mine"),
        pytest.param(spec(LOAN_28, RENEWAL), BASE, spec(LOAN_28, RENEWAL), id="only theirs"),
        pytest.param(spec(LOAN), spec(LOAN), spec(LOAN), id="alike"),
        pytest.param(
            spec(LOAN_28, RENEWAL),
            spec(LOAN_SEEN, RENEWAL),
            spec(requirement("Loan", "SHALL lend for 28 days", "a receipt is printed"), RENEWAL),
            id="body and scenario",
        ),
        pytest.param(
            spec(LOAN, RENEWAL, FINE),
            spec(LOAN, RENEWAL, HOLD),
            spec(LOAN, RENEWAL, FINE, HOLD),
            id="two additions",
        ),
        pytest.param(
            spec(LOAN_28, RENEWAL), spec(LOAN), spec(LOAN_28), id="removed beside a modified one"
        ),
        pytest.param(
            spec(RENEWAL), spec(LOAN), spec().rstrip("\n") + "\n\n", id="each removes one"
        ),
        pytest.param(
            spec(LOAN_28, RENEWAL),
            spec(LOAN.replace("Loan", "Lending"), RENEWAL),
            spec(LOAN_28.replace("Loan", "Lending"), RENEWAL),
            id="renamed and modified",
        ),
        pytest.param(
            spec(RENEWAL, LOAN),
            spec(LOAN, RENEWAL, HOLD),
            spec(RENEWAL, HOLD, LOAN),
            id="reordered",
        ),
        pytest.param(
            spec(LOAN, RENEWAL, tail="## Notes\n\nOne.\n"),
            spec(LOAN, RENEWAL, head=HEAD.replace("lent.", "lent to all.")),
            spec(
                LOAN, RENEWAL, head=HEAD.replace("lent.", "lent to all."), tail="## Notes\n\nOne.\n"
            ),
            id="purpose and tail",
        ),
    ],
)
def test_both_sides_go_together(theirs: str, mine: str, merged: str) -> None:
    result = merge_specs(BASE, theirs, mine)

    assert result.clashes == ()
    assert result.text == merged


@pytest.mark.parametrize(
    ("theirs", "mine", "place"),
    [
        pytest.param(
            spec(LOAN_28, RENEWAL),
            spec(requirement("Loan", "SHALL lend for 7 days"), RENEWAL),
            "Loan: body",
            id="one sentence twice",
        ),
        pytest.param(spec(LOAN_28, RENEWAL), spec(RENEWAL), "Loan", id="modified and removed"),
        pytest.param(spec(RENEWAL), spec(LOAN_28, RENEWAL), "Loan", id="removed and modified"),
        pytest.param(
            spec(LOAN, RENEWAL, FINE),
            spec(LOAN, RENEWAL, requirement("Fine", "SHALL ask a fine")),
            "Fine",
            id="added with other text",
        ),
        pytest.param(
            spec(LOAN.replace("Loan", "Lending"), RENEWAL),
            spec(LOAN.replace("Loan", "Borrowing"), RENEWAL),
            "Loan: heading",
            id="renamed to two names",
        ),
        pytest.param(
            spec(LOAN, RENEWAL, head=HEAD.replace("lent.", "given.")),
            spec(LOAN, RENEWAL, head=HEAD.replace("lent.", "sold.")),
            "head",
            id="purpose",
        ),
        pytest.param(
            spec(LOAN, LOAN, RENEWAL), spec(LOAN_28, RENEWAL), "file", id="namesakes in one file"
        ),
        pytest.param(
            spec(LOAN, RENEWAL, FINE + "```\nopen\n"), spec(LOAN, RENEWAL, HOLD), "file", id="fence"
        ),
    ],
)
def test_contradictions_show_both_sides(theirs: str, mine: str, place: str) -> None:
    result = merge_specs(BASE, theirs, mine)

    assert result.text is None
    assert [clash.place for clash in result.clashes] == [place]
    assert result.clashes[0].theirs != result.clashes[0].mine


def test_a_scenario_that_mine_leaves_out_is_removed() -> None:
    two = LOAN + "\n#### Scenario: Holiday\n- **THEN** it is lent longer\n"
    theirs = spec(two.replace("SHALL lend", "SHALL lend for 28 days"), RENEWAL)

    result = merge_specs(spec(two, RENEWAL), theirs, spec(LOAN, RENEWAL))

    assert result.text == spec(LOAN_28, RENEWAL)


def test_a_comment_that_a_delta_would_obey_is_text_in_a_spec() -> None:
    noted = LOAN + "<!-- removed: Usual -->\n"

    result = merge_specs(BASE, spec(LOAN_28, RENEWAL), spec(noted, RENEWAL))

    assert result.text == spec(LOAN_28 + "<!-- removed: Usual -->\n", RENEWAL)


def test_line_endings_of_untouched_requirements_stay() -> None:
    base = BASE.replace("\n", "\r\n")
    theirs = spec(LOAN_28, RENEWAL).replace("\n", "\r\n")

    result = merge_specs(base, theirs, spec(LOAN_SEEN, RENEWAL).replace("\n", "\r\n"))

    assert result.text is not None
    assert result.text.count("\n") == result.text.count("\r\n")


def test_a_spec_that_both_sides_create_is_united() -> None:
    result = merge_specs("", spec(LOAN), spec(LOAN, FINE))

    assert result.text == spec(LOAN, FINE)


@pytest.mark.parametrize(
    ("base", "theirs", "mine", "order"),
    [
        ("ab", "ab", "ab", "ab"),
        ("ab", "abc", "abd", "abcd"),
        ("ab", "ba", "ab", "ba"),
        ("ab", "ab", "ba", "ba"),
        ("abc", "cab", "acb", "cab"),
        ("", "x", "y", "yx"),
        ("ab", "xab", "yab", "yxab"),
        ("ab", "axb", "ayb", "axyb"),
    ],
)
def test_order(base: str, theirs: str, mine: str, order: str) -> None:
    result = merged_order(base, theirs, mine)

    assert sorted(result) == sorted(order)
    assert "".join(one for one in result if one in base) == "".join(x for x in order if x in base)


Blocks = dict[str, list[str]]


@st.composite
def _histories(draw: st.DrawFn) -> tuple[str, str, str]:
    """A base, and two sides that edited it; every statement they write is unlike all others."""
    count = iter(range(10_000))

    def statement(who: str) -> str:
        return f"The library SHALL do {who} {next(count)}."

    base: Blocks = {
        f"R{at}": [statement("base") for _ in range(draw(st.integers(1, 3)))]
        for at in range(draw(st.integers(0, 4)))
    }

    def side(who: str) -> Blocks:
        now = {name: list(lines) for name, lines in base.items()}
        for _ in range(draw(st.integers(0, 4))):
            _edit(draw, now, who, lambda: statement(who))
        return now

    return _text(base), _text(side("theirs")), _text(side("mine"))


def _edit(draw: st.DrawFn, now: Blocks, who: str, statement: Callable[[], str]) -> None:
    what = draw(
        st.sampled_from(["add", "modify", "insert", "remove", "rename", "reorder", "scenario"])
    )
    if what == "add":
        now[draw(st.sampled_from(["N1", "N2", f"N{who}"]))] = [statement()]
    elif now:
        name = draw(st.sampled_from(sorted(now)))
        lines = now[name]
        place = draw(st.integers(0, len(lines) - 1))
        if what == "modify":
            lines[place] = statement()
        elif what == "insert":
            lines.insert(place, statement())
        elif what == "scenario":
            lines += ["", f"#### Scenario: {draw(st.sampled_from('ST'))}", f"- {statement()}"]
        elif what == "remove":
            del now[name]
        elif what == "rename":
            new = draw(st.sampled_from(["N1", f"M{who}", name]))
            if new not in now:
                items = [(new if key == name else key, value) for key, value in now.items()]
                now.clear()
                now.update(items)
        else:
            now[name] = now.pop(name)


def _text(blocks: Blocks) -> str:
    return spec(
        *(f"### Requirement: {name}\n" + "\n".join(lines) + "\n" for name, lines in blocks.items())
    )


def _statements(text: str) -> set[str]:
    return {line for line in text.splitlines() if "SHALL" in line}


def _placed(text: str) -> dict[str, str]:
    """The name of the requirement that each statement stands in."""
    placed, name = {}, ""
    for line in text.splitlines():
        name = line if line.startswith("### ") else name
        if "SHALL" in line:
            placed[line] = name
    return placed


@settings(max_examples=800)
@given(_histories())
def test_no_statement_is_lost_and_none_invented(history: tuple[str, str, str]) -> None:
    base, theirs, mine = map(_statements, history)

    result = merge_specs(*history)

    if result.text is None:
        assert result.clashes
        assert all(one.theirs != one.mine for one in result.clashes)
        return
    merged = _statements(result.text)
    assert (theirs - base) | (mine - base) <= merged
    assert base & theirs & mine <= merged
    assert merged <= (theirs | mine)
    places = [_placed(text) for text in history]
    for one, other in ((places[1], places[2]), (places[2], places[1])):
        # what the other side carried on into a requirement of its own is that side's to say
        gone = {line for line in base if line not in one and other.get(line) == places[0][line]}
        assert not merged & gone


@settings(max_examples=200)
@given(_histories())
def test_who_synced_first_makes_no_difference_but_for_order(history: tuple[str, str, str]) -> None:
    base, theirs, mine = history

    one, other = merge_specs(base, theirs, mine), merge_specs(base, mine, theirs)

    assert (one.text is None) == (other.text is None)
    if one.text is not None and other.text is not None:
        assert sorted(one.text.split()) == sorted(other.text.split())
