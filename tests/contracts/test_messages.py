"""Every sentence for people exists in every language, with the same places."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.source import errors, rules
from tools import messages

from rasen.i18n import catalog
from rasen.surfaces import table


@pytest.fixture(scope="module")
def templates() -> dict[str, str]:
    return messages.extracted()


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_template_is_translated_with_the_same_places(
    language: str, templates: dict[str, str]
) -> None:
    assert list(messages.problems(language, templates)) == []


def test_there_is_a_catalogue_for_every_language() -> None:
    assert {language.replace("_", "-").lower() for language in messages.LANGUAGES} == {
        language for language in catalog.LANGUAGES if language != catalog.ENGLISH
    }


def test_every_error_and_rule_can_be_translated(templates: dict[str, str]) -> None:
    assert sorted(text for text in _domain_texts() if text not in templates) == []


def test_every_line_of_the_table_can_be_translated(templates: dict[str, str]) -> None:
    texts = [row.help for row in table.OPERATIONS] + list(table.GROUPS.values())

    assert [text for text in texts if text not in templates] == []


def test_every_marked_text_is_found_by_the_extractor(templates: dict[str, str]) -> None:
    """Babel sees nothing inside an f-string or inside the call of another marked function."""
    missed = [
        f"{path.relative_to(messages.SOURCE)}: {text}"
        for path in sorted(messages.SOURCE.rglob("*.py"))
        for text in _marked(path)
        if text and text not in templates
    ]

    assert missed == []


def test_no_message_begs_or_stays_vague(templates: dict[str, str]) -> None:
    vague = ("please", "oops", "something went wrong", "sorry")

    assert [text for text in templates if any(word in text.lower() for word in vague)] == []


def _domain_texts() -> Iterator[str]:
    for error in errors():
        yield from filter(None, (error.text, error.fix))
    for rule in rules():
        yield from filter(None, (rule.text, rule.fix))


def _marked(path: Path) -> Iterator[str]:
    """The literal texts that are given to a marked function in a module."""
    is_surface = path.is_relative_to(messages.SOURCE / "surfaces")
    marked = messages.SPOKEN if is_surface else messages.MARKED
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        place = (marked.get(name) or (1,))[0] - 1
        if name not in marked or len(node.args) <= place:
            continue
        said = node.args[place]
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            yield said.value
