"""One plan for a change: what its deltas would make of the specs, and every objection.

`validate`, `show`, `status` and `archive` read this one value, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule, has_errors
from rasen.base.messages import N_
from rasen.files.paths import canonical
from rasen.planning.bases.model import Base
from rasen.planning.changes.delta_file import Delta
from rasen.planning.disk import DeltaFile, Discovery
from rasen.planning.merging.model import Conflict, Decision, Merged
from rasen.planning.merging.synced import Synced
from rasen.planning.specs import rules as spec_rules
from rasen.planning.specs.spec_file import SpecDocument

NO_DELTAS = Rule(
    "change_deltas_missing",
    Level.ERROR,
    N_("The change has no delta: no specs/<capability>/spec.md with a requirement in it"),
    N_(
        "Write specs/<capability>/spec.md with `## ADDED Requirements`, `### Requirement: <name>` and "
        "`#### Scenario: <name>`, or set `skip_specs: true` in .openspec.yaml"
    ),
)
SPECS_SKIPPED = Rule(
    "change_specs_skipped", Level.INFO, N_("The change says `skip_specs: true`: it touches no spec")
)
SPECS_NOT_SKIPPED = Rule(
    "change_specs_not_skipped",
    Level.ERROR,
    N_("The change says `skip_specs: true`, but specs/{file} exists"),
    N_("Delete one of the two"),
)
NOTE_HAS_SPECS = Rule(
    "lane_has_specs",
    Level.ERROR,
    N_("The change is in the lane note, which touches no spec, but specs/{file} exists"),
    N_("Run `rasen change lane {change} light`, or delete the file"),
)
SAME_TARGET = Rule(
    "delta_same_target",
    Level.ERROR,
    N_("specs/{file} and specs/{other} mean the same spec file {spec}"),
    N_("Put both into one delta"),
)
SCENARIO_MISSING = Rule(
    "delta_scenarios_missing",
    Level.ERROR,
    N_('Line {line}: {section} "{name}" has no scenario'),
    N_("Write `#### Scenario: <name>` (four hashes) below it"),
)
GROUPING = Rule(
    "change_misplaced",
    Level.ERROR,
    N_('"{name}" is no change but holds some: {nested}; changes lie directly in changes/'),
    N_("Move them up one level"),
)
UNREADABLE = Rule("delta_unreadable", Level.ERROR, N_("{problem}"))

WORDING = frozenset(
    rule.code
    for rule in (
        SCENARIO_MISSING,
        spec_rules.BODY_EMPTY,
        spec_rules.KEYWORD_IN_HEADING,
        spec_rules.KEYWORD_MISSING,
        spec_rules.NO_SCENARIO,
        spec_rules.SCENARIO_EMPTY,
        spec_rules.TEXT_EMPTY,
    )
)
"""Rules about how a requirement is put; `--no-validate` skips these and no others."""


class Target(NamedTuple):
    """The spec a delta is merged into. spec: None when there is none yet.

    digest: of the bytes read. problem: why it could not be read.
    """

    path: Path
    shown: str
    digest: str
    spec: SpecDocument | None
    problem: ToolError | None = None

    @property
    def real(self) -> Path:
        """The canonical path, which two names of one file share."""
        return canonical(self.path)


class LoadedDelta(NamedTuple):
    """A delta file as read. text: None when it could not be; then `problem` says why."""

    file: DeltaFile
    text: str | None
    digest: str
    problem: ToolError | None = None


class LoadedChange(NamedTuple):
    """All that a plan needs to know of a change, read once.

    nested: the changes inside, when the folder only groups some. extra: findings made while reading
    other files of the change (metadata, tasks); they come last in reports. base: by capability, what
    the author saw; asked only where it matters. synced: by capability,
    what syncs of the change have merged.
    """

    name: str
    directory: Path
    discovery: Discovery
    deltas: tuple[LoadedDelta, ...]
    target: Callable[[str], Target]
    base: Callable[[str], Base]
    skip_specs: bool = False
    lane: str | None = None
    may_retire: bool = False
    nested: tuple[str, ...] = ()
    extra: tuple[Finding, ...] = ()
    synced: Mapping[str, Synced] = MappingProxyType({})


class PlannedDelta(NamedTuple):
    """One delta file with its outcome. findings: complete, paths filled.

    base: what the author saw of the spec; None where it makes no difference. is_derived: there is no
    delta file; the spec loses what other deltas of the change move away.
    """

    file: DeltaFile
    digest: str
    delta: Delta | None
    target: Target
    merged: Merged | None
    findings: tuple[Finding, ...]
    base: Base | None = None
    is_derived: bool = False


@dataclass(frozen=True)
class ChangePlan:
    """What a change would do to the specs, and what stands against it."""

    name: str
    directory: Path
    deltas: tuple[PlannedDelta, ...]
    general: tuple[Finding, ...]
    extra: tuple[Finding, ...] = field(default=())

    @cached_property
    def findings(self) -> list[Finding]:
        """All findings: of the change as a whole, of its delta files in order, of other files."""
        return [*self.general, *self._of_deltas(), *self.extra]

    @cached_property
    def blocking(self) -> list[Finding]:
        """The errors that refuse a merge even when wording is not checked."""
        return [
            finding
            for finding in self.findings
            if finding.level is Level.ERROR and not is_wording(finding)
        ]

    @cached_property
    def decisions(self) -> list[tuple[str, Decision]]:
        """What the merge takes from where, each with its capability."""
        return [(one.capability, made) for one in self._merged() for made in one.decisions]

    @cached_property
    def conflicts(self) -> list[tuple[str, Conflict]]:
        """The places that the specs and the change altered differently, each with its capability."""
        return [(one.capability, met) for one in self._merged() for met in one.conflicts]

    def _merged(self) -> Iterator[Merged]:
        for planned in self.deltas:
            if planned.merged is not None:
                yield planned.merged

    def is_valid(self, *, strict: bool = False) -> bool:
        return not has_errors(self.findings, strict=strict)

    def objections(self, *, with_wording: bool = True) -> list[Finding]:
        """The errors that refuse a merge; none when all there is to say is that there is no delta.

        with_wording: count rules about how a requirement is put, too.
        """
        errors = [one for one in self.findings if one.level is Level.ERROR]
        if not with_wording:
            errors = [one for one in errors if not is_wording(one)]
        has_none = not self.deltas and all(one.rule is NO_DELTAS for one in errors)
        return [] if has_none else errors

    def _of_deltas(self) -> Iterator[Finding]:
        for planned in self.deltas:
            yield from planned.findings


def is_wording(finding: Finding) -> bool:
    """True for a finding that `--no-validate` passes over."""
    inner = finding.params.get("problem")
    if finding.code == "merged_spec_invalid" and isinstance(inner, Finding):
        return inner.code in WORDING
    return finding.code in WORDING
