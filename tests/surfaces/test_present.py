"""Errors and findings as documents and as text."""

from __future__ import annotations

from rasen.base.errors import NotFound
from rasen.base.findings import Finding, Level, Rule
from rasen.surfaces import present


class Missing(NotFound):
    code = "test_missing"
    text = "no {thing}"
    fix = "make {thing}"


RULE = Rule("test_rule", Level.WARNING, "odd {what}", "straighten {what}")


def test_a_diagnostic_has_the_members_of_the_envelope() -> None:
    answer = present.diagnostic(Missing(target="store.id", thing="store"))

    assert answer == {
        "severity": "error",
        "code": "test_missing",
        "message": "no store",
        "target": "store.id",
        "fix": "make store",
    }


def test_an_error_without_a_code_takes_the_command_s() -> None:
    class Anonymous(NotFound):
        text = "nothing"

    assert present.diagnostic(Anonymous(), fallback="show_error")["code"] == "show_error"


def test_empty_members_are_left_out() -> None:
    assert set(present.diagnostic(Missing(fix="", thing="x"))) == {"severity", "code", "message"}


def test_a_finding_keeps_its_place() -> None:
    finding = Finding(RULE, "specs/a", {"what": "line"}, line=3, column=1)

    assert present.issue(finding) == {
        "level": "WARNING",
        "path": "specs/a",
        "message": "odd line",
        "line": 3,
        "column": 1,
        "code": "test_rule",
        "fix": "straighten line",
    }


def test_an_error_inside_a_sentence_is_told_in_the_same_language() -> None:
    class Outer(NotFound):
        code = "test_outer"
        text = "because: {cause}"

    told = present.message(
        Outer(cause=Missing(thing="x")),
        lambda text: text.upper().replace("{THING}", "{thing}").replace("{CAUSE}", "{cause}"),
    )

    assert told == "BECAUSE: NO x"


def test_a_value_is_never_read_as_a_template() -> None:
    assert present.message(Missing(thing="{x}")) == "no {x}"
