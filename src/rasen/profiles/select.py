"""Which workflows count: the project's list, its lock, or the machine's selection. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rasen.base.errors import ToolError
from rasen.base.findings import Finding
from rasen.hosts.model import PREFIX
from rasen.profiles.model import (
    CORE,
    CUSTOM,
    EXPERT_DROPPED,
    FULL,
    LOCK_SHADOWED,
    LOCK_UNUSABLE,
    MACHINE_UNUSABLE,
    WORKFLOW_UNKNOWN,
    Profile,
    Retention,
    Selection,
    Source,
)
from rasen.profiles.profile_file import RETIRED_REPORT
from rasen.workflows.closure import close
from rasen.workflows.model import Definition
from rasen.workflows.ops import RETIRED, core, full


class Wanted(NamedTuple):
    """Ids that mean something, in catalogue order with what they require; and what was dropped."""

    workflows: tuple[str, ...]
    notices: tuple[Finding, ...]


class Catalogue(NamedTuple):
    """What ids can mean. experts: their ids, which old selections may name."""

    definitions: Sequence[Definition]
    experts: Sequence[str]


def built_in(name: str) -> Profile:
    """The definition of `full` or `core`. Source: library PR-011, RT-005."""
    if name == CORE:
        return Profile(core(), Retention.OFF)
    return Profile(full(), Retention.REPORT)


def normalised(ids: Iterable[str], catalogue: Catalogue, *, place: str) -> Wanted:
    """`ids` as a profile keeps them: known, selectable, closed, ordered.

    place: where they stand, for the notices. Source: library PR-012, PR-021, PR-022.
    """
    selectable = {one.id for one in catalogue.definitions if one.is_selectable}
    listed = {one.id for one in catalogue.definitions}
    kept, notices = [], []
    for one in ids:
        if one in selectable:
            kept.append(one)
        elif one.removeprefix(PREFIX) in catalogue.experts:
            notices.append(Finding(EXPERT_DROPPED, place, {"place": place, "workflow": one}))
        elif one not in RETIRED and one not in listed:
            notices.append(Finding(WORKFLOW_UNKNOWN, place, {"place": place, "workflow": one}))
    closed = close(catalogue.definitions, kept)
    return Wanted(tuple(one for one in closed if one in selectable), tuple(notices))


def name_of(profile: Profile) -> str:
    """`full` or `core` when the whole definition is that one's, else `custom`. Source: PR-014."""
    return next((name for name in (FULL, CORE) if built_in(name) == profile), CUSTOM)


class Layers(NamedTuple):
    """What is said where. project: the fields of its settings; None without any; file: theirs.

    machine: the machine's settings. saved: a saved profile by name, or why it cannot be used.
    """

    machine: Mapping[str, object]
    saved: Mapping[str, Profile | ToolError]
    project: Mapping[str, object] | None = None
    file: str = ""


def select(layers: Layers, catalogue: Catalogue) -> Selection:
    """What counts for a project, or for the machine. Source: library PR-050 to PR-052, RT-006."""
    project = layers.project or {}
    lock, listed = project.get("profile"), project.get("workflows")
    if isinstance(listed, list):
        notices = []
        if isinstance(lock, str):
            params = {"profile": lock, "file": layers.file}
            notices.append(Finding(LOCK_SHADOWED, layers.file, params))
        wanted = normalised(listed, catalogue, place=layers.file)
        return Selection(
            _closed(wanted.workflows, catalogue),
            Source.PROJECT_WORKFLOWS,
            CUSTOM,
            _retention(layers.machine, None, listed),
            (*notices, *wanted.notices),
        )
    if not isinstance(lock, str):
        return machine_selection(layers, catalogue)
    profile = built_in(lock) if lock in (FULL, CORE) else layers.saved.get(lock)
    if isinstance(profile, Profile):
        return _from_profile(lock, profile, Source.PROJECT_PROFILE, layers, catalogue)
    problem: object = profile if isinstance(profile, ToolError) else "it does not exist"
    unusable = Finding(
        LOCK_UNUSABLE,
        layers.file,
        {"profile": lock, "problem": problem, "file": layers.file},
    )
    fallen = machine_selection(layers, catalogue)
    return Selection(
        fallen.workflows, fallen.source, fallen.name, fallen.retention, (unusable, *fallen.notices)
    )


def machine_selection(layers: Layers, catalogue: Catalogue) -> Selection:
    """What the machine's settings select; `full` when they say nothing usable."""
    named = layers.machine.get("profile")
    if named == CUSTOM:
        listed = layers.machine.get("workflows")
        ids = listed if isinstance(listed, list) else []
        wanted = normalised(ids, catalogue, place="config.json")
        profile = Profile(wanted.workflows, _retention(layers.machine, None, ids))
        return Selection(
            _closed(wanted.workflows, catalogue),
            Source.MACHINE,
            name_of(profile),
            profile.retention,
            wanted.notices,
        )
    if named is None or named in (FULL, CORE):
        name = str(named or FULL)
        retention = _retention(layers.machine, built_in(name) if named else None, ())
        workflows = _closed(built_in(name).workflows, catalogue)
        return Selection(workflows, Source.MACHINE, name, retention)
    profile_ = layers.saved.get(str(named))
    if isinstance(profile_, Profile):
        return _from_profile(str(named), profile_, Source.MACHINE, layers, catalogue)
    params = {"profile": named, "problem": profile_ or "it does not exist"}
    retention = _retention(layers.machine, None, ())
    workflows = _closed(built_in(FULL).workflows, catalogue)
    unusable = Finding(MACHINE_UNUSABLE, "config.json", params)
    return Selection(workflows, Source.MACHINE, FULL, retention, (unusable,))


def _from_profile(
    name: str, profile: Profile, source: Source, layers: Layers, catalogue: Catalogue
) -> Selection:
    wanted = normalised(profile.workflows, catalogue, place=name)
    is_coupled = name in (FULL, CORE)
    retention = _retention(layers.machine, profile, ()) if is_coupled else profile.retention
    workflows = _closed(wanted.workflows, catalogue)
    return Selection(workflows, source, name, retention, wanted.notices)


def _retention(
    machine: Mapping[str, object], coupled: Profile | None, listed: Sequence[object]
) -> Retention:
    """The mode that the settings name; else that of the profile; else off. Source: RT-005 to RT-007."""
    said = machine.get("retention")
    if isinstance(said, str) and said in tuple(Retention):
        return Retention(said)
    if coupled is not None:
        return coupled.retention
    return Retention.REPORT if RETIRED_REPORT in listed else Retention.OFF


def _closed(ids: Sequence[str], catalogue: Catalogue) -> tuple[str, ...]:
    return close(catalogue.definitions, ids)
