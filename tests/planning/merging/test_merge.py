"""Merging a delta into a spec: every rule, and that nothing else changes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.planning_texts import (
    DELTA,
    LOAN_PERIOD,
    PURPOSE,
    RENEWALS,
    SPEC,
    STUDENT_LOANS,
    requirement,
    spec_of,
)

from rasen.base.text import fold
from rasen.planning.changes.delta_file import Delta
from rasen.planning.merging.merge import Setting, merge
from rasen.planning.merging.model import Counts, Merged
from rasen.planning.merging.seen import Seen
from rasen.planning.specs.spec_file import SpecDocument

SHOWN = "specs/lending/spec.md"


def run(
    delta: str, spec: str | None = SPEC, *, existed: tuple[str, ...] = (), may_retire: bool = False
) -> Merged:
    setting = Setting(
        "lending",
        "loans",
        SHOWN,
        may_retire=may_retire,
        seen=Seen(bool(existed), {name: (f"### Requirement: {name}",) for name in existed}),
    )
    return merge(Delta(delta), None if spec is None else SpecDocument(spec), setting)


def codes(merged: Merged) -> list[tuple[str, str, int | None]]:
    return [(one.code, one.level.value, one.line) for one in merged.findings]


def section(word: str, *blocks: str) -> str:
    return f"## {word} Requirements\n\n" + "\n".join(blocks)


def removed(*names: str) -> str:
    return "## REMOVED Requirements\n" + "".join(f"- ### Requirement: {name}\n" for name in names)


def renamed(*pairs: tuple[str, str]) -> str:
    lines = (
        f"- FROM: ### Requirement: {old}\n- TO: ### Requirement: {new}\n" for old, new in pairs
    )
    return "## RENAMED Requirements\n" + "".join(lines)


A, B, C = (requirement(name) for name in "ABC")


# The four operations


def test_added_requirement_comes_last() -> None:
    merged = run(DELTA)

    assert merged.findings == ()
    assert merged.text == f"{SPEC}\n{STUDENT_LOANS}"
    assert merged.counts == Counts(added=1)
    assert not merged.is_new


def test_modified_requirement_stays_in_its_place() -> None:
    longer = LOAN_PERIOD.replace("21 days", "28 days")

    merged = run(section("MODIFIED", longer))

    assert merged.text == SPEC.replace("21 days", "28 days")
    assert merged.counts == Counts(modified=1)


def test_removed_requirement_goes() -> None:
    merged = run(removed("Loan Period"))

    assert merged.text == SPEC.replace(f"{LOAN_PERIOD}\n", "")
    assert merged.counts == Counts(removed=1)


def test_renamed_requirement_keeps_place_and_body() -> None:
    merged = run(renamed(("Loan Period", "Loan Length")))

    assert merged.text == SPEC.replace("Loan Period", "Loan Length")
    assert merged.counts == Counts(renamed=1)


def test_operations_apply_in_their_own_order_and_not_in_that_of_the_file() -> None:
    delta = "\n".join(
        [
            section("ADDED", requirement("Loan Period", "It SHALL be new.")),
            section("MODIFIED", RENEWALS.replace("Renewals", "Extensions").replace("two", "three")),
            removed("Old"),
            renamed(("Renewals", "Extensions"), ("Loan Period", "Loan Length")),
        ]
    )

    merged = run(delta, f"{SPEC}\n{requirement('Old')}")

    assert merged.findings == ()
    assert merged.text == (
        SPEC.replace("Loan Period", "Loan Length")
        .replace("Renewals", "Extensions")
        .replace("two", "three")
        + "\n"
        + requirement("Loan Period", "It SHALL be new.")
    )
    assert merged.counts == Counts(added=1, modified=1, removed=1, renamed=2)


@pytest.mark.parametrize(
    ("pairs", "names"),
    [
        ((("A", "B"), ("B", "A")), "BAC"),
        ((("A", "B"), ("B", "C"), ("C", "D")), "BCD"),
        ((("C", "D"), ("B", "C"), ("A", "B")), "BCD"),
        ((("A", "B"), ("B", "C"), ("C", "A")), "BCA"),
        ((("A", "A"), ("B", "X")), "AXC"),
    ],
    ids=["swap", "chain", "chain backwards", "ring", "same name"],
)
def test_renames_happen_at_once(pairs: tuple[tuple[str, str], ...], names: str) -> None:
    bodies = [f"It SHALL be {at}." for at in range(3)]
    text = spec_of(*(requirement(name, body) for name, body in zip("ABC", bodies, strict=True)))

    merged = run(renamed(*pairs), text)

    assert merged.text == spec_of(
        *(requirement(name, body) for name, body in zip(names, bodies, strict=True))
    )
    assert merged.counts.renamed == sum(old != new for old, new in pairs)


# What is refused


@pytest.mark.parametrize(
    ("delta", "code", "line", "words"),
    [
        (
            section("MODIFIED", LOAN_PERIOD.replace("Loan Period", "Loan Periods")),
            "merge_requirement_missing", 3, '"Loan Period"',
        ),
        (removed("Overdue Fines"), "merge_requirement_missing", 2, "nearest"),
        (renamed(("Renewal", "Loan Limit")), "merge_requirement_missing", 2, '"Renewals"'),
        (removed("loan period"), "merge_requirement_missing", 2, '"Loan Period"'),
        (renamed(("Loan Period", "Renewals")), "merge_name_taken", 2, "line 19"),
        (section("ADDED", requirement("Renewals")), "merge_requirement_exists", 3, "line 19"),
        (
            section("MODIFIED", LOAN_PERIOD.partition("#### Scenario: Reference")[0]),
            "merge_scenario_lost", 3, '"Reference stock"',
        ),
    ],
    ids=[
        "modified typo", "removed unknown", "renamed unknown", "removed in other case",
        "name taken", "added exists", "scenario lost",
    ],
)  # fmt: skip
def test_refusals(delta: str, code: str, line: int, words: str) -> None:
    merged = run(delta)

    assert codes(merged) == [(code, "ERROR", line)]
    assert words in merged.findings[0].message
    assert SHOWN in merged.findings[0].message
    assert merged.text is None
    assert merged.counts == Counts()
    assert merged.is_refused


def test_all_problems_are_found_at_once() -> None:
    delta = removed("X", "Y") + renamed(("Z", "Q")) + section("ADDED", requirement("Renewals"))

    assert [one.line for one in run(delta).findings] == [5, 2, 3, 9]


def test_conflicting_addition_shows_both_texts() -> None:
    changed = STUDENT_LOANS.replace("42", "30")

    (found,) = run(DELTA, f"{SPEC}\n{changed}").findings

    assert found.code == "merge_requirement_exists"
    assert "30 days" in found.message
    assert "42 days" in found.message


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("#### Scenario: A\nx\n#### Scenario: A\ny\n", "#### Scenario: A\nx\n", ["A"]),
        ("#### Edge case\nx\n", "#### Scenario: B\nx\n", ["Edge case"]),
        ("#### Scenario: A\nx\n#### B\ny\n", "#### A ##\nx\n#### scenario: B\ny\n", []),
        ("```\n#### Scenario: A\n```\n#### S\nx\n", "#### S\nx\n", []),
        ("#### S\nx\n", "#### S\nx\n#### T\ny\n", []),
        ("#### S\nx\n", "```\n#### S\n```\n#### T\nx\n", ["S"]),
    ],
    ids=["twice", "unlabelled", "same names", "fenced", "one more", "fenced in the new"],
)
def test_scenarios_are_counted_by_name(old: str, new: str, lost: list[str]) -> None:
    text = spec_of(f"### Requirement: A\nIt SHALL.\n\n{old}")

    merged = run(section("MODIFIED", f"### Requirement: A\nIt SHALL now.\n\n{new}"), text)

    assert [one.code for one in merged.findings] == ["merge_scenario_lost"] * bool(lost)
    for name in lost:
        assert f'"{name}"' in merged.findings[0].message


def test_scenario_loss_is_seen_through_a_rename() -> None:
    block = "### Requirement: Loan Length\nIt SHALL.\n\n#### Scenario: Standard loan\n- x\n"

    merged = run(renamed(("Loan Period", "Loan Length")) + section("MODIFIED", block))

    assert [one.code for one in merged.findings] == ["merge_scenario_lost"]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (f"{SPEC}\n## ADDED Requirements\n", "ADDED Requirements"),
        (f"{SPEC}\n## Notes\n{requirement('Stray')}", "Stray"),
        (f"{SPEC}\n{RENEWALS}", "lines 19 and 26"),
    ],
    ids=["delta heading", "requirement outside", "duplicate"],
)
def test_unsound_spec_is_not_merged_into(spec: str, words: str) -> None:
    merged = run(DELTA, spec)

    assert [one.code for one in merged.findings] == ["merge_spec_unsound"]
    assert words in merged.findings[0].message
    assert merged.text is None


def test_unread_line_refuses_the_merge() -> None:
    merged = run(f"{DELTA}\n## Notes\n{requirement('N')}")

    assert merged.is_refused
    assert merged.text is None


# Nothing to do


@pytest.mark.parametrize(
    "delta",
    [
        section("ADDED", RENEWALS),
        section("MODIFIED", LOAN_PERIOD, RENEWALS),
        section("ADDED", RENEWALS).replace("\n", "\r\n"),
        renamed(("Renewals", "Renewals")),
    ],
    ids=["added", "modified", "windows endings", "renamed to itself"],
)
def test_what_is_there_already_counts_as_nothing(delta: str) -> None:
    merged = run(delta)

    assert merged.text is None
    assert not merged.counts
    assert not merged.is_refused


def test_absence_is_fine_when_a_base_shows_that_it_existed() -> None:
    delta = removed("Gone") + renamed(("Also gone", "New"))

    merged = run(delta, existed=("Gone", "Also gone"))

    assert codes(merged) == [
        ("merge_requirement_gone", "WARNING", 4),
        ("merge_requirement_gone", "WARNING", 2),
    ]
    assert merged.text is None
    assert not merged.counts


def test_absence_with_a_near_miss_is_an_error_in_any_case() -> None:
    merged = run(removed("loan  period"), existed=("loan  period",))

    assert codes(merged) == [("merge_requirement_missing", "ERROR", 2)]


def test_modifying_what_others_removed_is_a_conflict() -> None:
    merged = run(section("MODIFIED", requirement("Gone")), existed=("Gone",))

    assert codes(merged) == [("merge_conflict", "ERROR", 3)]


# A new spec


def test_new_spec() -> None:
    merged = run(DELTA, None)

    assert merged.is_new
    assert merged.findings == ()
    assert merged.text is not None
    assert merged.text.startswith("# lending Specification\n\n## Purpose\nTBD")
    assert merged.text.endswith(f"\n\n## Requirements\n\n{STUDENT_LOANS}")


def test_new_spec_takes_the_purpose_of_the_delta() -> None:
    merged = run(f"## Purpose\n{PURPOSE}\n\n{DELTA}", None)

    assert (
        merged.text
        == f"# lending Specification\n\n## Purpose\n{PURPOSE}\n\n## Requirements\n\n{STUDENT_LOANS}"
    )
    assert merged.findings == ()


@pytest.mark.parametrize(
    ("purpose", "code"),
    [
        ("Short.", "spec_purpose_brief"),
        ("Text.\n# Title\n", "merge_purpose_unusable"),
        ("<!-- only a note -->", None),
    ],
)
def test_purpose_of_a_new_spec_is_looked_at(purpose: str, code: str | None) -> None:
    merged = run(f"## Purpose\n{purpose}\n\n{DELTA}", None)

    assert codes(merged) == ([(code, "WARNING", 1)] if code else [])
    assert merged.text is not None


@pytest.mark.parametrize(
    "delta",
    [section("MODIFIED", LOAN_PERIOD), removed("Loan Period"), renamed(("Loan Period", "X"))],
    ids=["MODIFIED", "REMOVED", "RENAMED"],
)
def test_new_spec_takes_additions_only(delta: str) -> None:
    merged = run(delta, None)

    assert [one.code for one in merged.findings] == ["merge_spec_missing"]
    assert merged.text is None


def test_spec_that_has_gone_may_lose_what_it_had() -> None:
    merged = run(removed("Loan Period"), None, existed=("Loan Period",))

    assert codes(merged) == [("merge_requirement_gone", "WARNING", 2)]
    assert merged.text is None


def test_purpose_of_an_existing_spec_is_not_merged() -> None:
    assert run(f"## Purpose\n{PURPOSE}\n\n{DELTA}").findings == ()

    merged = run(f"## Purpose\nAnother purpose.\n\n{DELTA}")

    assert codes(merged) == [("merge_purpose_ignored", "WARNING", 1)]
    assert merged.text == f"{SPEC}\n{STUDENT_LOANS}"


# A spec that ends empty


def test_last_requirement_takes_the_spec_with_it() -> None:
    merged = run(removed("Loan Period", "Renewals"))

    assert merged.is_retired
    assert merged.text is None
    assert merged.counts == Counts(removed=2)
    assert merged.findings == ()


@pytest.mark.parametrize(
    "spec",
    [spec_of(A, tail="\n## Notes\nx\n"), spec_of("preamble\n", A), spec_of(A, "### Note\nx\n")],
    ids=["tail", "preamble", "absorbed heading"],
)
def test_other_text_keeps_the_spec(spec: str) -> None:
    merged = run(removed("A"), spec)

    assert "merge_retire_loses_text" in [one.code for one in merged.findings]
    assert merged.is_refused
    assert not merged.is_retired

    allowed = run(removed("A"), spec, may_retire=True)

    assert allowed.is_retired
    assert not allowed.is_refused


def test_replacing_all_requirements_retires_nothing() -> None:
    merged = run(removed("A") + section("ADDED", B), spec_of(A))

    assert not merged.is_retired
    assert merged.text == spec_of(B)


# What could be lost


def test_headings_that_go_with_a_block_are_told() -> None:
    spec = spec_of(A + "\n### Note\nx\n", B)

    modified = run(section("MODIFIED", requirement("A", "It SHALL change.")), spec)
    gone = run(removed("A"), spec)
    kept = run(section("MODIFIED", requirement("A", "It SHALL change.") + "\n### Note\ny\n"), spec)

    assert [one.code for one in modified.findings] == ["merge_heading_lost"]
    assert [one.code for one in gone.findings] == ["merge_heading_lost"]
    assert "line 15" in gone.findings[0].message
    assert "merge_heading_lost" not in [one.code for one in kept.findings]


OPEN = "### Requirement: {}\nIt SHALL.\n\n#### Scenario: Works\n- x\n```\nnever closed\n"


@pytest.mark.parametrize(
    ("word", "name", "spec"),
    [
        ("MODIFIED", "A", spec_of(A, B)),
        ("MODIFIED", "A", spec_of(A, B + "```\nx\n```\n")),
        ("MODIFIED", "B", spec_of(A, B, tail="\n## Notes\nx\n")),
        ("ADDED", "C", spec_of(A, tail="\n## Notes\nx\n")),
    ],
)
def test_open_fence_may_not_hide_what_follows(word: str, name: str, spec: str) -> None:
    merged = run(section(word, OPEN.format(name)), spec)

    assert codes(merged) == [("merge_fence_unclosed", "ERROR", 8)]
    assert merged.text is None


def test_open_fence_at_the_end_of_the_spec_hides_nothing() -> None:
    merged = run(section("ADDED", OPEN.format("C")), spec_of(A))

    assert merged.findings == ()
    assert merged.text == spec_of(A, OPEN.format("C"))


def test_nothing_is_added_behind_an_open_fence_of_the_spec() -> None:
    merged = run(section("ADDED", C), spec_of(A, OPEN.format("B")))

    assert [one.code for one in merged.findings] == ["merge_spec_unsound"]
    assert "fence" in merged.findings[0].message
    assert merged.text is None


def test_merged_spec_is_held_to_the_rules_of_specs() -> None:
    merged = run(DELTA, spec_of(requirement("A", "It works.")))

    (found,) = merged.findings
    assert (found.code, found.level.value) == ("merged_spec_invalid", "ERROR")
    assert "SHALL" in found.message


def test_blank_lines_inside_a_sample_stay() -> None:
    sample = "```\none\n\n\n    \n\ttwo\n```\n"
    block = requirement("A") + sample

    merged = run(section("ADDED", block))

    assert merged.text == f"{SPEC}\n{block}"


def test_windows_spec_stays_one() -> None:
    spec = "\ufeff" + SPEC.replace("\n", "\r\n")

    merged = run(DELTA, spec)

    assert merged.text == "\ufeff" + f"{SPEC}\n{STUDENT_LOANS}".replace("\n", "\r\n")


# Random merges

NAMES = st.lists(
    st.text(alphabet="abAB 1é`中", min_size=1, max_size=5)
    .map(str.strip)
    .filter(lambda name: bool(name) and not name.startswith("`") and name.count("`") % 2 == 0),
    min_size=2,
    max_size=7,
    unique_by=fold,  # a removal and a rename of near-equal names contradict each other
)
EXTRAS = st.sampled_from(
    [
        "",
        "\n```\n### Requirement: sample\n\n\n## x\n```\n",
        "\n~~~~\n```\n~~~~\n",
        "\nlast   \n",
        "\n##### deep\n",
    ]
)
GAPS = st.sampled_from(["\n", "\n\n\n", "", "  \n"])
TAILS = st.sampled_from(["", "\n## Notes\n\n\nfree   text\n", "## Tight\nx", "\n\n"])
INTROS = st.sampled_from(["\n", "", "\npreamble  \n\n\n"])


@dataclass
class Case:
    """A spec by its parts, a delta on it, and what it should make of it."""

    head: str
    blocks: dict[str, str]
    gaps: list[str]
    tail: str
    renames: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    modified: dict[str, str] = field(default_factory=dict)
    added: dict[str, str] = field(default_factory=dict)

    def spec(self) -> str:
        parts = zip(self.blocks.values(), self.gaps, strict=True)
        return self.head + "".join(block + gap for block, gap in parts) + self.tail

    def delta(self) -> str:
        texts = [section("ADDED", *self.added.values())] if self.added else []
        if self.modified:
            texts.append(section("MODIFIED", *self.modified.values()))
        if self.removed:
            texts.append(removed(*self.removed))
        if self.renames:
            texts.append(renamed(*self.renames.items()))
        return "\n".join(texts)

    def expected(self) -> dict[str, str]:
        blocks: dict[str, str] = {}
        for name, text in self.blocks.items():
            new = self.renames.get(name, name)
            if name in self.removed:
                continue
            changed = text.replace(f"### Requirement: {name}\n", f"### Requirement: {new}\n", 1)
            blocks[new] = self.modified.get(new, changed)
        return blocks | self.added


@st.composite
def cases(draw: st.DrawFn) -> Case:
    names = draw(NAMES)
    split = draw(st.integers(1, len(names)))
    old, fresh = names[:split], names[split:]
    blocks = {name: requirement(name) + draw(EXTRAS) for name in old}
    gaps = [draw(GAPS) for _ in old]
    head = f"# T\n\n## Purpose\n{PURPOSE}\n\n## Requirements\n{draw(INTROS)}"
    case = Case(head, blocks, gaps, draw(TAILS))
    for name in old:
        act = draw(st.sampled_from(["keep", "keep", "remove", "rename", "modify", "both"]))
        new = name
        if act == "remove":
            case.removed.append(name)
        if act in ("rename", "both") and fresh:
            new = fresh.pop()
            case.renames[name] = new
        if act in ("modify", "both"):
            case.modified[new] = requirement(new, f"It SHALL be {draw(st.integers(0, 9))}.")
    for name in fresh:
        case.added[name] = requirement(name) + draw(EXTRAS)
    return case


@settings(deadline=None)  # a busy machine is no finding
@given(cases(), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_random_merge_changes_what_it_names_and_nothing_else(
    case: Case, ending: str, has_mark: bool
) -> None:
    old = ("\ufeff" if has_mark else "") + case.spec().replace("\n", ending)
    expected = case.expected()

    merged = run(case.delta(), old)

    if not case.delta():
        assert codes(merged) == [("delta_sections_missing", "ERROR", None)]
        return
    if not expected:
        has_more = "Notes" in case.tail or "Tight" in case.tail or "preamble" in case.head
        assert merged.is_retired is not has_more
        assert merged.is_refused is has_more
        return
    assert not merged.is_refused, [str(one) for one in merged.findings]
    assert merged.counts == Counts(
        len(case.added), len(case.modified), len(case.removed), len(case.renames)
    )
    assert merged.text is not None
    assert merged.text.startswith("\ufeff") is has_mark
    new = SpecDocument(merged.text)
    raw = {one.name: new.markdown.raw(one.start, one.end) for one in new.blocks}
    assert list(raw) == list(expected)
    for name, text in expected.items():
        assert raw[name].rstrip() == text.rstrip().replace("\n", ending)
    assert new.purpose == PURPOSE
    assert merged.text.endswith(
        case.tail.lstrip("\n").replace("\n", ending) if case.tail.strip() else ending
    )
    lines = merged.text.split("\n")[:-1]
    assert all(line.endswith("\r") for line in lines) is (ending == "\r\n")


@given(cases())
def test_bytes_around_the_changed_blocks_stay(case: Case) -> None:
    case.added.clear()
    expected = case.expected()
    merged = run(case.delta(), case.spec())
    if merged.text is None:
        return

    kept = [
        (case.renames.get(name, name), gap)
        for name, gap in zip(case.blocks, case.gaps, strict=True)
        if name not in case.removed
    ]
    kept[-1] = (kept[-1][0], case.gaps[-1])

    parts = "".join(expected[name] + gap for name, gap in kept)
    assert merged.text == case.head + parts + case.tail


@given(cases())
def test_merging_what_is_merged_changes_nothing(case: Case) -> None:
    first = run(case.delta(), case.spec())
    if first.text is None:
        return
    case.removed.clear()
    case.renames.clear()
    if not case.delta():
        return

    again = run(case.delta(), first.text)

    assert not again.is_refused
    assert again.text is None
    assert again.counts == Counts()


SOUP = st.lists(
    st.sampled_from(
        [
            "# T", "## Purpose", PURPOSE, "## Requirements", "### Requirement: A",
            "### Requirement: B", "#### Scenario: S", "- x", "It SHALL.", "```", "~~~", "",
            "## ADDED Requirements", "## MODIFIED Requirements", "## REMOVED Requirements",
            "## RENAMED Requirements", "- FROM: ### Requirement: A", "- TO: ### Requirement: B",
            "- ### Requirement: B", "### Note", "## Notes", "<!--", "-->", "# Requirements",
        ]
    ),
    max_size=14,
).map(lambda lines: "".join(f"{line}\n" for line in lines))  # fmt: skip


@given(SOUP, st.one_of(st.none(), SOUP, st.just(SPEC)), st.booleans())
def test_any_two_texts_merge_or_are_refused_with_a_reason(
    delta: str, spec: str | None, may_retire: bool
) -> None:
    merged = run(delta, spec, may_retire=may_retire)

    for finding in merged.findings:
        assert finding.message
        assert isinstance(finding.fix, str)
    if merged.text is not None:
        new = SpecDocument(merged.text)
        before = {one.name for one in SpecDocument(spec or "").blocks}
        gone = {one.name for one in Delta(delta).removed} | {
            one.old for one in Delta(delta).renamed
        }
        assert before - gone <= {one.name for one in new.blocks}
    if merged.is_retired:
        assert merged.text is None
