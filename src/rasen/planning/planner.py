"""Works out the plan of a change: each delta against its spec, with what moves between specs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from rasen.base.findings import Finding
from rasen.base.messages import Phrase
from rasen.files.atomic import ABSENT
from rasen.planning.bases.model import Base
from rasen.planning.change_plan import (
    GROUPING,
    NO_DELTAS,
    NOTE_HAS_SPECS,
    SAME_TARGET,
    SCENARIO_MISSING,
    SPECS_NOT_SKIPPED,
    SPECS_SKIPPED,
    UNREADABLE,
    ChangePlan,
    LoadedChange,
    LoadedDelta,
    PlannedDelta,
    Target,
    is_wording,
)
from rasen.planning.changes.delta_file import Delta
from rasen.planning.disk import DeltaFile
from rasen.planning.merging.merge import Setting, depart, merge
from rasen.planning.merging.model import Counts, Merged
from rasen.planning.merging.rules import BASE_UNKNOWN
from rasen.planning.merging.seen import UNSEEN, Seen, after_sync, seen_of
from rasen.planning.merging.synced import NEVER
from rasen.planning.moving import NO_MOVES, Moves, Place, find_moves, retitled, sources_of
from rasen.planning.schemas.lanes import NOTE
from rasen.planning.specs import rules as spec_rules
from rasen.planning.specs.blocks import scenario_headings

_REMEMBERED = 512


def plan_change(change: LoadedChange) -> ChangePlan:
    """The plan of `change`. It never raises: problems are findings. Source: planning §3.8.2, §6.3."""
    planned = _Planner(change).run()
    general = [*_general(change, planned), *change.discovery.misplaced, *_same_targets(planned)]
    return ChangePlan(change.name, change.directory, planned, tuple(general), change.extra)


def _general(change: LoadedChange, planned: tuple[PlannedDelta, ...]) -> Iterator[Finding]:
    if change.nested:
        nested = ", ".join(f"{change.name}/{one}" for one in change.nested)
        yield Finding(GROUPING, "file", {"name": change.name, "nested": nested})
        return
    if change.skip_specs:
        yield Finding(SPECS_SKIPPED, "file")
        rule = NOTE_HAS_SPECS if change.lane == NOTE else SPECS_NOT_SKIPPED
        for file in change.discovery.files:
            yield Finding(rule, file.relative, {"file": file.relative, "change": change.name})
        return
    if not any(one.delta is not None and not one.delta.is_empty for one in planned):
        yield Finding(NO_DELTAS, "file")


def _same_targets(planned: Sequence[PlannedDelta]) -> Iterator[Finding]:
    if len(planned) < 2:
        return
    seen: dict[str, PlannedDelta] = {}
    for one in planned:
        key = str(one.target.real).casefold() if _folds(one.target) else str(one.target.real)
        other = seen.setdefault(key, one)
        if other is not one:
            params = {
                "file": other.file.relative,
                "other": one.file.relative,
                "spec": one.target.shown,
            }
            yield Finding(SAME_TARGET, one.file.relative, params)


def _folds(target: Target) -> bool:
    """True where the file system of `target` takes two spellings for one name."""
    swapped = target.real.parent.with_name(target.real.parent.name.swapcase())
    return swapped.name != target.real.parent.name and swapped.exists()


class _Planner:
    """Plans the deltas of one change, with what moves between their specs."""

    def __init__(self, change: LoadedChange) -> None:
        self._change = change
        self._deltas = {
            one.file.capability: _delta(one.text) for one in change.deltas if one.text is not None
        }
        self._moves = self._found_moves()

    def run(self) -> tuple[PlannedDelta, ...]:
        planned = [self._planned(loaded) for loaded in self._change.deltas]
        own = {one.file.capability for one in self._change.deltas}
        planned += [self._source(one) for one in self._moves.sources() if one not in own]
        return tuple(planned)

    def _found_moves(self) -> Moves:
        sources = sources_of(self._deltas.values())
        if not sources:
            return NO_MOVES
        targets = [(name, self._change.target(name)) for name in {*self._deltas, *sources}]
        places = {name: Place(name, one.spec, one.shown) for name, one in targets}
        return find_moves(self._deltas, places)

    def _target(self, capability: str) -> Target:
        """The spec of `capability`; for one that moves here whole, the text it brings."""
        target = self._change.target(capability)
        old = self._moves.renamed.get(capability)
        source = None if old is None else self._change.target(old).spec
        if source is None or old is None:
            return target
        return target._replace(spec=retitled(source, old, capability))

    def _setting(self, capability: str, target: Target, seen: Seen) -> Setting:
        return Setting(
            capability,
            self._change.name,
            target.shown,
            may_retire=self._change.may_retire,
            seen=seen,
            synced=self._change.synced.get(capability, NEVER),
            arrivals=tuple(self._moves.arrivals.get(capability, ())),
            departures=tuple(self._moves.departures.get(capability, ())),
            has_moved=capability in self._moves.renamed,
        )

    def _planned(self, loaded: LoadedDelta) -> PlannedDelta:
        capability = loaded.file.capability
        target = self._target(capability)
        delta = self._deltas.get(capability) if loaded.text is not None else None
        problem = loaded.problem or (target.problem if delta is not None else None)
        merged = base = None
        found = [*self._moves.findings.get(capability, ())]
        if problem is not None:
            found.append(Finding(UNREADABLE, "", {"problem": problem}))
        elif delta is not None:
            base, seen = self._seen(capability, delta, target, found)
            merged = merge(delta, target.spec, self._setting(capability, target, seen))
            wording = list(_wording(delta))
            found += _without_echo(merged.findings, wording)
            found += wording
            found += spec_rules.text_warnings(delta.markdown, "")
        placed = [replace(finding, path=loaded.file.relative) for finding in found]
        placed.sort(key=lambda finding: finding.line or 0)
        return PlannedDelta(loaded.file, loaded.digest, delta, target, merged, tuple(placed), base)

    def _seen(
        self, capability: str, delta: Delta, target: Target, found: list[Finding]
    ) -> tuple[Base | None, Seen]:
        """The base where it matters, and what it and earlier syncs make of what was seen."""
        base, seen = None, UNSEEN
        if _needs_base(delta):
            base = self._change.base(self._moves.renamed.get(capability, capability))
            if base.problem is not None:
                found.append(Finding(UNREADABLE, "", {"problem": base.problem}))
            elif base.is_known:
                seen = seen_of(base.text, target.spec)
            elif target.spec is not None:
                why = Phrase(base.why)
                params = {"spec": target.shown, "why": why, "change": self._change.name}
                found.append(Finding(BASE_UNKNOWN, "", params))
        seen = after_sync(seen, self._change.synced.get(capability, NEVER).blocks)
        return base, self._with_arrivals(capability, delta, seen)

    def _with_arrivals(self, capability: str, delta: Delta, seen: Seen) -> Seen:
        """`seen`, with the bases of requirements that arrive and are modified on the way."""
        modified = {block.name for block in delta.modified}
        brought: dict[str, Sequence[str]] = {}
        for arrival in self._moves.arrivals.get(capability, ()):
            if arrival.name in modified:
                base = self._change.base(arrival.capability)
                lines = seen_of(base.text).blocks.get(arrival.old) if base.is_known else None
                if lines is not None:
                    brought[arrival.name] = lines
        return after_sync(seen, brought)

    def _source(self, capability: str) -> PlannedDelta:
        """The plan of a spec that only loses what moves away; it has no delta file of its own."""
        target = self._change.target(capability)
        assert target.spec is not None
        file = DeltaFile(capability, f"{capability}/spec.md", target.path)
        if capability in self._moves.renamed.values():
            gone = Counts(removed=len(target.spec.blocks))
            merged = Merged(capability, None, gone, (), is_retired=True)
        else:
            merged = depart(target.spec, self._setting(capability, target, UNSEEN))
        placed = tuple(replace(finding, path=file.relative) for finding in merged.findings)
        return PlannedDelta(file, ABSENT, None, target, merged, placed, is_derived=True)


@lru_cache(maxsize=_REMEMBERED)
def _delta(text: str) -> Delta:
    """The delta in `text`; a change that is tried against many others is read once."""
    return Delta(text)


def _needs_base(delta: Delta) -> bool:
    """True when what the author saw can make a difference: new requirements change nothing there is."""
    return bool(delta.modified or delta.removed or delta.renamed)


def _without_echo(findings: Iterable[Finding], wording: Iterable[Finding]) -> Iterator[Finding]:
    """`findings` without those that say of the merged spec what `wording` says of the delta."""
    told = {finding.params["name"] for finding in wording}
    for finding in findings:
        inner = finding.params.get("problem")
        is_echo = (
            is_wording(finding)
            and isinstance(inner, Finding)
            and spec_rules.bare_name(str(inner.params.get("name"))) in told
        )
        if not is_echo:
            yield finding


def _wording(delta: Delta) -> Iterator[Finding]:
    for section, blocks in (("ADDED", delta.added), ("MODIFIED", delta.modified)):
        for block in blocks:
            line = block.start + 1
            finding = spec_rules.check_wording(delta.markdown, block, "", line=line)
            if finding is not None:
                yield finding
            if not any(True for _ in scenario_headings(delta.markdown, block)):
                params = {"line": line, "section": section, "name": block.name}
                yield Finding(SCENARIO_MISSING, "", params, line)
