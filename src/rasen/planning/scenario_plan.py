"""Scenarios of a spec as a list of test cases, for artifacts that are written from them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rasen.syntax.markdown import Markdown

_SCENARIO = re.compile(r"scenario:\s*(.*)", re.IGNORECASE)
_STEP = re.compile(
    r"\s*[-*+]\s*(?P<mark>\*{0,2})(?P<word>given|when|then|and)\b:?(?P=mark):?\s*(?P<text>.*)",
    re.IGNORECASE,
)


@dataclass
class _Case:
    name: str
    preconditions: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    expectations: list[str] = field(default_factory=list)

    def steps(self, word: str) -> list[str]:
        """Where a step that begins with `word` belongs; AND counts as an expectation."""
        return {"given": self.preconditions, "when": self.actions}.get(word, self.expectations)


def plan(name: str, text: str) -> dict[str, object]:
    """`{specName, testCases:[{name, preconditions, actions, expectations}]}` for one spec.

    Source: planning §4.6, structured context.
    """
    document = Markdown(text)
    starts = [heading.line for heading in document.headings]
    cases = []
    for heading in document.headings:
        match = _SCENARIO.fullmatch(heading.title)
        if heading.level == 4 and match:
            end = next((line for line in starts if line > heading.line), len(document.lines))
            cases.append(_case(match[1].strip(), document, heading.line + 1, end))
    return {"specName": name, "testCases": [vars(case) for case in cases]}


def _case(name: str, document: Markdown, start: int, end: int) -> _Case:
    case = _Case(name)
    last: list[str] | None = None
    for number in range(start, end):
        line = document.lines[number]
        step = None if document.is_fenced(number) else _STEP.fullmatch(line)
        if step:
            last = case.steps(step["word"].lower())
            last.append(step["text"].strip())
        elif last is not None and line[:1].isspace() and line.strip():
            last[-1] = f"{last[-1]} {line.strip()}".strip()
        else:
            last = None
    return case
