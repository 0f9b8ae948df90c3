"""What the members of a package mean together: the checks behind its form, in their order.

Source: library PK-060 to PK-073, PK-023.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, NoReturn

from rasen.base.findings import Rule
from rasen.base.messages import Phrase
from rasen.hosts.model import SKILL
from rasen.packages import limits, manifests, rules
from rasen.packages.digests import entry_digest
from rasen.packages.model import (
    PIPELINE,
    Entry,
    Kind,
    Package,
    PackagedFile,
    PackageRefused,
)
from rasen.syntax.portable_path import REASONS, collision_key, is_id, order
from rasen.syntax.portable_path import check as fault_of_path
from rasen.workflows.digest import file_digest
from rasen.workflows.model import MANIFEST
from rasen.workflows.rules import CONTENT, ENTRIES, ID, PATHS


class Known(NamedTuple):
    """What the running program knows.

    built_in: the ids of its workflows, in their order. passed_over: ids that a profile may name and
    that mean nothing any more, or name an expert. version: the program's own.
    """

    built_in: tuple[str, ...]
    passed_over: frozenset[str]
    version: str


def check(package: Package, known: Known, *, file: str) -> None:
    """Pass when everything but the package's digest is right.

    Errors: PackageRefused with the code of the first thing that is not.
    """
    checking = _Checking(package, known, file)
    if package.kind is Kind.PIPELINE:
        checking.pipelines()
    else:
        checking.workflows()


def normal_profile(ids: Iterable[str], known: Known) -> list[str]:
    """`ids` as a package lists them: built-in ones in their order, then the others by code units.

    Source: library PK-022.
    """
    found = set(ids)
    own = [one for one in known.built_in if one in found]
    return own + sorted(found - set(known.built_in), key=order)


class _Checking:
    """One package under examination; totals run over all its entries."""

    def __init__(self, package: Package, known: Known, file: str) -> None:
        self.package, self.known, self.file = package, known, file
        self.files = 0
        self.content_bytes = 0
        self.requires: dict[str, tuple[str, ...]] = {}

    def workflows(self) -> None:
        package = self.package
        count, limit = len(package.workflows), limits.WORKFLOWS
        self._bound(count, limit, rules.WORKFLOW_LIMIT)
        if package.kind is Kind.WORKFLOW and not package.roots:
            self._refuse(rules.ROOTS_EMPTY)
        for entry in package.workflows:
            self._unique(entry, self.requires, ID, rules.WORKFLOW_TWICE)
            self._files(entry)
            self._manifest(entry)
            self._digest(entry, rules.WORKFLOW_DIGEST)
        self._roots(set(self.requires))
        if package.profile is not None:
            self._profile(package.profile.workflows)
        self._dependencies()
        self._orders(package.workflows, rules.WORKFLOWS_ORDER)

    def pipelines(self) -> None:
        package = self.package
        if not package.pipelines:
            self._refuse(rules.PIPELINES_EMPTY)
        if not package.roots:
            self._refuse(rules.ROOTS_EMPTY)
        seen: dict[str, tuple[str, ...]] = {}
        for entry in package.pipelines:
            self._unique(entry, seen, rules.PIPELINE_ID, rules.PIPELINE_TWICE)
            self._files(entry)
            self._pipeline(entry)
            self._digest(entry, rules.PIPELINE_DIGEST)
            seen[entry.id] = ()
        self._roots(set(seen))
        for name in seen:
            if name not in package.roots:
                self._refuse(rules.PIPELINE_ROOT, id=name)
        self._orders(package.pipelines, rules.PIPELINES_ORDER)

    def _unique(self, entry: Entry, seen: Iterable[str], invalid: Rule, twice: Rule) -> None:
        if not is_id(entry.id):
            self._refuse(invalid, id=entry.id[:80])
        if entry.id in seen:
            self._refuse(twice, id=entry.id)

    def _files(self, entry: Entry) -> None:
        self.files += len(entry.files)
        self._bound(self.files, limits.FILES, ENTRIES)
        keys: dict[str, str] = {}
        for one in entry.files:
            self._path(entry, one.path, keys)
            self._content(entry, one)

    def _path(self, entry: Entry, path: str, keys: dict[str, str]) -> None:
        fault = fault_of_path(path)
        if fault is not None:
            self._refuse(
                PATHS[fault], file=path[:300], path=path, reason=Phrase(REASONS[fault]), id=entry.id
            )
        key = collision_key(path)
        if key in keys:
            if keys[key] == path:
                self._refuse(rules.PATH_TWICE, id=entry.id, path=path)
            self._refuse(rules.PATH_COLLISION, id=entry.id, path=path, other=keys[key])
        keys[key] = path

    def _content(self, entry: Entry, one: PackagedFile) -> None:
        size = len(one.data)
        self._bound(size, limits.FILE_BYTES, rules.FILE_LIMIT, path=one.path)
        self.content_bytes += size
        self._bound(self.content_bytes, limits.CONTENT_BYTES, CONTENT)
        found = file_digest(one.data)
        if found != one.sha256:
            self._refuse(
                rules.FILE_DIGEST, id=entry.id, path=one.path, expected=one.sha256, actual=found
            )

    def _manifest(self, entry: Entry) -> None:
        texts = {one.path: one.content for one in entry.files}
        for path in (MANIFEST, SKILL):
            if path not in texts:
                self._refuse(rules.FILE_MISSING, id=entry.id, path=path)
        found = manifests.of_workflow(texts[MANIFEST])
        if found.problem is not None:
            self._refuse(rules.MANIFEST, id=entry.id, problem=found.problem)
        if found.id != entry.id:
            self._refuse(rules.MANIFEST_ID, id=entry.id, actual=found.id)
        self.requires[entry.id] = found.requires

    def _pipeline(self, entry: Entry) -> None:
        text = next((one.content for one in entry.files if one.path == PIPELINE), None)
        if text is None:
            self._refuse(rules.PIPELINE_FILE, id=entry.id, path=PIPELINE)
        found = manifests.of_pipeline(text)
        if found.problem is not None:
            self._refuse(rules.PIPELINE, id=entry.id, problem=found.problem)
        if found.id != entry.id:
            self._refuse(rules.PIPELINE_NAME, id=entry.id, actual=found.id)

    def _digest(self, entry: Entry, rule: Rule) -> None:
        found = entry_digest(self.package.kind, entry)
        if found != entry.digest:
            self._refuse(rule, id=entry.id, expected=entry.digest, actual=found)

    def _roots(self, held: set[str]) -> None:
        seen: set[str] = set()
        for root in self.package.roots:
            if root in seen:
                self._refuse(rules.ROOT_TWICE, id=root[:80])
            if root not in held:
                self._refuse(rules.ROOT_MISSING, id=root[:80])
            seen.add(root)

    def _profile(self, selected: Sequence[str]) -> None:
        seen: set[str] = set()
        for one in selected:
            if not is_id(one):
                self._refuse(rules.PROFILE_ID, id=one[:80])
            if one in seen:
                self._refuse(rules.PROFILE_TWICE, id=one)
            seen.add(one)
        for root in self.package.roots:
            if root not in seen:
                self._refuse(rules.ROOT_UNSELECTED, id=root)
        allowed = {*self.known.built_in, *self.known.passed_over, *self.requires}
        for one in selected:
            if one not in allowed:
                self._refuse(rules.PROFILE_MISSING, id=one)
        held = {one for one in selected if one in self.requires}
        if held != set(self.package.roots):
            roots = normal_profile(self.package.roots, self.known)
            expected = ", ".join(normal_profile(held, self.known))
            self._refuse(rules.PROFILE_ROOTS, actual=", ".join(roots), expected=expected)

    def _dependencies(self) -> None:
        built_in, reached = set(self.known.built_in), set(self.package.roots)
        for id, needed in self.requires.items():
            for one in needed:
                if one not in self.requires and one not in built_in:
                    self._refuse(rules.DEPENDENCY, id=id, dependency=one[:80])
        waiting = list(reached)
        while waiting:
            new = set(self.requires.get(waiting.pop(), ())) - reached
            reached |= new
            waiting += new
        for id in self.requires:
            if id not in reached:
                self._refuse(rules.UNREACHABLE, id=id)

    def _orders(self, entries: Sequence[Entry], rule: Rule) -> None:
        self._order([one.id for one in entries], rule)
        for entry in entries:
            self._order([one.path for one in entry.files], rules.FILES_ORDER)
        package = self.package
        if package.profile is None:
            self._order(list(package.roots), rules.ROOTS_ORDER)
            return
        idle = self.known.passed_over - set(self.requires)
        ids = [one for one in package.profile.workflows if one not in idle]
        self._same(ids, normal_profile(ids, self.known), rules.PROFILE_ORDER)
        roots = list(package.roots)
        self._same(roots, normal_profile(roots, self.known), rules.ROOTS_ORDER)

    def _order(self, actual: list[str], rule: Rule) -> None:
        self._same(actual, sorted(actual, key=order), rule)

    def _same(self, actual: list[str], expected: list[str], rule: Rule) -> None:
        if actual != expected:
            self._refuse(rule, actual=", ".join(actual), expected=", ".join(expected))

    def _bound(self, actual: int, limit: int, rule: Rule, **more: object) -> None:
        if actual > limit:
            self._refuse(rule, actual=actual, limit=limit, **more)

    def _refuse(self, rule: Rule, **params: object) -> NoReturn:
        raise PackageRefused(rule, self.file, **params)
