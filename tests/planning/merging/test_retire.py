"""What keeps a spec from going with its last requirement."""

from __future__ import annotations

import pytest
from tests.support.planning_texts import PURPOSE, SPEC, requirement, spec_of

from rasen.planning.merging.retire import text_lost_by_retiring
from rasen.planning.specs.spec_file import SpecDocument


@pytest.mark.parametrize(
    "text",
    [
        SPEC,
        "\ufeff" + SPEC.replace("\n", "\r\n"),
        spec_of(requirement("A"), purpose=f"{PURPOSE}\n\n### Scope\nAll."),
        spec_of(requirement("A", "It SHALL:\n```\n# sample\n\n### x\n```")),
        spec_of(requirement("A") + "##### Detail\nx\n"),
    ],
    ids=["plain", "windows", "purpose with headings", "fence", "deep heading"],
)
def test_nothing_but_requirements_is_lost(text: str) -> None:
    assert text_lost_by_retiring(SpecDocument(text)) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (spec_of("preamble\n", requirement("A")), "preamble"),
        (spec_of(requirement("A"), tail="\n## Notes\nx\n"), "## Notes"),
        (spec_of(requirement("A"), "### Note\nx\n"), "### Note"),
        (spec_of(requirement("A"), "# Other\nx\n"), "# Other"),
        (spec_of(requirement("A")).replace("\n\n## Purpose", "\nintro\n\n## Purpose", 1), "intro"),
        (spec_of(requirement("A"), tail="\n## Purpose\nsecond\n"), "## Purpose"),
        (f"# Purpose\nx\n\n## Notes\nn\n\n## Requirements\n{requirement('A')}", "## Notes"),
        (spec_of("```\nsample\n```\n", requirement("A")), "```"),
    ],
    ids=[
        "preamble", "tail", "absorbed heading", "absorbed title", "text below the title",
        "second purpose", "section inside a level-1 purpose", "fenced preamble",
    ],
)  # fmt: skip
def test_first_line_of_other_text_is_named(text: str, line: str) -> None:
    spec = SpecDocument(text)

    lost = text_lost_by_retiring(spec)

    assert lost is not None
    assert spec.markdown.lines[lost] == line
