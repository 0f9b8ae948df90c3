"""Which checkout a frozen identity means when work is taken up again; it never moves to another.

The identity decides which project it is; the session or the checkout we are in only locate it.
Source: planning §9.6, correction 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from rasen.base.errors import Conflict, NotFound
from rasen.base.messages import N_, Phrase
from rasen.projects.homes import normal_id
from rasen.roots.session_file import Session

PLANNING_ONLY = "planning-only"

SESSION, CHECKOUT, REGISTRY = "session", "checkout", "registry"

_TARGET = "project.binding"
_NO_PROJECT = Phrase(N_("no project: it only plans"))


class BindingMismatch(Conflict):
    code = "project_binding_mismatch"
    text = N_("the run is bound to the project {frozen}, but {place} is bound to: {found}")
    fix = N_("go to a checkout of {frozen}, or start a session in one, and run the command again")


class BindingAmbiguous(Conflict):
    code = "project_binding_ambiguous"
    text = N_("the run is bound to the project {frozen}, which has several checkouts: {checkouts}")
    fix = N_("go to the one that is meant and run the command again")


class BindingMissing(NotFound):
    code = "project_binding_missing"
    text = N_("the run is bound to the project {frozen}, which has no checkout on this machine")
    fix = N_("get a checkout of it, run 'rasen init' there, and run the command again in it")


class BindingSelectorConflict(Conflict):
    code = "project_binding_selector_conflict"
    text = N_("the run is bound to the project {frozen}, but --project names {found} ({place})")
    fix = N_("leave out --project: it can confirm the project of a run, never change it")


class Selected(NamedTuple):
    """What an explicit selector names. project_id: None when that cannot be known here."""

    name: str
    project_id: str | None
    root: Path | None = None


class Located(NamedTuple):
    """The root we are in, and the identity it carries; None when it carries none."""

    root: Path
    project_id: str | None


class Binding(NamedTuple):
    """The checkout to go on in. source: what located it, SESSION, CHECKOUT or REGISTRY."""

    project_id: str
    root: Path
    source: str

    def to_json(self) -> dict[str, str]:
        """The `binding` member."""
        return {"projectId": self.project_id, "root": str(self.root), "source": self.source}


def bind(
    frozen: str | None,
    *,
    selected: Selected | None,
    session: Session | None,
    here: Located | None,
    registered: Callable[[], Sequence[Path]],
) -> Binding | None:
    """The checkout that `frozen` means; None when there is no binding to check.

    frozen: an identity; None or PLANNING_ONLY bind nothing. here: None outside of every root.
    registered: the checkouts of the identity that this machine knows and that are there, canonical;
    asked last. Errors: project_binding_selector_conflict, project_binding_mismatch,
    project_binding_ambiguous, project_binding_missing.
    """
    if frozen is None or not frozen.strip() or normal_id(frozen) == PLANNING_ONLY:
        return None
    wanted = normal_id(frozen)
    _cross_check(wanted, selected)
    if session is not None:
        return _in_session(wanted, session)
    if here is not None and here.project_id is not None:
        if normal_id(here.project_id) != wanted:
            found = normal_id(here.project_id)
            raise BindingMismatch(target=_TARGET, frozen=wanted, place=here.root, found=found)
        return Binding(wanted, here.root, CHECKOUT)
    return _in_registry(wanted, registered())


def _cross_check(wanted: str, selected: Selected | None) -> None:
    if selected is None:
        return
    found = normal_id(selected.project_id or selected.name)
    if found != wanted:
        raise BindingSelectorConflict(
            target=_TARGET, frozen=wanted, found=found, place=selected.root or selected.name
        )


def _in_session(wanted: str, session: Session) -> Binding:
    execution = session.execution
    if execution is None or normal_id(execution.project_id) != wanted:
        place = session.planning.root if execution is None else execution.root
        found = _NO_PROJECT if execution is None else normal_id(execution.project_id)
        raise BindingMismatch(target=_TARGET, frozen=wanted, place=place, found=found)
    return Binding(wanted, execution.root, SESSION)


def _in_registry(wanted: str, registered: Sequence[Path]) -> Binding:
    checkouts = sorted(set(registered))
    if not checkouts:
        raise BindingMissing(target=_TARGET, frozen=wanted)
    if len(checkouts) > 1:
        shown = ", ".join(map(str, checkouts))
        raise BindingAmbiguous(target=_TARGET, frozen=wanted, checkouts=shown)
    return Binding(wanted, checkouts[0], REGISTRY)
