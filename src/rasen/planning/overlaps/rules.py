"""What a validation of all changes says of overlaps; both sides are told."""

from __future__ import annotations

from collections.abc import Iterable

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.planning.change_plan import ChangePlan, LoadedChange
from rasen.planning.overlaps.model import Candidate, Place, Result
from rasen.planning.overlaps.trial import overlaps

OVERLAP = Rule(
    "change_overlap",
    Level.INFO,
    N_(
        "{places}: touched by other open changes too ({others}); they merge cleanly, in either order"
    ),
)
OVERLAP_UNTRIED = Rule(
    "change_overlap_untried",
    Level.INFO,
    N_(
        "{places}: touched by other open changes too ({others}); whether they merge cannot be told "
        "while one of them has errors"
    ),
)
OVERLAP_CONFLICT = Rule(
    "change_overlap_conflict",
    Level.WARNING,
    N_(
        "{places}: touched by other open changes too ({others}), which would conflict with this one"
    ),
    N_(
        "Run `rasen overlap {change}` to see where; once one is archived, the other has to follow it"
    ),
)
_RULES = {
    Result.CLEAN: OVERLAP,
    Result.CONFLICT: OVERLAP_CONFLICT,
    Result.UNTRIED: OVERLAP_UNTRIED,
}
_MOST_NAMED = 5


def overlap_findings(
    changes: Iterable[tuple[LoadedChange, ChangePlan]],
) -> dict[str, list[Finding]]:
    """The findings about each of these changes, by its name.

    Others that share the same places with the same result are told of together.
    """
    grouped: dict[str, dict[tuple[Result, str, str], list[str]]] = {}
    for one in overlaps([Candidate(*change) for change in changes]):
        group = one.result, one.places[0].capability, _shortened(map(_named, one.places))
        for change, other in ((one.first, one.second), (one.second, one.first)):
            grouped.setdefault(change.name, {}).setdefault(group, []).append(other.name)
    found: dict[str, list[Finding]] = {}
    for name, groups in grouped.items():
        for (result, capability, places), others in groups.items():
            params = {"change": name, "others": _shortened(others), "places": places}
            finding = Finding(_RULES[result], f"{capability}/spec.md", params)
            found.setdefault(name, []).append(finding)
    return found


def _named(place: Place) -> str:
    if place.requirement is None:
        return place.capability
    return f'{place.capability} "{place.requirement}"'


def _shortened(names: Iterable[str]) -> str:
    """A list that stays short: a hundred changes of one requirement are told once, not each of each."""
    all_names = list(names)
    more = len(all_names) - _MOST_NAMED
    return ", ".join(all_names[:_MOST_NAMED]) + (f", … (+{more})" if more > 0 else "")
