"""Owns the SKILL.md that a user writes for a workflow: strict front matter, then instructions.

Source: library §2.3.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from rasen.base.findings import Rule, has_errors
from rasen.base.messages import N_, Phrase
from rasen.base.text import nearest
from rasen.hosts.model import SKILL
from rasen.syntax import yaml
from rasen.syntax.portable_path import is_id
from rasen.syntax.yaml_quotes import with_quotes
from rasen.workflows import references, rules
from rasen.workflows.model import Diagnostic
from rasen.workflows.yaml_problems import (
    TEXT_WANTED,
    alias_problem,
    line_problem,
    yaml_problem,
)

FORMAT = SKILL

_BLOCK = re.compile(r"---\r?\n(.*?)^---(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELDS = ("name", "description", "license", "compatibility", "metadata")
_WANTED = ("name", "description")


class SkillText(NamedTuple):
    """What a SKILL.md says. first: the number of lines before the body."""

    name: str
    description: str
    body: str
    license: str | None
    compatibility: str | None
    metadata: Mapping[str, str]
    first: int


class Parsed(NamedTuple):
    """A skill, or None when it has errors; and all that was found."""

    skill: SkillText | None
    found: tuple[Diagnostic, ...]


def parse(text: str) -> Parsed:
    """The skill in `text`, and what is wrong with it. Source: library WF-050 to WF-053, WF-056."""
    block = _BLOCK.match(text)
    if block is None:
        finding = Diagnostic(rules.FRONT_MATTER_MISSING, FORMAT, {"file": FORMAT}, 1, 1, FORMAT)
        return Parsed(None, (finding,))
    body, first = text[block.end() :], text.count("\n", 0, block.end())
    fields, found = _fields(block[1])
    found += _body(body, first)
    if fields is None or has_errors(found):
        return Parsed(None, tuple(found))
    skill = SkillText(
        str(fields["name"]),
        str(fields["description"]),
        body.lstrip("\r\n"),
        _optional(fields, "license"),
        _optional(fields, "compatibility"),
        _metadata(fields),
        first,
    )
    return Parsed(skill, tuple(found))


def unresolved(text: str, files: Collection[str]) -> Iterator[Diagnostic]:
    """The references of a SKILL.md that name none of `files`, each once. Source: WF-054."""
    block = _BLOCK.match(text)
    start = block.end() if block else 0
    told: set[str] = set()
    for one in references.sidecars(text[start:]):
        if one.text not in files and one.text not in told:
            told.add(one.text)
            yield _mention(rules.REFERENCE, one._replace(at=one.at + start), text)


def _mention(rule: Rule, one: references.Mention, text: str, first: int = 0) -> Diagnostic:
    line = text.count("\n", 0, one.at) + 1
    column = one.at - text.rfind("\n", 0, one.at)
    name = "placeholder" if rule is rules.PLACEHOLDER else "reference"
    return Diagnostic(rule, FORMAT, {name: one.text[:300]}, line + first, column, FORMAT)


def _body(body: str, first: int) -> list[Diagnostic]:
    if not body.strip():
        return [Diagnostic(rules.EMPTY_BODY, FORMAT, {"file": FORMAT}, first or None, None, FORMAT)]
    found = []
    for rule, look in (
        (rules.PLACEHOLDER, references.placeholders),
        (rules.LEGACY_NAMESPACE, references.old_names),
        (rules.MACHINE_PATH, references.machine_paths),
    ):
        seen = {one.text: one for one in reversed(list(look(body)))}
        mentions = sorted(seen.values(), key=lambda one: one.at)
        found += [_mention(rule, one, body, first) for one in mentions]
    return found


def _fields(head: str) -> tuple[dict[str, object] | None, list[Diagnostic]]:
    try:
        value = yaml.load(head, file=FORMAT)
    except yaml.YamlInvalid as error:
        return None, [yaml_problem(error, head, FORMAT, first=1)]
    alias = yaml.alias_in(head)
    if alias is not None:
        return None, [alias_problem(alias, FORMAT, first=1)]
    found: list[Diagnostic] = []
    if not isinstance(value, dict):
        return None, [_wrong(head, (), Phrase(N_("it has to be a map")))]
    for key in value:
        if key not in _FIELDS:
            found.append(_unknown(head, key))
    for key in _WANTED:
        if key not in value:
            found.append(_wrong(head, (key,), Phrase(N_("it is missing"))))
    for key in _FIELDS[:-1]:
        problem = line_problem(value[key]) if key in value else None
        if problem is not None:
            found.append(_wrong(head, (key,), problem))
    found += _metadata_problems(head, value)
    name = value.get("name")
    if isinstance(name, str) and line_problem(name) is None and not is_id(name):
        found.append(_wrong(head, ("name",), "", rules.SKILL_NAME, name=name[:80]))
    return value, found


def _metadata_problems(head: str, value: Mapping[str, object]) -> Iterator[Diagnostic]:
    if "metadata" not in value:
        return
    metadata = value["metadata"]
    if not isinstance(metadata, dict):
        yield _wrong(head, ("metadata",), Phrase(N_("it has to be a map from text to text")))
        return
    for key, one in metadata.items():
        for part in (key, one):
            problem = line_problem(part)
            if problem is not None:
                yield _wrong(head, ("metadata", key), problem)
                break


def _unknown(head: str, key: str) -> Diagnostic:
    problem = Phrase(N_("there is no such field"))
    close = nearest(key, _FIELDS, most=1, within=2)
    if not close:
        return _wrong(head, (key,), problem)
    rule = rules.FRONT_MATTER_NEAR
    return _wrong(head, (key,), "", rule, field=key, problem=problem, nearest=close[0])


def _wrong(
    head: str, where: tuple[str, ...], problem: str, rule: Rule | None = None, /, **params: object
) -> Diagnostic:
    """A problem of a field, with its line; a value that lacks its quotes is shown with them."""
    place = yaml.load_positioned(head, file=FORMAT).where(where) if where else (1, 1)
    line, column = place if place is not None else (0, 1)
    if rule is None:
        rule, params = rules.FRONT_MATTER, {"field": ".".join(where) or FORMAT, "problem": problem}
        lines = head.split("\n")
        text = with_quotes(lines[line - 1]) if place is not None and line <= len(lines) else None
        if text is not None and problem == TEXT_WANTED and where:
            rule = rules.FRONT_MATTER_QUOTES
            params |= {"line": line + 1, "line_text": text}
    return Diagnostic(rule, FORMAT, params, line + 1, column, FORMAT)


def _optional(fields: Mapping[str, object], name: str) -> str | None:
    return str(fields[name]) if name in fields else None


def _metadata(fields: Mapping[str, object]) -> dict[str, str]:
    value = fields.get("metadata")
    return {str(key): str(one) for key, one in value.items()} if isinstance(value, dict) else {}
