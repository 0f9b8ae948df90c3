"""Codes are what programs match on: unique, well formed, with a text."""

from __future__ import annotations

import re
import string

from tests.support.source import errors, rules

from rasen.base.errors import ToolError
from rasen.base.findings import Rule


def _coded() -> list[type[ToolError] | Rule]:
    return [error for error in errors() if error.code] + list(rules())


def test_codes_are_snake_case() -> None:
    assert [
        item.code
        for item in _coded()
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", item.code)
    ] == []


def test_a_code_has_one_owner() -> None:
    owners: dict[str, set[str]] = {}
    for error in errors():
        if error.code and "code" in vars(error):
            owners.setdefault(error.code, set()).add(error.__module__.rpartition(".")[0])

    assert {code: sorted(folders) for code, folders in owners.items() if len(folders) > 1} == {}


ONE_CODE_FOR_MANY = {"pipeline_invalid"}
"""Codes that the specification gives to everything that is wrong with one thing (library PL-002)."""


def test_a_rule_s_code_has_one_text() -> None:
    texts: dict[str, set[str]] = {}
    for rule in rules():
        if rule.code in ONE_CODE_FOR_MANY:
            continue
        texts.setdefault(rule.code, set()).add(rule.text)

    assert {code: sorted(told) for code, told in texts.items() if len(told) > 1} == {}


def test_every_code_has_a_text() -> None:
    assert [item.code for item in _coded() if not item.text.strip()] == []


def test_every_text_is_a_template_with_named_places() -> None:
    bad = []
    for item in _coded():
        for template in (item.text, item.fix):
            names = [
                name for _, name, _, _ in string.Formatter().parse(template) if name is not None
            ]
            bad += [item.code for name in names if not name.isidentifier()]

    assert bad == []


def test_severities_are_those_of_the_envelope() -> None:
    assert {error.severity for error in errors()} <= {"error", "warning", "info"}
