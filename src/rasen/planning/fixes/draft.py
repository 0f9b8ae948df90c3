"""An item with some of its files changed in memory, judged as `validate` would judge it on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

from rasen.base.findings import Finding, Level
from rasen.files.atomic import ABSENT
from rasen.planning.change_plan import ChangePlan, LoadedChange, LoadedDelta, PlannedDelta, Target
from rasen.planning.changes import tasks_file
from rasen.planning.disk import SPEC_FILE, DeltaFile
from rasen.planning.fixes import table
from rasen.planning.fixes.model import Case
from rasen.planning.merging.seen import seen_of
from rasen.planning.planner import plan_change
from rasen.planning.specs.rules import check_spec
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import Markdown

Key = tuple[object, ...]
_PLACES = frozenset({"at", "first", "last", "line", "place"})
"""Parameters that change when something above moves."""


class Source(NamedTuple):
    """A file as it was read. digest: of its bytes."""

    path: Path
    text: str
    digest: str


class Stray(NamedTuple):
    """A delta file that lies where nothing reads it. target: where it belongs, below `specs/`."""

    source: Source
    target: str


class Draft(Protocol):
    """What can be judged and mended. texts: by path, None for a file that goes."""

    @property
    def findings(self) -> list[Finding]: ...
    @property
    def errors(self) -> Counter[Key]: ...
    @property
    def texts(self) -> Mapping[Path, str | None]: ...
    def mended(self, finding: Finding) -> Draft | None: ...


@dataclass(frozen=True)
class SpecDraft:
    """A spec and its text."""

    path: Path
    text: str

    @cached_property
    def findings(self) -> list[Finding]:
        return check_spec(SpecDocument(self.text))

    @cached_property
    def errors(self) -> Counter[Key]:
        return _errors(self.findings)

    @property
    def texts(self) -> Mapping[Path, str | None]:
        return {self.path: self.text}

    def mended(self, finding: Finding) -> SpecDraft | None:
        """The draft with the remedy for `finding`; None where it has none."""
        remedy = table.IN_SPEC.get(finding.code)
        text = remedy(Case(finding, Markdown(self.text))) if remedy else None
        return None if text is None or text == self.text else replace(self, text=text)


@dataclass(frozen=True)
class ChangeDraft:
    """A change and the texts of its files.

    tasks: the task files with findings, by the path that those give. strays: misplaced delta files
    that can be moved, by path. gone: files that have been moved away.
    """

    loaded: LoadedChange
    tasks: Mapping[str, Source] = field(default_factory=dict)
    strays: Mapping[str, Stray] = field(default_factory=dict)
    gone: tuple[Path, ...] = ()

    @cached_property
    def plan(self) -> ChangePlan:
        return plan_change(self.loaded)

    @property
    def findings(self) -> list[Finding]:
        return self.plan.findings

    @cached_property
    def errors(self) -> Counter[Key]:
        """The errors, also those that a merge would find if the lines that nothing reads were not there.

        A merge is not tried on a delta with unread lines; without this, mending the last of them
        would look like the cause of what was wrong all the time.
        """
        files = self.plan.deltas[: len(self.loaded.deltas)]  # behind them: what moves away
        probe = [_readable(one) for one in files]
        if not any(probe):
            return _errors(self.findings)
        deltas = tuple(
            loaded if text is None else loaded._replace(text=text)
            for loaded, text in zip(self.loaded.deltas, probe, strict=True)
        )
        hidden = plan_change(self.loaded._replace(deltas=deltas)).findings
        return _errors(self.findings) | _errors(hidden)

    @property
    def texts(self) -> Mapping[Path, str | None]:
        found: dict[Path, str | None] = {
            one.file.path: one.text for one in self.loaded.deltas if one.text is not None
        }
        found |= {one.path: one.text for one in self.tasks.values()}
        return {**found, **dict.fromkeys(self.gone)}

    def mended(self, finding: Finding) -> ChangeDraft | None:
        """The draft with the remedy for `finding`; None where it has none."""
        if finding.code in table.OF_PLACES:
            return self._with_moved(finding.path)
        if finding.code in table.IN_TASKS:
            return self._with_task(finding)
        remedy = table.IN_DELTA.get(finding.code)
        planned = next((one for one in self.plan.deltas if one.file.relative == finding.path), None)
        if remedy is None or planned is None or planned.delta is None:
            return None
        seen = seen_of(planned.base.text).blocks if _is_known(planned) and planned.base else ()
        document = planned.delta.markdown
        text = remedy(Case(finding, document, planned.target.spec, seen))
        if text is None or text == document.text():
            return None
        deltas = tuple(
            one._replace(text=text) if one.file.relative == finding.path else one
            for one in self.loaded.deltas
        )
        return replace(self, loaded=self.loaded._replace(deltas=deltas))

    def _with_task(self, finding: Finding) -> ChangeDraft | None:
        source = self.tasks.get(finding.path)
        if source is None:
            return None
        text = table.IN_TASKS[finding.code](Case(finding, Markdown(source.text)))
        if text is None or (finding.line or 0) - 1 in tasks_file.parse(text).suspicious:
            return None
        extra = tuple(one for one in self.loaded.extra if one is not finding)
        tasks = {**self.tasks, finding.path: source._replace(text=text)}
        return replace(self, loaded=self.loaded._replace(extra=extra), tasks=tasks)

    def _with_moved(self, relative: str) -> ChangeDraft | None:
        stray = self.strays.get(relative)
        if stray is None or any(one.relative == stray.target for one in self._files):
            return None
        path = self.loaded.directory / "specs" / stray.target
        file = DeltaFile(stray.target.removesuffix(f"/{SPEC_FILE}"), stray.target, path)
        found = self.loaded.discovery
        loaded = self.loaded._replace(
            discovery=found._replace(
                files=tuple(sorted([*found.files, file], key=lambda one: one.relative)),
                misplaced=tuple(one for one in found.misplaced if one.path != relative),
            ),
            deltas=tuple(
                sorted(
                    [*self.loaded.deltas, LoadedDelta(file, stray.source.text, ABSENT)],
                    key=lambda one: one.file.relative,
                )
            ),
        )
        return replace(self, loaded=loaded, gone=(*self.gone, stray.source.path))

    @property
    def _files(self) -> tuple[DeltaFile, ...]:
        return self.loaded.discovery.files


def key_of(finding: Finding) -> Key:
    """What makes two findings the same one, wherever it stands by now."""
    path = "" if finding.path.startswith("requirements") else finding.path
    params = [
        (name, key_of(value) if isinstance(value, Finding) else str(value))
        for name, value in sorted(finding.params.items())
        if name not in _PLACES
    ]
    return finding.code, path, *params


def with_specs(change: LoadedChange, texts: Mapping[Path, str]) -> LoadedChange:
    """`change` as it would be read if the specs `texts` were written already."""
    if not texts:
        return change

    def overlaid(capability: str) -> Target:
        found = change.target(capability)
        text = texts.get(found.path)
        return found if text is None else found._replace(spec=SpecDocument(text))

    return change._replace(target=overlaid)


def _errors(findings: list[Finding]) -> Counter[Key]:
    return Counter(key_of(one) for one in findings if one.level is Level.ERROR)


def _is_known(planned: PlannedDelta) -> bool:
    return planned.base is not None and planned.base.is_known


def _readable(planned: PlannedDelta) -> str | None:
    """The text of a delta without the lines that nothing reads; None when there are none."""
    if planned.delta is None:
        return None
    document = planned.delta.markdown
    unread = {(one.line or 0) - 1 for one in planned.delta.findings if one.level is Level.ERROR}
    if not unread:
        return None
    levels = {one.line: one.level for one in document.headings if one.is_spaced}
    lines = [
        (f"{'#' * levels[number]} -" if number in levels else "") if number in unread else line
        for number, line in enumerate(document.lines)
    ]
    return "\n".join(lines) + "\n"
