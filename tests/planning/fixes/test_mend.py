"""Whatever is mended, nothing that was written is lost, and a second run finds nothing to do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.planning_texts import HEAD, LOAN_PERIOD, RENEWALS, SPEC

from rasen.base.findings import Level
from rasen.planning.bases.model import Base, Source
from rasen.planning.change_plan import LoadedChange, LoadedDelta, Target
from rasen.planning.disk import DeltaFile, Discovery
from rasen.planning.fixes.draft import ChangeDraft, Draft, SpecDraft
from rasen.planning.fixes.mend import is_mendable, mend
from rasen.planning.specs.spec_file import SpecDocument

HERE = Path("/project/rasen")
DELTA_PATH = HERE / "changes/c/specs/lending/spec.md"
SPEC_PATH = HERE / "specs/lending/spec.md"

_PIECES = [
    "# Delta\n",
    "## ADDED Requirements\n",
    "## MODIFIED Requirements\n",
    "## REMOVED Requirements\n",
    "## Requirements\n",
    "##ADDED Requirements\n",
    "## Add Requirements\n",
    "## Modifed Requirements\n",
    "## Notes\n",
    "## Purpose\n",
    "### Requirement: New\n",
    "## Requirement: Other\n",
    "#### Requirement: Third\n",
    "### Requirement - Fourth\n",
    "### Requirement: Loan Period\n",
    "### Requirement: Loan Periods\n",
    "### Requirement: Renewal\n",
    "- ### Requirement: Renewals\n",
    "- ### Requirement: Renewls\n",
    "### Reason\n",
    "It SHALL work.\n",
    "Words that are long enough to say what this capability is good for, more or less.\n",
    "#### Scenario: Standard loan\n",
    "#### Scenario: Works\n",
    "### Scenario: Level three\n",
    "## Scenario: Level two\n",
    "- **THEN** it works\n",
    "```\n",
    "<!-- ### Requirement: Hidden -->\n",
    "<!--\n",
    "-->\n",
    "\n",
]
TEXTS = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=14).map("".join)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])
LAST = st.booleans()
_SOUND = [HEAD, LOAN_PERIOD + "\n", RENEWALS + "\n", "## Notes\n\n", "## ADDED Requirements\n\n"]
SPECS = st.lists(st.sampled_from([*_SOUND, *_PIECES]), max_size=8).map("".join)


def change_of(text: str, spec: str | None = SPEC) -> ChangeDraft:
    """A change with one delta to `lending`, whose author saw the spec as it is."""
    file = DeltaFile("lending", "lending/spec.md", DELTA_PATH)
    document = None if spec is None else SpecDocument(spec)
    target = Target(SPEC_PATH, "specs/lending/spec.md", "", document)
    loaded = LoadedChange(
        "c",
        HERE / "changes/c",
        Discovery((file,), ()),
        (LoadedDelta(file, text, ""),),
        lambda _: target,
        lambda name: Base(name, Source.RECORDED, spec),
    )
    return ChangeDraft(loaded)


def written(text: str, ending: str, is_ended: bool) -> str:
    text = text if is_ended else text.rstrip("\n")
    return text.replace("\n", ending)


def prose(text: str) -> Counter[str]:
    """The lines that no remedy may touch."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Counter(
        line for line in lines if line.strip() and line[0] != "#" and "Requirement:" not in line
    )


def scenarios(text: str) -> Counter[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return Counter(
        line.lstrip("# ") for line in lines if line.startswith("#") and "Scenario:" in line
    )


def errors(draft: Draft) -> int:
    return sum(one.level is Level.ERROR for one in draft.findings)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, ending=ENDINGS, is_ended=LAST)
def test_mending_a_delta_loses_no_line(text: str, ending: str, is_ended: bool) -> None:
    text = written(text, ending, is_ended)

    steps = mend(change_of(text))

    after = steps[-1].after.texts[DELTA_PATH] if steps else text
    assert after is not None
    added = prose(after) - prose(text)
    is_copied = any(step.finding.code == "merge_scenario_lost" for step in steps)
    assert not prose(text) - prose(after)
    assert not added or is_copied
    assert not added - prose(SPEC)
    assert not scenarios(text) - scenarios(after)
    assert mend(change_of(after)) == []
    assert ending == "\n" or "\n" not in after.replace(ending, "")


@settings(max_examples=400, deadline=None)
@given(text=SPECS, ending=ENDINGS, is_ended=LAST)
def test_mending_a_spec_loses_no_line(text: str, ending: str, is_ended: bool) -> None:
    text = written(text, ending, is_ended)
    draft = SpecDraft(SPEC_PATH, text)

    steps = mend(draft)

    after = steps[-1].after.texts[SPEC_PATH] if steps else text
    assert after is not None
    assert prose(after) == prose(text)
    assert scenarios(after) == scenarios(text)
    assert mend(SpecDraft(SPEC_PATH, after)) == []


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_what_is_kept_leaves_no_new_error(text: str) -> None:
    draft = change_of(text)

    steps = mend(draft)

    if steps:
        assert not steps[-1].after.errors - draft.errors


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_a_marked_finding_is_one_that_a_run_mends(text: str) -> None:
    """Where any finding is marked as mendable, a run has something to do, and only then."""
    draft = change_of(text)

    is_marked = any(is_mendable(draft, one) for one in draft.findings)

    assert is_marked == bool(mend(draft))


MOVED_ONLY = {
    "with crlf": ("## Notes\r\n\r\n### Requirement: New\r\nIt SHALL work.\r\n", "\r\n"),
    "mixed": ("## Notes\n\n### Requirement: New\r\nIt SHALL work.\n", "\n"),
}


@pytest.mark.parametrize(("head", "ending"), MOVED_ONLY.values(), ids=MOVED_ONLY)
def test_a_moved_block_keeps_its_bytes(head: str, ending: str) -> None:
    text = f"{head}{ending}#### Scenario: Works{ending}- **THEN** b{ending}"

    steps = mend(change_of(text))

    after = steps[-1].after.texts[DELTA_PATH]
    block = text[text.index("### Req") :]
    assert after == f"## Notes{ending}{ending}## ADDED Requirements{ending}{ending}{block}"


def test_many_findings_are_mended_in_reasonable_time() -> None:
    blocks = [
        f"### Requirement: R{n}\nIt SHALL work.\n\n#### Scenario: s\n- **THEN** b\n"
        for n in range(60)
    ]
    text = f"{SPEC}\n## Notes\n\nWhy.\n\n" + "\n".join(blocks)

    steps = mend(SpecDraft(SPEC_PATH, text))

    assert len(steps) == 60
    assert errors(steps[-1].after) == 0
