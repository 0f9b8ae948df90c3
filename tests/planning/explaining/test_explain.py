"""Every line of a delta has one fate, and what is said of it is what the merge does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.support.planning_texts import LOAN_PERIOD, RENEWALS, SPEC, STUDENT_LOANS
from tests.support.world import World

from rasen.planning import preview
from rasen.planning.explaining.model import Explanation, Fate, FileFate, Line
from rasen.roots.model import SOURCE_NEAREST, Root
from rasen.syntax.markdown import Markdown

CHANGE = "rasen/changes/longer-loans"
DELTA_FILE = f"{CHANGE}/specs/lending/spec.md"
SPEC_FILE = "rasen/specs/lending/spec.md"
BASE_FILE = f"{CHANGE}/.base/lending/spec.md"
STANDARD = "- **THEN** the due date is 21 days later"
RENAME = "- FROM: ### Requirement: {}\n- TO: ### Requirement: {}\n"


def root_of(world: World) -> Root:
    return Root(world.root, SOURCE_NEAREST, "rasen")


def explained(
    world: World, delta: str | bytes, *, spec: str | None = SPEC, base: str | None = None
) -> Explanation:
    """The change with this delta, explained; base: what its author saw, None for nobody knows."""
    world.workspace()
    world.write(f"{CHANGE}/proposal.md", "## Why\nx\n")
    world.write(DELTA_FILE, delta)
    if spec is not None:
        world.write(SPEC_FILE, spec)
    if base is not None:
        world.write(BASE_FILE, base)
    return preview.explain(world.context(), root_of(world), "longer-loans")


def only(found: Explanation) -> FileFate:
    (file,) = found.files
    return file


def fates(found: Explanation) -> list[tuple[str, str]]:
    """Fate and text of every line that is not blank."""
    return [(line.fate.value, line.text) for line in only(found).lines if line.text.strip()]


def line_of(found: Explanation, text: str) -> Line:
    return next(line for line in only(found).lines if text in line.text)


def test_a_new_requirement_lands_behind_the_last_one(world: World) -> None:
    found = explained(world, f"## ADDED Requirements\n\n{STUDENT_LOANS}")

    heading = line_of(found, "Student Loans")
    assert (heading.fate, heading.operation, heading.requirement) == (
        Fate.MERGED, "ADDED", "Student Loans",
    )  # fmt: skip
    assert heading.lands is not None
    assert heading.lands.to_json() == {
        "spec": "specs/lending/spec.md",
        "line": len(SPEC.splitlines()) + 2,
        "after": "Renewals",
    }
    assert {fate for fate, _ in fates(found)} == {"structure", "merged"}


def test_only_the_lines_that_change_something_are_merged(world: World) -> None:
    block = LOAN_PERIOD.replace("date 21 days", "date 28 days")

    found = explained(world, f"## MODIFIED Requirements\n\n{block}", base=SPEC)

    assert line_of(found, "28 days").fate is Fate.MERGED
    others = [fate for fate, text in fates(found) if "28" not in text and text[:3] != "## "]
    assert set(others) == {"unchanged"}


def test_text_that_others_renewed_stays(world: World) -> None:
    block = f"{LOAN_PERIOD}\n#### Scenario: Holiday\n- **THEN** it is longer\n"

    found = explained(
        world,
        f"## MODIFIED Requirements\n\n{block}",
        spec=SPEC.replace("date 21 days", "date 28 days"),
        base=SPEC,
    )

    assert line_of(found, "date 21 days").fate is Fate.KEPT
    assert line_of(found, "Holiday").fate is Fate.MERGED
    assert line_of(found, "Standard loan").fate is Fate.UNCHANGED


def test_a_conflict_shows_three_sides_and_leaves_the_rest_of_the_block_held(world: World) -> None:
    found = explained(
        world,
        "## MODIFIED Requirements\n\n" + LOAN_PERIOD.replace("date 21 days", "date 35 days"),
        spec=SPEC.replace("date 21 days", "date 28 days"),
        base=SPEC,
    )

    assert line_of(found, "35 days").fate is Fate.CONFLICT
    assert line_of(found, STANDARD).fate is Fate.HELD
    (conflict,) = only(found).conflicts
    assert "21 days" in str(conflict.base)
    assert "28 days" in str(conflict.theirs)
    assert "35 days" in str(conflict.mine)
    why = line_of(found, "Requirement: Loan Period").why
    assert why is not None
    assert why.to_json()["code"] == "merge_conflict"
    below = line_of(found, "35 days").why
    assert below is not None
    assert below.to_json() == {"code": "merge_conflict", "line": 3}


def test_removals_and_renames_say_what_they_do(world: World) -> None:
    found = explained(
        world,
        "## REMOVED Requirements\n- ### Requirement: Renewals\n**Reason**: gone\n\n"
        "## RENAMED Requirements\n" + RENAME.format("Loan Period", "Loan Length"),
        base=SPEC,
    )

    assert fates(found) == [
        ("structure", "## REMOVED Requirements"),
        ("merged", "- ### Requirement: Renewals"),
        ("remark", "**Reason**: gone"),
        ("structure", "## RENAMED Requirements"),
        ("merged", "- FROM: ### Requirement: Loan Period"),
        ("merged", "- TO: ### Requirement: Loan Length"),
    ]
    to = line_of(found, "TO:")
    assert (to.operation, to.requirement) == ("RENAMED", "Loan Period")
    assert to.lands is not None
    assert SPEC.splitlines()[to.lands.line - 1] == "### Requirement: Loan Period"


def test_what_was_done_already_is_unchanged(world: World) -> None:
    after = SPEC.replace("Requirement: Loan Period", "Requirement: Loan Length")

    found = explained(
        world,
        f"## RENAMED Requirements\n{RENAME.format('Loan Period', 'Loan Length')}\n"
        f"## ADDED Requirements\n\n{RENEWALS}",
        spec=after,
        base=SPEC,
    )

    assert {fate for fate, _ in fates(found)} == {"structure", "unchanged"}


def test_lines_that_name_what_happens_to_a_scenario_are_directives(world: World) -> None:
    block = LOAN_PERIOD[: LOAN_PERIOD.index("#### Scenario: Reference")]

    found = explained(
        world,
        f"## MODIFIED Requirements\n\n{block}\n<!-- removed: Reference stock -->\n",
        base=SPEC,
    )

    assert fates(found)[-1] == ("directive", "<!-- removed: Reference stock -->")


def test_what_is_not_merged_says_why(world: World) -> None:
    text = (
        "# Delta\nIntro.\n<!-- note to self -->\n\n"
        f"## ADDED Requirements\n\n{STUDENT_LOANS}\n## Notes\nFor later.\n"
    )

    found = explained(world, text)

    assert line_of(found, "# Delta").fate is Fate.STRUCTURE
    assert line_of(found, "note to self").fate is Fate.REMARK
    reasons = {text: line_of(found, text) for text in ("Intro.", "For later.")}
    assert {line.fate for line in reasons.values()} == {Fate.IGNORED}
    told = {key: line.why.finding.code for key, line in reasons.items() if line.why}
    assert told == {"Intro.": "delta_text_ignored", "For later.": "delta_section_ignored"}


def test_a_requirement_in_the_wrong_section_is_unread_with_all_its_lines(world: World) -> None:
    found = explained(world, f"## ADDED Requirements\n\n{STUDENT_LOANS}\n## Extra\n\n{RENEWALS}")

    lost = [line for line in only(found).lines if line.number > 8 and line.text.strip()]
    assert [line.fate.value for line in lost] == ["ignored", *["unread"] * 5]
    assert all(line.why is not None for line in lost[1:])
    assert line_of(found, "Student Loans").fate is Fate.HELD


def test_an_entry_with_an_error_is_refused_and_the_others_are_held(world: World) -> None:
    found = explained(
        world,
        f"## ADDED Requirements\n\n{STUDENT_LOANS}\n"
        f"## REMOVED Requirements\n- ### Requirement: Renewal\n",
    )

    removal = line_of(found, "Renewal")
    assert removal.fate is Fate.REFUSED
    assert removal.why is not None
    assert removal.why.finding.code == "merge_requirement_missing"
    assert line_of(found, "Student Loans").fate is Fate.HELD


def test_a_file_that_is_refused_as_a_whole_says_so_on_its_first_line(world: World) -> None:
    world.write(f"{CHANGE}/.openspec.yaml", "schema: spec-driven\nskip_specs: true\n")

    found = explained(world, f"## ADDED Requirements\n\n{STUDENT_LOANS}")

    refused = [line for line in only(found).lines if line.fate is Fate.REFUSED]
    assert [line.why.to_json().get("line") for line in refused if line.why] == [None, 3, 3, 3, 3]
    assert refused[0].text.startswith("### Requirement")


def test_misplaced_and_unreadable_files_are_listed_unread(world: World) -> None:
    world.write(f"{CHANGE}/specs/lending.md", f"## ADDED Requirements\n\n{RENEWALS}")

    found = explained(world, b"## ADDED Requirements\n\xff\n")

    stray, broken = found.files
    assert (stray.path, stray.capability) == ("specs/lending.md", None)
    assert (broken.path, broken.capability) == ("specs/lending/spec.md", "lending")
    for file in found.files:
        assert {line.fate for line in file.lines} <= {Fate.UNREAD, Fate.BLANK}
        assert file.lines[0].why is not None


def test_a_link_that_leads_out_is_named_and_not_read(world: World, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret\n")
    explained(world, f"## ADDED Requirements\n\n{STUDENT_LOANS}")
    world.path(f"{CHANGE}/specs/other").mkdir()
    world.path(f"{CHANGE}/specs/other/spec.md").symlink_to(secret)

    found = preview.explain(world.context(), root_of(world), "longer-loans")

    assert [(file.path, file.lines) for file in found.files][1] == ("specs/other/spec.md", ())


@pytest.mark.parametrize("spec", [None, SPEC], ids=["new", "there"])
def test_the_purpose_of_a_delta_counts_only_for_a_new_spec(world: World, spec: str | None) -> None:
    purpose = "Rules that say for how long books go out and what they cost afterwards."

    found = explained(
        world, f"## Purpose\n{purpose}\n\n## ADDED Requirements\n\n{STUDENT_LOANS}", spec=spec
    )

    assert line_of(found, purpose).fate is (Fate.MERGED if spec is None else Fate.IGNORED)


# For any text

PIECES = (
    "## ADDED Requirements", "## MODIFIED Requirements", "## REMOVED Requirements",
    "## RENAMED Requirements", "## Purpose", "## Notes", "# Title", "## ADDED", "### ADDED Requirements",
    "### Requirement: Loan Period", "### Requirement: Renewals", "### Requirement: New",
    "- ### Requirement: Renewals", "- ### Requirement: Gone", "- FROM: ### Requirement: Renewals",
    "- TO: ### Requirement: Extensions", "- TO: `### Requirement: Loan Period`",
    "The system SHALL set the due date 21 days after checkout.", "It SHALL work.",
    "#### Scenario: Standard loan", "#### Scenario: Reference stock", "#### Scenario: New",
    "- **WHEN** a member checks out a book", STANDARD, "", "", "   ", "```", "~~~", "<!--", "-->",
    "<!-- was: Standard loan -->", "<!-- removed: Reference stock -->", "### Other", "text", "\ufeff",
)  # fmt: skip
LINES = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=40)
SPECS = st.sampled_from([None, SPEC, SPEC.replace("21 days after", "28 days after"), "# broken\n"])
DELTAS = st.builds(
    lambda lines, ending, last: ending.join(lines) + (ending if last else ""),
    LINES,
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(delta=DELTAS, spec=SPECS, base=SPECS)
@example(delta="", spec=SPEC, base=None)
@example(
    delta=f"## MODIFIED Requirements\n\n{LOAN_PERIOD}\n<!-- removed: x -->\n", spec=SPEC, base=SPEC
)
def test_no_line_is_without_a_fate(
    world: World, delta: str, spec: str | None, base: str | None
) -> None:
    for rel in (SPEC_FILE, BASE_FILE):
        world.path(rel).unlink(missing_ok=True)

    found = explained(world, delta, spec=spec, base=base)

    file = only(found)
    text = delta.encode().decode()
    assert [line.text for line in file.lines] == Markdown(text).lines
    assert [line.number for line in file.lines] == list(range(1, len(file.lines) + 1))
    _holds(found, file)
    _lands_where_it_says(world, found, file)
    json.dumps(file.to_json())


def _holds(found: Explanation, file: FileFate) -> None:
    """Fates agree with the verdict, and what has no effect has a reason."""
    is_refused = any(one.level.value == "ERROR" for one in found.findings)
    present = {line.fate for line in file.lines}
    if is_refused:
        assert not present & {Fate.MERGED, Fate.KEPT, Fate.DIRECTIVE}
    else:
        assert not present & {Fate.CONFLICT, Fate.REFUSED, Fate.HELD, Fate.UNREAD}
    for line in file.lines:
        if line.fate in (Fate.UNREAD, Fate.REFUSED, Fate.CONFLICT):
            assert line.why is not None, line
        if line.fate in (Fate.MERGED, Fate.UNCHANGED) and line.role.value == "body":
            assert line.operation is not None


def _lands_where_it_says(world: World, found: Explanation, file: FileFate) -> None:
    landed = [
        line for line in file.lines if line.lands is not None and line.role.value != "rename-to"
    ]
    if not landed or any(one.level.value == "ERROR" for one in found.findings):
        return
    (diff,) = preview.diff(world.context(), root_of(world), "longer-loans") or (None,)
    after = world.read(SPEC_FILE) if diff is None else diff.after
    lines = Markdown(after or "").lines
    for line in landed:
        assert line.lands is not None
        assert lines[line.lands.line - 1] == line.text
