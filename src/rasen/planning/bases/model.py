"""A base: the text of one spec as the author of a change saw it, and how we know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rasen.base.errors import ToolError
from rasen.base.messages import N_


class Source(Enum):
    """Where a base comes from, best first."""

    RECORDED = "recorded"
    COMMIT = "commit"
    INTRODUCED = "introduced"
    JOURNAL = "journal"
    UNKNOWN = "unknown"


RECORDED_TEXT = N_("recorded with the change")
RECORDED_ABSENCE = N_("recorded with the change: there was no such spec")
RECORD_UNREADABLE = N_("the recorded base cannot be read")
COMMIT_NOTED = N_("the specs at {revision}, the commit that the change names as its base")
BEFORE_DELTA = N_("the specs just before the delta was committed, at {revision}")
WITH_DELTA = N_("the specs as committed together with the delta, at {revision}")
DELTA_UNCOMMITTED = N_("the delta is not committed; the specs at {revision}, the current commit")
JOURNALLED = N_("what the archive replaced after the change was started")
NEVER_REPLACED = N_("no archive has changed the spec since the change was started")

COMMIT_NOT_HERE = N_("the commit that the change names as its base is not in this repository")
COMMIT_WITHOUT_SPECS = N_("the commit that the change names as its base has no specs here")
OBJECT_NOT_HERE = N_("this clone does not hold the files of the commit")
NOT_TEXT = N_("the spec of that time is not UTF-8")
SHALLOW = N_("the history of this clone ends at the commit that has the delta")
NO_GIT = N_("git has no history to tell here, or refuses to")
NO_DELTA = N_("the change has no delta for it whose commit could tell")
SPEC_UNTRACKED = N_("neither the delta nor the spec is committed")
NOTHING = N_("nothing was recorded, and there is no history to ask")


@dataclass(frozen=True, slots=True)
class Base:
    """The spec of `capability` as the author of a change saw it.

    text: None with a known source means that there was no such spec; with UNKNOWN it means nothing.
    revision: the commit the text is from. why: a template with the place {revision}. passed: why
    better sources gave nothing, templates without places. problem: why a recorded text that is
    there cannot be read; then nothing else was asked.
    """

    capability: str
    source: Source
    text: str | None = None
    why: str = NOTHING
    revision: str | None = None
    passed: tuple[str, ...] = ()
    problem: ToolError | None = None

    @property
    def is_known(self) -> bool:
        return self.source is not Source.UNKNOWN

    @property
    def params(self) -> dict[str, str]:
        """What fills the places of `why`."""
        return {"revision": (self.revision or "")[:12]}
