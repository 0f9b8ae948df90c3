"""Why something cannot be undone, or not without asking."""

from __future__ import annotations

from collections.abc import Sequence

from rasen.base.errors import Conflict, NotFound, Refused
from rasen.base.messages import N_
from rasen.planning.journal.reverse import Blocker


class UndoNothing(NotFound):
    """There is neither an archive nor a sync."""

    code = "undo_nothing"
    text = N_("there is no archive and no sync to undo")
    fix = N_("run `rasen list{selector}` to see the open changes")


class UndoNotFound(NotFound):
    """Nothing that can be undone goes by that name."""

    code = "undo_not_found"
    text = N_('nothing to undo is called "{name}"; nearest: {nearest}')
    fix = N_("name an archived change, or an open one that was synced")


class JournalMissing(Refused):
    """An archive that left nothing to undo it by."""

    code = "journal_missing"
    text = N_(
        "{name} was archived without a journal, by another program or an older one; it cannot be undone from here"
    )
    fix = N_("bring back its folder and the specs with git, as they were before that archive")


class UndoNeedsConsent(Refused):
    """It goes on once the person says yes."""

    code = "undo_confirmation_required"
    text = N_("undoing the archive {name} reopens {change} and changes the specs {specs}")
    fix = N_("run `{again}`, or look first with --dry-run")


class UndoSyncNeedsConsent(Refused):
    """It goes on once the person says yes."""

    code = "undo_confirmation_required"
    text = N_("undoing the last sync of {change} changes the specs {specs}")
    fix = N_("run `{again}`, or look first with --dry-run")


class UndoBlocked(Refused):
    """Something stands on it. blockers: what."""

    code = "undo_blocked"
    text = N_("{name} cannot be undone, because later work stands on it: {reasons}")
    fix = N_("undo what came later first, or take the change back with a new one")

    def __init__(self, blockers: Sequence[Blocker], *, name: str) -> None:
        reasons = "; ".join(_told(one) for one in blockers)
        super().__init__(target="", fix=None, name=name, reasons=reasons)
        self.blockers = tuple(blockers)


class UndoFolderMissing(Refused):
    """The folder of the archived change is not where the journal says."""

    code = "undo_blocked"
    text = N_("{name} cannot be undone: its folder {folder} is not there")
    fix = N_("put the folder back, and undo again")


class UndoPruned(Refused):
    """The folder was deleted, and we cannot make it again from git."""

    code = "undo_blocked"
    text = N_(
        "{name} was deleted when it was archived, and its folder cannot be made again from here"
    )
    fix = N_("run `git checkout {commit} -- {folder}` at the top of the repository, and undo again")


class UndoTargetExists(Conflict):
    """An open change has the name that the reopened one needs."""

    code = "undo_target_exists"
    text = N_("{place} exists already, so {name} cannot be reopened there")
    fix = N_("rename that change, or archive it first")


class UndoError(Conflict):
    """The files are not those that the undoing was prepared from."""

    code = "undo_error"
    text = N_("nothing was undone: {problem}")
    fix = N_("run it again; the files are read afresh")


def _told(blocker: Blocker) -> str:
    """In names and the words of our commands only, so that it reads alike in every language."""
    names = ", ".join(f'"{name}"' for name in blocker.requirements)
    who = blocker.kind if blocker.name is None else f"{blocker.kind} {blocker.name}"
    return f"{blocker.capability}: {names} ({who})" if names else f"{blocker.capability} ({who})"
