"""Whether a well-formed schema makes sense: its names, its order, its files, its gate."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Protocol

from rasen.base.findings import Rule
from rasen.base.text import nearest
from rasen.planning.schemas import rules
from rasen.planning.schemas.graph import cycles
from rasen.planning.schemas.model import Artifact, Schema
from rasen.planning.schemas.outputs import is_glob, matches

Steps = tuple[str | int, ...]


class Report(Protocol):
    """Takes a finding: what, where in the document, and the words for its message."""

    def __call__(self, rule: Rule, path: Steps, **params: object) -> None: ...


class Sense:
    """Checks that a well-formed schema makes sense: its names, its order, its files."""

    def __init__(self, schema: Schema, report: Report) -> None:
        self.schema = schema
        self.report = report

    def check(self) -> None:
        self.ids()
        self.requirements()
        self.contexts()
        self.circles()
        self.files()
        self.gate()

    def ids(self) -> None:
        seen: set[str] = set()
        for at, artifact in enumerate(self.schema.artifacts):
            if artifact.id in seen:
                path: Steps = ("artifacts", at, "id")
                self.report(rules.DUPLICATE_ID, path, place=f"artifacts.{at}.id", id=artifact.id)
            seen.add(artifact.id)

    def requirements(self) -> None:
        for at, artifact in enumerate(self.schema.artifacts):
            for place, need in enumerate(artifact.requires):
                if need not in self.schema.ids:
                    path: Steps = ("artifacts", at, "requires", place)
                    self.unknown(rules.UNKNOWN_REQUIRES, path, need, artifact=artifact.id)

    def contexts(self) -> None:
        for at, artifact in enumerate(self.schema.artifacts):
            wanted, path = artifact.context_from, ("artifacts", at, "context-from")
            if wanted is None:
                continue
            if wanted not in self.schema.ids:
                self.unknown(rules.UNKNOWN_CONTEXT, path, wanted, artifact=artifact.id)
            elif wanted not in artifact.requires:
                self.report(rules.LOOSE_CONTEXT, path, artifact=artifact.id, id=wanted)

    def circles(self) -> None:
        for circle in cycles({one.id: one.requires for one in self.schema.artifacts}):
            at = self.schema.ids.index(circle[0])
            self.report(rules.CYCLE, ("artifacts", at, "requires"), cycle=" → ".join(circle))

    def files(self) -> None:
        for at, artifact in enumerate(self.schema.artifacts):
            for other in self.schema.artifacts[:at]:
                if PurePosixPath(other.generates) == PurePosixPath(artifact.generates):
                    self.shared(rules.SAME_OUTPUT, at, other)
            for other in self.schema.artifacts:
                if _covers(other.generates, artifact.generates):
                    self.shared(rules.OVERLAP, at, other)

    def shared(self, rule: Rule, at: int, other: Artifact) -> None:
        mine = self.schema.artifacts[at]
        names = {"artifact": mine.id, "generates": mine.generates}
        path: Steps = ("artifacts", at, "generates")
        self.report(rule, path, first=other.id, pattern=other.generates, **names)

    def gate(self) -> None:
        apply = self.schema.apply
        for place, need in enumerate(apply.requires if apply else ()):
            if need not in self.schema.ids:
                self.unknown(rules.UNKNOWN_APPLY, ("apply", "requires", place), need)
        if apply and apply.tracks and self.schema.tracked is None:
            self.report(rules.UNTRACKED, ("apply", "tracks"), tracks=apply.tracks)

    def unknown(self, rule: Rule, path: Steps, wanted: str, **params: object) -> None:
        close = nearest(wanted, self.schema.ids, within=3)
        if close:
            rule = Rule(rule.code, rule.level, rule.text, rules.DID_YOU_MEAN)
            params["nearest"] = close[0]
        self.report(rule, path, id=wanted, **params)


def _covers(pattern: str, file: str) -> bool:
    return is_glob(pattern) and not is_glob(file) and matches(pattern, file)
