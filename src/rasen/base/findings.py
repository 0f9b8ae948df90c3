"""One problem that we collect rather than raise: what, where, how bad, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from rasen.base.messages import fill


class Level(Enum):
    """How much a finding weighs: errors fail, warnings fail only strict runs, info never fails."""

    ERROR = "ERROR"
    WARNING = "WARNING"
    INFO = "INFO"


class Rule(NamedTuple):
    """A kind of finding. `code` is unique and never changes meaning; `text` and `fix` are templates."""

    code: str
    level: Level
    text: str
    fix: str = ""


@dataclass(frozen=True)
class Finding:
    """One occurrence of a rule.

    path: what is meant, as the specification of the report says (a file, or a place in a document).
    line, column: one-based; None where the finding is about the whole.
    level: None means the rule's own.
    """

    rule: Rule
    path: str
    params: Mapping[str, object] = field(default_factory=dict)
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return self.message

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def level(self) -> Level:
        return self.rule.level

    @property
    def text(self) -> str:
        return self.rule.text

    @property
    def message(self) -> str:
        """The English text, filled; JSON documents use it, people see its translation."""
        return fill(self.text, self.params)

    @property
    def fix(self) -> str:
        """The English step to take, filled; empty when there is none."""
        return fill(self.rule.fix, self.params) if self.rule.fix else ""


def has_errors(findings: Iterable[Finding], *, strict: bool = False) -> bool:
    """True when any finding fails a run: an error, or, when strict, a warning too."""
    failing = (Level.ERROR, Level.WARNING) if strict else (Level.ERROR,)
    return any(finding.level in failing for finding in findings)
