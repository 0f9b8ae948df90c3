"""Why an archive is refused or has to ask first; the codes of planning §6.2."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from rasen.base.errors import Conflict, InvalidInput, NotFound, Refused
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.planning.merging.model import Conflict as MergeConflict


class Point(Enum):
    """Something that needs a yes."""

    UNCHECKED = "unchecked"
    TASKS = "tasks"
    SPECS = "specs"
    PRUNE = "prune"

    @property
    def flag(self) -> str:
        """The flag that says yes in advance."""
        return "--confirm-prune" if self is Point.PRUNE else "--yes"


class NeedsConsent(Refused):
    """An archive that goes on once the person says yes to `point`. `again`: the call that does."""

    def __init__(self, point: Point, **params: object) -> None:
        super().__init__(target="", fix=None, **params)
        self.point = point


class UncheckedNeedsConsent(NeedsConsent):
    """The wording of the change would not be checked."""

    code = "archive_confirmation_required"
    text = N_("archiving {change} without checking its wording needs a yes")
    fix = N_("run `{again}`")


class SpecsNeedConsent(NeedsConsent):
    """Specs would change."""

    code = "archive_confirmation_required"
    text = N_("archiving {change} changes the specs {names}; that needs a yes")
    fix = N_("run `{again}`, or use --skip-specs to leave the specs alone")


class SyncUncheckedNeedsConsent(NeedsConsent):
    """The wording of the change would not be checked before it is merged."""

    code = "archive_confirmation_required"
    text = N_("syncing {change} without checking its wording needs a yes")
    fix = N_("run `{again}`")


class SyncSpecsNeedConsent(NeedsConsent):
    """Specs would change while the change stays open."""

    code = "archive_confirmation_required"
    text = N_("syncing {change} changes the specs {names}; that needs a yes")
    fix = N_("run `{again}`; `rasen undo` takes a sync back")


class TasksIncomplete(NeedsConsent):
    """Not every task is done."""

    code = "archive_tasks_incomplete"
    text = N_("{open} of {total} tasks of {change} are not done")
    fix = N_("finish them, or run `{again}`")


class PruneConfirmationRequired(NeedsConsent):
    """The settings say that the change is deleted instead of kept."""

    code = "archive_prune_confirmation_required"
    text = N_("archiving {change} deletes its folder (archive.destination is prune)")
    fix = N_("run `{again}`, or set archive.destination to in-repo")


class NameRequired(InvalidInput):
    """No change was named and nobody can be asked."""

    code = "archive_change_name_required"
    text = N_("name the change to archive; open changes: {known}")
    fix = N_("run `rasen archive <change>`")


class SyncNameRequired(InvalidInput):
    """No change was named and nobody can be asked."""

    code = "archive_change_name_required"
    text = N_("name the change to sync; open changes: {known}")
    fix = N_("run `rasen sync <change>`")


class ArchiveChangeNotFound(NotFound):
    """No open change goes by that name."""

    code = "archive_change_not_found"
    text = N_('no change "{change}"; open changes: {known}')
    fix = N_("run `rasen list` to see them")


class ChangeIsLink(Refused):
    """The change's folder is a link."""

    code = "archive_error"
    text = N_("{folder} is a link; a change is archived from where it really lies")
    fix = N_("put the folder itself there")


class OutsideRoot(Refused):
    """A planning folder leads out of the workspace."""

    code = "archive_error"
    text = N_("{folder} leads out of {root}, so nothing is archived there")
    fix = N_("replace the link by a folder")


class MergeConfirmationRequired(Refused):
    """The change was shipped as a pull request that may not be merged yet."""

    code = "archive_merge_confirmation_required"
    text = N_(
        "{log} says that {change} was shipped as a pull request; archive it once that is merged"
    )
    fix = N_("run it again with --yes when it is merged")


class TargetTaken(Conflict):
    """Something lies where the archived change would go."""

    code = "archive_target_exists"
    text = N_("{place} exists already")
    fix = N_("rename the change, or move the older archive away")


class DirtyChange(Refused):
    """A change that git could not bring back is not moved out of its reach."""

    code = "archive_dirty_change_dir"
    text = N_(
        "{folder} holds work that git does not have ({files}); destination {destination} needs it committed"
    )
    fix = N_("commit the change's folder first")


class InputsChanged(Conflict):
    """A file that the plan was made from is another by now."""

    code = "archive_error"
    text = N_("nothing was archived: {problem}")
    fix = N_("run it again; the files are read afresh")


class NotWritten(Refused):
    """The disk did not let us write. `archive_error`, as the one code of an archive that ends so."""

    code = "archive_error"
    text = N_("nothing was archived: {problem}")
    fix = N_("{step}, then run it again")


class SyncNotWritten(Refused):
    """The disk did not let us write."""

    code = "archive_error"
    text = N_("nothing was synced: {problem}")
    fix = N_("{step}, then run it again")


class SyncInputsChanged(Conflict):
    """A file that the plan was made from is another by now."""

    code = "archive_error"
    text = N_("nothing was synced: {problem}")
    fix = N_("run it again; the files are read afresh")


class WithIssues(InvalidInput):
    """A refusal that lists what was found.

    findings: as `validate` reports them. conflicts: places that both sides changed, each with its
    capability.
    """

    def __init__(
        self,
        findings: Sequence[Finding],
        conflicts: Sequence[tuple[str, MergeConflict]] = (),
        **params: object,
    ) -> None:
        super().__init__(target="", fix=None, count=len(findings), **params)
        self.findings = tuple(findings)
        self.conflicts = tuple(conflicts)


class ValidationFailed(WithIssues):
    """The change itself is not valid."""

    code = "archive_validation_failed"
    text = N_("{change} is not valid (errors: {count}); nothing was changed")
    fix = N_("run `rasen validate {change}` and correct what it lists")


class SpecUpdateFailed(WithIssues):
    """Its deltas do not fit the specs."""

    code = "archive_spec_update_failed"
    text = N_("the deltas of {change} do not fit the specs (errors: {count}); nothing was changed")
    fix = N_("run `rasen validate {change}` and correct what it lists")


class SpecValidationFailed(WithIssues):
    """A merged spec would not be valid."""

    code = "archive_spec_validation_failed"
    text = N_("a spec would not be valid after the merge (errors: {count}); nothing was changed")
    fix = N_("run `rasen validate {change}` and correct what it lists")
