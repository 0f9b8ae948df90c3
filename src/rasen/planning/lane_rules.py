"""Which lane suits a change: rules that a person can read, over facts that a person can see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, Phrase, fill
from rasen.planning.schemas.lanes import FULL, LANES, LIGHT, MOST_CHARACTERS, NOTE

MANY_CAPABILITIES = 4
"""From so many capabilities on, a change is large."""

_DATA = N_("it is about stored data")
_PUBLIC = N_("it is about an interface that others use")
_SECURITY = N_("it is about security")
_UPKEEP = N_("it reads like upkeep that leaves behaviour alone")
_FULL = (
    (_DATA, "migration migrate database schema backfill retention deletion encoding"),
    (_PUBLIC, "api endpoint protocol webhook sdk deprecate deprecation"),
    (_SECURITY, "security auth authentication authorization permission permissions password token encryption secret"),
)  # fmt: skip
_NOTE = "typo typos wording comment comments docs documentation readme refactor refactoring lint formatting dependency dependencies bump"

TOO_SMALL = Rule(
    "lane_small",
    Level.INFO,
    N_("The lane is {lane}; {suggested} is suggested, since {reasons}"),
    N_("Run `rasen change lane {change} {suggested}`, or leave it"),
)
TEXT_LONG = Rule(
    "lane_text_long",
    Level.WARNING,
    N_("{file} has {size} characters; the lane {lane} has room for {most}"),
    N_("Shorten it, or run `rasen change lane {change} {larger}`"),
)
NOT_OFFERED = Rule(
    "lane_without_effect",
    Level.WARNING,
    N_("The schema {schema} has no lane {lane}, so the change goes through all of it"),
    N_("Remove `lane` from .openspec.yaml"),
)


class Reason(NamedTuple):
    """Why a lane is suggested; `text` is a template."""

    text: str
    params: Mapping[str, object]

    @property
    def message(self) -> str:
        """The reason in English."""
        return fill(self.text, self.params)


class Suggestion(NamedTuple):
    """A lane that suits, and why; never more than advice. is_guess: no rule applied."""

    lane: str
    reasons: tuple[Reason, ...]
    is_guess: bool = False

    def is_larger_than(self, lane: str) -> bool:
        """True when it asks for more than `lane`."""
        return LANES.index(self.lane) > LANES.index(lane)

    def to_json(self) -> dict[str, object]:
        """`{lane, reasons}`; the reasons are English."""
        return {"lane": self.lane, "reasons": [one.message for one in self.reasons]}


def suggest(text: str, capabilities: Sequence[str]) -> Suggestion:
    """The lane for a change that is described by `text` and touches `capabilities`.

    full: it breaks something, touches four or more capabilities, or is about stored data, public
    interfaces or security. note: it touches no capability and reads like upkeep. Else light.
    """
    words = set(re.findall(r"[a-z]+", text.lower()))
    reasons = list(_full(text, words, capabilities))
    if reasons:
        return Suggestion(FULL, tuple(reasons))
    if capabilities:
        names = ", ".join(capabilities)
        return Suggestion(LIGHT, (Reason(N_("it touches specs: {names}"), {"names": names}),))
    upkeep = sorted(words & set(_NOTE.split()))
    if upkeep:
        return Suggestion(NOTE, (_reason(_UPKEEP, upkeep),))
    nothing = Reason(N_("nothing says that it is smaller or larger"), {})
    return Suggestion(LIGHT, (nothing,), is_guess=True)


def _full(text: str, words: set[str], capabilities: Sequence[str]) -> Iterable[Reason]:
    if re.search(r"\bBREAKING\b", text):
        yield Reason(N_("it is marked BREAKING"), {})
    if len(capabilities) >= MANY_CAPABILITIES:
        yield Reason(N_("it touches {count} capabilities"), {"count": len(capabilities)})
    for about, listed in _FULL:
        found = sorted(words & set(listed.split()))
        if found:
            yield _reason(about, found)


def _reason(about: str, words: Iterable[str]) -> Reason:
    return Reason(N_("{about} ({words})"), {"about": Phrase(about), "words": ", ".join(words)})


def size_findings(change: str, lane: str, sizes: Mapping[str, int]) -> list[Finding]:
    """What is too long for `lane`. sizes: characters by file name."""
    most = MOST_CHARACTERS.get(lane)
    if most is None:
        return []
    larger = LANES[LANES.index(lane) + 1]
    params = {"change": change, "lane": lane, "most": most, "larger": larger}
    return [
        Finding(TEXT_LONG, file, {**params, "file": file, "size": size})
        for file, size in sizes.items()
        if size > most
    ]
