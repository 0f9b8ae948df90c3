"""Apply one delta to one spec: pure, total, and without losing a line in silence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rasen.base.findings import Finding, Level, has_errors
from rasen.planning.changes.delta_file import Delta
from rasen.planning.merging import rules
from rasen.planning.merging.checks import check_delta
from rasen.planning.merging.compose import Composition
from rasen.planning.merging.model import Arrival, Counts, Merged
from rasen.planning.merging.operations import Operations
from rasen.planning.merging.retire import text_lost_by_retiring
from rasen.planning.merging.seen import UNSEEN, Seen
from rasen.planning.merging.skeleton import has_prose, new_spec
from rasen.planning.merging.synced import NEVER, Synced, pending
from rasen.planning.specs.rules import (
    FENCE_UNCLOSED,
    PURPOSE_BRIEF,
    PURPOSE_MIN,
    check_spec,
    structure,
)
from rasen.planning.specs.spec_file import SpecDocument

_SHOWN = 2000
_REMEMBERED = 512
NOT_THERE = "(not there)"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a merge is told beside the two texts.

    spec: the name of the target file in messages. may_retire: the change says that a spec may go
    with all its text. seen: the base, what the author saw of the spec; without it, the two-way rules
    hold. synced: what syncs of the change have merged. arrivals, departures: requirements that move
    here and away. has_moved: the spec comes whole from another capability, and is written even if
    nothing else changes.
    """

    capability: str
    change: str
    spec: str
    may_retire: bool = False
    seen: Seen = UNSEEN
    synced: Synced = NEVER
    arrivals: tuple[Arrival, ...] = ()
    departures: tuple[str, ...] = ()
    has_moved: bool = False


def merge(delta: Delta, target: SpecDocument | None, setting: Setting) -> Merged:
    """What `delta` makes of `target`; None for `target` means that there is no spec yet.

    Operations apply in the order RENAMED, REMOVED, MODIFIED, ADDED, and MODIFIED uses new names.
    Every problem is found, not only the first. Source: planning §6.3 to §6.5.
    """
    found = check_delta(delta)
    if target is not None:
        problems = _problems(target)
        found += [_unsound(setting, problem) for problem in problems]
    if has_errors(found):
        return Merged(setting.capability, None, Counts(), tuple(found), is_new=target is None)
    left, done = pending(delta, target, setting.synced, setting.spec)
    return _Merge(left, target, setting, [*found, *done]).run()


def depart(target: SpecDocument, setting: Setting) -> Merged:
    """What is left of `target` when requirements move away and the change says no more about it."""
    return _Merge(Delta(""), target, setting, []).run()


class _Merge:
    def __init__(
        self, delta: Delta, target: SpecDocument | None, setting: Setting, found: list[Finding]
    ) -> None:
        self._delta = delta
        self._target = target
        self._setting = setting
        self._found = found
        self._spec = target or new_spec(delta, setting.capability, setting.change)
        self._parts = Composition(self._spec)
        params = {"spec": setting.spec, "change": setting.change}
        self._done = Operations(
            delta, self._parts, setting.seen, params, moves=(setting.arrivals, setting.departures)
        )
        self._say = self._done.say

    def run(self) -> Merged:
        if self._target is None and not self._setting.arrivals:
            self._without_spec()
            self._done.add()
        else:
            self._done.on_existing()
        if self._target is None:
            self._new_purpose()
        else:
            self._purpose()
        if has_errors([*self._found, *self._done.findings]):
            return self._result(None, Counts())
        if not self._done.counts and not self._setting.has_moved:
            return self._result(None, Counts())
        if not self._parts.pieces and self._target is not None:
            return self._retire(self._target)
        return self._checked()

    def _result(self, text: str | None, counts: Counts, *, is_retired: bool = False) -> Merged:
        return Merged(
            self._setting.capability,
            text,
            counts,
            (*self._found, *self._done.findings),
            is_new=self._target is None or self._setting.has_moved,
            is_retired=is_retired,
            decisions=tuple(self._done.decisions),
            conflicts=tuple(self._done.conflicts),
        )

    def _checked(self) -> Merged:
        text = self._parts.text()
        spec, errors = _read(text)
        if not self._parts.is_read_in(spec):
            self._misread()
            return self._result(None, Counts())
        for problem in errors:
            params = {"spec": self._setting.spec, "place": problem.path, "problem": problem}
            self._found.append(Finding(rules.MERGED_INVALID, "", params))
        return self._result(text, self._done.counts)

    def _misread(self) -> None:
        """Only a fence that is never closed can hide one piece from another."""
        own = self._delta.markdown.unclosed_fence
        theirs = self._spec.markdown.unclosed_fence
        if own is None and theirs is not None:
            problem = Finding(FENCE_UNCLOSED, "file", {"line": theirs + 1}, theirs + 1)
            self._found.append(_unsound(self._setting, problem))
        else:
            self._say(rules.FENCE_SWALLOWS, own or 0)

    def _without_spec(self) -> None:
        named = [("MODIFIED", block.name, block.start) for block in self._delta.modified]
        named += [("REMOVED", one.name, one.line) for one in self._delta.removed]
        named += [("RENAMED", one.old, one.line) for one in self._delta.renamed]
        for section, name, line in named:
            if section != "MODIFIED" and self._setting.seen.has(name):
                self._say(rules.ALREADY_GONE, line, section=section, name=name)
            else:
                self._say(rules.SPEC_MISSING, line, section=section, name=name)

    def _new_purpose(self) -> None:
        own = self._delta.purpose()
        span = self._delta.purpose_span
        if span is None or not has_prose(own):
            return
        purpose = self._spec.purpose or ""
        if purpose != "\n".join(own).strip():
            self._say(rules.PURPOSE_UNUSABLE, span[0] - 1)
        elif len(purpose) < PURPOSE_MIN:
            self._say(PURPOSE_BRIEF, span[0] - 1, length=len(purpose), least=PURPOSE_MIN)

    def _purpose(self) -> None:
        wanted = "\n".join(self._delta.purpose()).strip()
        if wanted and self._delta.purpose_span and wanted != self._spec.purpose:
            self._say(rules.PURPOSE_IGNORED, self._delta.purpose_span[0] - 1)

    def _retire(self, target: SpecDocument) -> Merged:
        lost = None if self._setting.may_retire else text_lost_by_retiring(target)
        if lost is None:
            return self._result(None, self._done.counts, is_retired=True)
        params = {
            "spec": self._setting.spec,
            "at": lost + 1,
            "text": target.markdown.lines[lost].strip()[:80],
        }
        self._found.append(Finding(rules.RETIRE_LOSES_TEXT, "", params))
        return self._result(None, Counts())


@lru_cache(maxsize=_REMEMBERED)
def _problems(target: SpecDocument) -> tuple[Finding, ...]:
    return tuple(structure(target))


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> tuple[SpecDocument, tuple[Finding, ...]]:
    """A merged spec and its errors; trying changes in pairs comes to the same texts again and again."""
    spec = SpecDocument(text)
    return spec, tuple(one for one in check_spec(spec) if one.level is Level.ERROR)


def _unsound(setting: Setting, problem: Finding) -> Finding:
    params = {"spec": setting.spec, "capability": setting.capability, "problem": problem}
    return Finding(rules.SPEC_UNSOUND, "", params)
