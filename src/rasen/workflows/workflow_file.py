"""Owns the manifest `workflow.yaml`, version 1: strict, with the place of everything that is wrong.

`workflow_file.v1.schema.json` states the form for editors; it is checked by hand here, because the
catalogue reads every manifest of the machine. Source: library §2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rasen.base.findings import Rule, has_errors
from rasen.base.messages import N_, Phrase
from rasen.base.text import nearest
from rasen.hosts.model import SKILL
from rasen.syntax import yaml
from rasen.syntax.portable_path import REASONS, is_id, is_skill_reference
from rasen.syntax.portable_path import check as fault_of_path
from rasen.syntax.yaml_quotes import with_quotes
from rasen.workflows import rules
from rasen.workflows.model import MANIFEST, Diagnostic, Kind, Requires
from rasen.workflows.yaml_problems import (
    TEXT_WANTED,
    alias_problem,
    line_problem,
    yaml_problem,
)

FORMAT = MANIFEST
VERSION = 1
KINDS = (Kind.TASK.value, Kind.INTERNAL.value)

_TOP = ("version", "id", "kind", "skill", "command", "files", "requires", "recommends")
_PRESENTATION = ("name", "category", "tags")
_COMMAND = ("enabled", "name", "category", "tags")
_FILES = ("sidecars", "scripts")
_REQUIRES: Mapping[str, tuple[Rule, Callable[[str], bool]]] = {
    "workflows": (rules.WORKFLOW_DEPENDENCY, is_id),
    "skills": (rules.SKILL_DEPENDENCY, is_skill_reference),
    "pipelines": (rules.PIPELINE_DEPENDENCY, is_id),
    "schemas": (rules.SCHEMA_DEPENDENCY, is_id),
}

_LIST_WANTED = Phrase(N_("it has to be a list"))
_MAP_WANTED = Phrase(N_("it has to be a map"))


@dataclass(frozen=True)
class Manifest:
    """What a manifest says, with its defaults. title, category: of the block `skill`."""

    id: str
    kind: Kind = Kind.TASK
    title: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    sidecars: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    requires: Requires = field(default_factory=Requires)
    recommends: tuple[str, ...] = ()

    @property
    def declared(self) -> tuple[str, ...]:
        """Every file that it declares."""
        return (*self.sidecars, *self.scripts)


class Parsed(NamedTuple):
    """A manifest, or None when it has errors; and all that was found."""

    manifest: Manifest | None
    found: tuple[Diagnostic, ...]


Path = tuple[str | int, ...]


def parse(text: str) -> Parsed:
    """The manifest in `text`, and what is wrong with it. Source: library WF-021 to WF-044."""
    try:
        value = yaml.load(text, file=FORMAT)
    except yaml.YamlInvalid as error:
        return Parsed(None, (yaml_problem(error, text, FORMAT),))
    alias = yaml.alias_in(text)
    if alias is not None:
        return Parsed(None, (alias_problem(alias, FORMAT),))
    reading = _Reading()
    manifest = reading.manifest(value)
    found = placed(reading.found, text)
    return Parsed(None if has_errors(found) else manifest, found)


class Found(NamedTuple):
    """A problem with the place of its value in the document."""

    rule: Rule
    where: Path
    params: Mapping[str, object]


def dotted(where: Path) -> str:
    """The name of a place in a document, such as `files.sidecars[2]`."""
    name = ""
    for one in where:
        name += f"[{one}]" if isinstance(one, int) else f".{one}" if name else one
    return name


def placed(found: Sequence[Found], text: str) -> tuple[Diagnostic, ...]:
    """`found` in a manifest, each with its line and column."""
    if not found:
        return ()
    document = yaml.load_positioned(text, file=FORMAT)
    lines = text.split("\n")
    return tuple(_diagnostic(one, document, lines) for one in found)


def _diagnostic(one: Found, document: yaml.Positioned, lines: Sequence[str]) -> Diagnostic:
    """A problem with its place, or that of what it lies in; a value that lacks its quotes with them."""
    places = (document.where(one.where[:size]) for size in range(len(one.where), -1, -1))
    line, column = next((place for place in places if place is not None), (None, None))
    rule, params = one.rule, one.params
    is_text_wanted = rule is rules.SCHEMA and params.get("problem") == TEXT_WANTED
    if is_text_wanted and line is not None and document.where(one.where) is not None:
        quoted = with_quotes(lines[line - 1])
        if quoted is not None:
            rule, params = rules.SCHEMA_QUOTES, {**params, "line": line, "line_text": quoted}
    return Diagnostic(rule, dotted(one.where), params, line, column, FORMAT)


class _Reading:
    """One manifest under examination."""

    def __init__(self) -> None:
        self.found: list[Found] = []

    def manifest(self, value: object) -> Manifest | None:
        top = self._map(value, (), _TOP)
        if top is None:
            return None
        self._version(top)
        id, kind = self._id(top), self._kind(top)
        title, category, tags = self._presentation(top)
        self._command(top)
        files = self._section(top, "files", _FILES)
        sidecars, scripts = self._files(files, "sidecars"), self._files(files, "scripts")
        self._disjoint(sidecars, scripts)
        requires = self._section(top, "requires", tuple(_REQUIRES))
        needed = {
            name: self._ids(requires, ("requires", name), *_REQUIRES[name]) for name in _REQUIRES
        }
        recommends = self._section(top, "recommends", ("workflows",))
        wished = self._ids(recommends, ("recommends", "workflows"), *_REQUIRES["workflows"])
        return Manifest(
            id, kind, title, category, tags, sidecars, scripts, Requires(**needed), wished
        )

    def _version(self, top: Mapping[str, object]) -> None:
        if "version" not in top:
            self._missing(("version",))
        elif type(top["version"]) is not int or top["version"] != VERSION:
            self._wrong(("version",), Phrase(N_("it has to be the number 1")))

    def _id(self, top: Mapping[str, object]) -> str:
        if "id" not in top:
            self._missing(("id",))
        elif not isinstance(top["id"], str):
            self._wrong(("id",), TEXT_WANTED)
        elif not is_id(top["id"]):
            self._add(rules.ID, ("id",), id=top["id"][:80])
        else:
            return top["id"]
        return ""

    def _kind(self, top: Mapping[str, object]) -> Kind:
        kind = top.get("kind", Kind.TASK.value)
        if kind not in KINDS:
            self._wrong(("kind",), Phrase(N_("it has to be task or internal")))
            return Kind.TASK
        return Kind(str(kind))

    def _presentation(
        self, top: Mapping[str, object]
    ) -> tuple[str | None, str | None, tuple[str, ...]]:
        if "skill" not in top:
            return None, None, ()
        block = self._map(top["skill"], ("skill",), _PRESENTATION)
        if block is None:
            return None, None, ()
        if "name" not in block:
            self._missing(("skill", "name"))
        return (
            self._text(block, ("skill", "name")),
            self._text(block, ("skill", "category")),
            self._tags(block, ("skill", "tags")),
        )

    def _command(self, top: Mapping[str, object]) -> None:
        """The block of earlier versions: checked, ignored, and warned of. Source: WF-031, C-06."""
        if "command" not in top:
            return
        where: Path = ("command",)
        self._add(rules.COMMAND, where)
        block = self._map(top["command"], where, _COMMAND)
        if block is None:
            return
        enabled = block.get("enabled")
        if not isinstance(enabled, bool):
            self._wrong((*where, "enabled"), Phrase(N_("it has to be true or false")))
        elif not enabled:
            for name in block.keys() - {"enabled"}:
                self._wrong(
                    (*where, name), Phrase(N_("a block that is not enabled has nothing else"))
                )
        else:
            for name in ("name", "category", "tags"):
                if name not in block:
                    self._missing((*where, name))
            self._text(block, (*where, "name"))
            self._text(block, (*where, "category"))
            self._tags(block, (*where, "tags"))

    def _files(self, files: Mapping[str, object], name: str) -> tuple[str, ...]:
        where: Path = ("files", name)
        paths = self._unique(files, where)
        good = []
        for number, path in paths:
            at = (*where, number)
            fault = fault_of_path(path)
            if fault is not None:
                reason = Phrase(REASONS[fault])
                self._add(rules.PATHS[fault], at, path=path[:300], reason=reason)
            elif path in (MANIFEST, SKILL):
                self._add(rules.RESERVED, at, file=path)
            else:
                good.append(path)
        return tuple(good)

    def _disjoint(self, sidecars: Iterable[str], scripts: Sequence[str]) -> None:
        for path in sidecars:
            if path in scripts:
                where = ("files", "scripts", scripts.index(path))
                self._add(rules.DECLARED_TWICE, where, file=path)

    def _ids(
        self, block: Mapping[str, object], where: Path, rule: Rule, is_good: Callable[[str], bool]
    ) -> tuple[str, ...]:
        good = []
        for number, one in self._unique(block, where):
            if is_good(one):
                good.append(one)
            else:
                self._add(rule, (*where, number), **_named(rule, one[:200]))
        return tuple(good)

    def _unique(self, block: Mapping[str, object], where: Path) -> list[tuple[int, str]]:
        """The texts of a list with their numbers, each once."""
        items = block.get(str(where[-1]), [])
        if not isinstance(items, list):
            self._wrong(where, _LIST_WANTED)
            return []
        found: dict[str, int] = {}
        for number, one in enumerate(items):
            at = (*where, number)
            if not isinstance(one, str):
                self._wrong(at, TEXT_WANTED)
            elif one in found:
                self._add(rules.TWICE, at, value=one[:300])
            else:
                found[one] = number
        return [(number, one) for one, number in found.items()]

    def _tags(self, block: Mapping[str, object], where: Path) -> tuple[str, ...]:
        if where[-1] not in block:
            return ()
        tags = block[str(where[-1])]
        if not isinstance(tags, list) or not tags:
            self._wrong(where, Phrase(N_("it has to be a list with something in it")))
            return ()
        texts = {number: self._line(one, (*where, number)) for number, one in enumerate(tags)}
        return tuple(one for one in texts.values() if one is not None)

    def _text(self, block: Mapping[str, object], where: Path) -> str | None:
        name = str(where[-1])
        return self._line(block[name], where) if name in block else None

    def _line(self, value: object, where: Path) -> str | None:
        problem = line_problem(value)
        if problem is not None:
            self._wrong(where, problem)
            return None
        return str(value)

    def _section(
        self, top: Mapping[str, object], name: str, known: tuple[str, ...]
    ) -> Mapping[str, object]:
        if name not in top:
            return {}
        return self._map(top[name], (name,), known) or {}

    def _map(self, value: object, where: Path, known: tuple[str, ...]) -> dict[str, object] | None:
        if not isinstance(value, dict):
            self._wrong(where, _MAP_WANTED)
            return None
        for key in value:
            if key not in known:
                close = nearest(key, known, most=1, within=2)
                self._unknown((*where, key), close[0] if close else "")
        return value

    def _unknown(self, where: Path, close: str) -> None:
        problem = Phrase(N_("there is no such field"))
        if not close:
            self._wrong(where, problem)
            return
        self._add(rules.SCHEMA_NEAR, where, field=dotted(where), problem=problem, nearest=close)

    def _missing(self, where: Path) -> None:
        self._wrong(where, Phrase(N_("it is missing")))

    def _wrong(self, where: Path, problem: str) -> None:
        self._add(rules.SCHEMA, where, field=dotted(where) or FORMAT, problem=problem)

    def _add(self, rule: Rule, where: Path, **params: object) -> None:
        self.found.append(Found(rule, where, params))


def _named(rule: Rule, dependency: str) -> dict[str, str]:
    params = {"dependency": dependency}
    return {**params, "reason": rules.NO_ID} if rule is rules.WORKFLOW_DEPENDENCY else params
