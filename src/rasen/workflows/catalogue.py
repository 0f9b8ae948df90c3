"""All workflows that a selection can name: ours, then the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rasen.base.findings import Finding, Rule
from rasen.hosts.model import SKILL
from rasen.syntax.portable_path import collision_key, order
from rasen.workflows import builtin, rules
from rasen.workflows.closure import close
from rasen.workflows.experts import EXPERTS
from rasen.workflows.model import MANIFEST, Definition, Diagnostic, Invalid, Requires, Source
from rasen.workflows.reading import Reading
from rasen.workflows.skill_names import current_skill


class Known(NamedTuple):
    """Whether a pipeline or a schema of a name is there; who has these asks for it."""

    pipeline: Callable[[str], bool]
    schema: Callable[[str], bool]


@dataclass(frozen=True)
class Catalogue:
    """definitions: in catalogue order, ours first. diagnostics: what is worth a word about it.

    invalid: workflows of the user's that cannot be used, by id.
    """

    definitions: tuple[Definition, ...] = builtin.BUILT_IN
    diagnostics: tuple[Finding, ...] = ()
    invalid: tuple[Invalid, ...] = ()

    def find(self, id: str) -> Definition | None:
        """The definition of that id, or None."""
        return next((one for one in self.definitions if one.id == id), None)

    def closed(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        """`ids` and all they require, in the order of the catalogue; unknown ids are left out."""
        return close(self.definitions, ids)


def assemble(
    readings: Iterable[Reading], broken: Iterable[Invalid] = (), known: Known | None = None
) -> Catalogue:
    """The catalogue of our workflows and of those that were read.

    broken: entries that were no workflow at all. known: None passes over pipelines and schemas.
    Source: library §2.6.
    """
    made = _Assembly(known)
    for reading in sorted(readings, key=lambda one: order(_name(one))):
        made.add(reading)
    made.check_dependencies()
    return made.catalogue(broken)


def judge(catalogue: Catalogue, reading: Reading, known: Known | None = None) -> list[Diagnostic]:
    """Everything to be said of a workflow if it came into `catalogue`, its former self left out."""
    made = _Assembly(known)
    for one in catalogue.definitions:
        if one.source is Source.USER and one.id != reading.id:
            made.add(Reading(one.id, one, (), one.place))
    name = _name(reading)
    for broken in catalogue.invalid:
        if broken.id not in (name, reading.id):
            made.problems[broken.id] = []
    made.add(reading)
    made.check_dependencies()
    found = [*reading.found, *made.problems.get(name, ())]
    if reading.definition is not None and reading.definition.id in made.users:
        found += made.recommended(reading.definition)
    return found


def _name(reading: Reading) -> str:
    return reading.place.name if reading.place is not None else reading.id


@dataclass
class _Assembly:
    known: Known | None
    readings: dict[str, Reading] = field(default_factory=dict)
    users: dict[str, Definition] = field(default_factory=dict)
    problems: dict[str, list[Diagnostic]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ours = (*builtin.BUILT_IN, *builtin.ALIASES, *EXPERTS)
        self.names = {collision_key(one.folder): one.id for one in ours}
        self.built_in = {one.id for one in builtin.BUILT_IN}
        self.owners = {
            **{one.id: "expert" for one in EXPERTS},
            **dict.fromkeys(self.built_in, "built-in"),
        }
        self.experts = frozenset(one.folder for one in EXPERTS)

    def add(self, reading: Reading) -> None:
        """Take a workflow in; who comes first keeps an id and a name. Source: WF-010, WF-083."""
        name = _name(reading)
        self.readings[name] = reading
        one = reading.definition
        if one is None:
            self.problems[name] = []
            return
        if one.id in self.owners or one.id in self.users:
            owner = self.owners.get(one.id, "user")
            self._refuse(name, rules.ID_COLLISION, "id", workflowId=one.id, owner=owner)
            return
        key = collision_key(one.folder)
        if key in self.names:
            params = {"skillName": one.folder, "owner": self.names[key], "workflowId": one.id}
            self._refuse(name, rules.NAME_COLLISION, SKILL, **params)
            return
        self.names[key] = one.id
        self.users[one.id] = one

    def check_dependencies(self) -> None:
        """Take out what cannot work, and what depends on that. Source: library WF-084."""
        candidates = dict(self.users)
        requires = {id: one.requires.workflows for id, one in candidates.items()}
        for cycle in _cycles(requires):
            for id in cycle:
                self._drop(
                    id, rules.CYCLE, "requires.workflows", cycle=" → ".join((*cycle, cycle[0]))
                )
        broken = {one for one in self.problems if one not in candidates}
        for id, one in candidates.items():
            for rule, place, name in self._absent(one, {*candidates, *broken}):
                self._drop(id, rule, place, dependency=name)
        while True:
            lost = [
                (id, name)
                for id, one in self.users.items()
                for name in one.requires.workflows
                if name not in self.built_in and name not in self.users
            ]
            if not lost:
                return
            for id, name in lost:
                params = {"dependency": name, "reason": rules.BROKEN}
                self._drop(id, rules.DEPENDENCY_BROKEN, "requires.workflows", **params)

    def catalogue(self, broken: Iterable[Invalid]) -> Catalogue:
        """What came out."""
        told: list[Finding] = []
        for one in self.users.values():
            told += self.readings[self._reading_of(one.id)].found
            told += self.recommended(one)
        invalid = [
            Invalid(name, reading.place, (*reading.found, *self.problems[name]))
            for name, reading in self.readings.items()
            if name in self.problems and reading.place is not None
        ]
        invalid = sorted([*invalid, *broken], key=lambda one: order(one.id))
        return Catalogue((*builtin.BUILT_IN, *self.users.values()), tuple(told), tuple(invalid))

    def _absent(self, one: Definition, users: set[str]) -> Iterator[tuple[Rule, str, str]]:
        """What a workflow requires and nobody has."""
        needed: Requires = one.requires
        for name in needed.workflows:
            if name not in self.built_in and name not in users:
                yield rules.DEPENDENCY_MISSING, "requires.workflows", name
        for name in needed.skills:
            if current_skill(name, self.experts) not in self.experts:
                yield rules.SKILL_MISSING_DEPENDENCY, "requires.skills", name
        if self.known is None:
            return
        for name in needed.pipelines:
            if not self.known.pipeline(name):
                yield rules.PIPELINE_MISSING, "requires.pipelines", name
        for name in needed.schemas:
            if not self.known.schema(name):
                yield rules.SCHEMA_MISSING, "requires.schemas", name

    def recommended(self, one: Definition) -> Iterator[Diagnostic]:
        """What it recommends and nobody has. Source: library WF-042."""
        for name in one.recommends:
            if name not in self.built_in and name not in self.users:
                params = {"workflowId": one.id, "dependency": name}
                rule, place = rules.RECOMMENDED_MISSING, "recommends.workflows"
                yield self._located(self._reading_of(one.id), rule, place, params)

    def _reading_of(self, id: str) -> str:
        return next(name for name, one in self.readings.items() if one.definition is self.users[id])

    def _drop(self, id: str, rule: Rule, place: str, **params: object) -> None:
        name = next(
            name
            for name, one in self.readings.items()
            if one.definition is not None and one.definition.id == id
        )
        self._refuse(name, rule, place, workflowId=id, **params)
        self.users.pop(id, None)

    def _refuse(self, name: str, rule: Rule, place: str, **params: object) -> None:
        found = self.problems.setdefault(name, [])
        one = self._located(name, rule, place, params)
        if one not in found:
            found.append(one)

    def _located(
        self, name: str, rule: Rule, place: str, params: Mapping[str, object]
    ) -> Diagnostic:
        file = place if place == SKILL else MANIFEST
        made = Diagnostic(rule, place, params, source=file)
        folder = self.readings[name].place
        return made if folder is None else made.at(folder)


def _cycles(requires: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The groups of ids that require each other, each in an order of its arrows from its first id."""
    found: list[list[str]] = []
    reach = {id: _reached(requires, id) for id in requires}
    seen: set[str] = set()
    for id in requires:
        if id in seen or id not in reach[id]:
            continue
        members = [one for one in requires if one in reach[id] and id in reach.get(one, ())]
        seen.update(members)
        found.append(members)
    return found


def _reached(requires: Mapping[str, Sequence[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(requires[start])
    while waiting:
        one = waiting.pop()
        if one in requires and one not in found:
            found.add(one)
            waiting += requires[one]
    return found
