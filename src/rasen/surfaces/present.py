"""Errors and findings as JSON members and as text for people, in their language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level
from rasen.base.messages import Phrase, Sentence, Sentences, fill

Translate = Callable[[str], str]
"""From an English template to the same template in the reader's language."""

_SEVERITY = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "info"}


def english(template: str) -> str:
    """The template itself: what programs and agents get."""
    return template


def message(problem: Sentence, translate: Translate = english) -> str:
    """What is wrong, in one sentence or more."""
    return _filled(problem.text, problem.params, translate)


def fix(problem: ToolError | Finding, translate: Translate = english) -> str:
    """What to do about it; empty when there is nothing to say."""
    template = problem.rule.fix if isinstance(problem, Finding) else problem.fix_text
    return _filled(template, problem.params, translate) if template else ""


def diagnostic(problem: ToolError | Finding, *, fallback: str = "command_error") -> dict[str, str]:
    """The envelope `{severity, code, message, target?, fix?}`. Source: planning §0.2.5.

    fallback: the code of an error that has none of its own.
    """
    if isinstance(problem, Finding):
        answer = {"severity": _SEVERITY[problem.level], "code": problem.code}
        target = ""
    else:
        answer = {"severity": problem.severity, "code": problem.code or fallback}
        target = problem.target
    answer["message"] = message(problem)
    if target:
        answer["target"] = target
    step = fix(problem)
    if step:
        answer["fix"] = step
    return answer


def issue(finding: Finding, *, is_fixable: bool = False) -> dict[str, object]:
    """The member of a report: level, path, message, line?, column?, code, fix?, fixable?.

    fixable: only where it is true, that `validate --fix` can mend it.
    """
    answer: dict[str, object] = {
        "level": finding.level.value,
        "path": finding.path,
        "message": finding.message,
    }
    if finding.line is not None:
        answer["line"] = finding.line
    if finding.column is not None:
        answer["column"] = finding.column
    answer["code"] = finding.code
    if finding.fix:
        answer["fix"] = finding.fix
    if is_fixable:
        answer["fixable"] = True
    return answer


def _filled(template: str, params: Mapping[str, object], translate: Translate) -> str:
    return fill(translate(template), told(params, translate))


def told(params: Mapping[str, object], translate: Translate) -> dict[str, object]:
    """`params` with problems and phrases among them in the language of the text around them."""
    return {name: _told(value, translate) for name, value in params.items()}


def _told(value: object, translate: Translate) -> object:
    if isinstance(value, (ToolError, Finding)):
        return message(value, translate)
    if isinstance(value, Sentences):
        return "; ".join(message(one, translate) for one in value)
    return translate(value) if isinstance(value, Phrase) else value
