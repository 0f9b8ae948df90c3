"""The one reader of `proposal.md`: title, why, what changes, and the deltas its bullets suggest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.planning.changes.model import Operation
from rasen.syntax.markdown import Markdown, Section, find_section, sections

WHY_MIN = 50
WHY_MAX = 1000
DELTAS_MAX = 10
DESCRIPTION_MIN = 10

_TITLE_PREFIX = "Change: "
_BULLET = re.compile(r"\s*[-*+]\s+\*\*(?P<name>[^*:]+)(?::\*\*|\*\*:)\s*(?P<text>.+)")
_CAPABILITY = re.compile(
    r"\s*[-*+]\s+(?:`(?P<quoted>[^`<>\s]+)`|\*{0,2}(?P<plain>[a-z0-9][a-z0-9/-]*)\*{0,2})\s*(?:[:–—].*|- .*)?"
)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:/[a-z0-9]+(?:-[a-z0-9]+)*)*")
_GUESSES = (
    (re.compile(r"\brename\b", re.IGNORECASE), Operation.RENAMED),
    (re.compile(r"\b(?:add|create|new)\b", re.IGNORECASE), Operation.ADDED),
    (re.compile(r"\b(?:remove|delete)\b", re.IGNORECASE), Operation.REMOVED),
)

WHY_MISSING = Rule(
    "proposal_why_missing",
    Level.ERROR,
    N_("The proposal has no Why: a `## Why` heading with text below it is needed"),
    N_("Write `## Why` and say in one or two sentences what is wrong today"),
)
WHAT_MISSING = Rule(
    "proposal_what_missing",
    Level.ERROR,
    N_("The proposal has no What Changes: a `## What Changes` heading with text is needed"),
    N_("Write `## What Changes` and list what will be different"),
)
WHY_BRIEF = Rule(
    "proposal_why_brief", Level.WARNING, N_("Why is short ({length} characters, {least} expected)")
)
WHY_LONG = Rule(
    "proposal_why_long", Level.WARNING, N_("Why is long ({length} characters, over {most})")
)
NO_DELTA = Rule("proposal_no_delta", Level.WARNING, N_("The change has no delta"))
MANY_DELTAS = Rule(
    "proposal_many_deltas",
    Level.WARNING,
    N_("The change has {count} deltas, over {most}"),
    N_("Consider splitting it"),
)
DESCRIPTION_BRIEF = Rule(
    "proposal_description_brief", Level.WARNING, N_('"{description}" says too little')
)


class Suggestion(NamedTuple):
    """A bullet of What Changes that names a capability: `- **name:** text`."""

    name: str
    text: str
    operation: Operation


class Proposal:
    """A parsed proposal; what is missing is empty. Source: planning §3.6."""

    def __init__(self, text: str) -> None:
        self._markdown = Markdown(text)
        self._tree = sections(self._markdown)

    @property
    def title(self) -> str:
        """The first level-1 heading anywhere, without `Change: `; "" without one."""
        for heading in self._markdown.headings:
            if heading.level == 1 and heading.is_spaced:
                return heading.title.removeprefix(_TITLE_PREFIX).strip()
        return ""

    @property
    def why(self) -> str:
        return self._body("why")

    @property
    def what_changes(self) -> str:
        return self._body("what changes")

    def suggestions(self) -> list[Suggestion]:
        """The capabilities that the bullets of What Changes name, in order."""
        section = find_section(self._tree, "what changes")
        return [] if section is None else list(self._bullets(section))

    def capabilities(self) -> list[str]:
        """What the proposal says it touches: the names listed in Capabilities, then suggested ones.

        Suggested ones count in kebab-case only, because other bullets begin with a bold word too.
        """
        names = [*self._listed()]
        names += [one.name for one in self.suggestions() if _NAME.fullmatch(one.name)]
        return list(dict.fromkeys(names))

    def _listed(self) -> Iterator[str]:
        section = find_section(self._tree, "capabilities")
        if section is None:
            return
        commented = self._markdown.commented_lines()
        for number in range(section.line + 1, section.end):
            if number in commented or self._markdown.is_fenced(number):
                continue
            match = _CAPABILITY.fullmatch(self._markdown.lines[number])
            if match:
                yield match["quoted"] or match["plain"].rstrip("/-")

    def _body(self, title: str) -> str:
        section = find_section(self._tree, title)
        if section is None:
            return ""
        return "\n".join(self._markdown.lines[section.line + 1 : section.end]).strip()

    def _bullets(self, section: Section) -> Iterator[Suggestion]:
        for line in self._markdown.prose(section.line + 1, section.end):
            match = _BULLET.fullmatch(line)
            if match:
                text = match["text"].strip()
                yield Suggestion(match["name"].strip(), text, guess(text))


def guess(text: str) -> Operation:
    """What a sentence about a capability most likely means; MODIFIED where no word tells."""
    return next(
        (operation for words, operation in _GUESSES if words.search(text)), Operation.MODIFIED
    )


def missing_parts(proposal: Proposal) -> list[Finding]:
    """The parts without which a proposal cannot be shown; empty when both are there."""
    found = []
    if not proposal.why:
        found.append(Finding(WHY_MISSING, "why"))
    if not proposal.what_changes:
        found.append(Finding(WHAT_MISSING, "whatChanges"))
    return found


def advise(proposal: Proposal, descriptions: list[str]) -> list[Finding]:
    """What a person may want to improve in a proposal; it never blocks anything.

    descriptions: one for each delta of the change. Source: planning §3.8.3.
    """
    missing = missing_parts(proposal)
    if missing:
        return missing
    found = []
    length = len(proposal.why)
    if length < WHY_MIN:
        found.append(Finding(WHY_BRIEF, "why", {"length": length, "least": WHY_MIN}))
    if length > WHY_MAX:
        found.append(Finding(WHY_LONG, "why", {"length": length, "most": WHY_MAX}))
    if not descriptions:
        found.append(Finding(NO_DELTA, "deltas"))
    if len(descriptions) > DELTAS_MAX:
        found.append(
            Finding(MANY_DELTAS, "deltas", {"count": len(descriptions), "most": DELTAS_MAX})
        )
    for index, description in enumerate(descriptions):
        if len(description) < DESCRIPTION_MIN:
            params = {"description": description}
            found.append(Finding(DESCRIPTION_BRIEF, f"deltas.{index}.description", params))
    return found
