"""What can be wrong with any YAML that a user writes for a workflow, and how to mend it."""

from __future__ import annotations

import re

from rasen.base.messages import N_, Phrase
from rasen.syntax import yaml
from rasen.syntax.yaml_quotes import cure
from rasen.workflows import rules
from rasen.workflows.model import Diagnostic

TEXT_WANTED = Phrase(N_("it has to be text on one line"))

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def yaml_problem(error: yaml.YamlInvalid, text: str, file: str, first: int = 0) -> Diagnostic:
    """What the YAML reader said of `file`; a value that lacks its quotes is shown with them.

    first: the lines of the file before `text`.
    """
    line, column = int(str(error.params["line"])), int(str(error.params["column"]))
    params: dict[str, object] = {"file": file, "line": line + first}
    params["problem"] = str(error.params["problem"])
    quoted = cure(error, text)
    rule = rules.YAML
    if quoted is not None:
        rule, params["line_text"] = rules.YAML_QUOTES, quoted
    return Diagnostic(rule, file, params, line + first, column, file)


def alias_problem(alias: tuple[str, int, int], file: str, first: int = 0) -> Diagnostic:
    """An alias in `file`, which is never allowed. Source: library SP-051."""
    name, line, column = alias
    params = {"file": file, "name": name}
    return Diagnostic(rules.ALIAS, file, params, line + first, column, file)


def line_problem(value: object) -> Phrase | None:
    """What keeps `value` from being a line of text; None when it is one. Source: WF-026, WF-051."""
    if not isinstance(value, str):
        return TEXT_WANTED
    if not value.strip():
        return Phrase(N_("it is empty"))
    if _CONTROL.search(value):
        return Phrase(N_("it has a line break or another control character"))
    return None
