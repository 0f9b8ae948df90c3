"""What can be asked about workflows."""

from __future__ import annotations

from pathlib import Path

from rasen.base.context import Context
from rasen.workflows import conversion, disk, drafting, removal
from rasen.workflows.builtin import RETIRED
from rasen.workflows.builtin_ops import always, built_in, built_in_digest, core, experts, full
from rasen.workflows.catalogue import Catalogue, Known, assemble, judge
from rasen.workflows.closure import close as closure
from rasen.workflows.conversion import Converted
from rasen.workflows.disk import home
from rasen.workflows.reading import Reading, contents, definition_from, read_folder
from rasen.workflows.registry import WorkflowNotFound
from rasen.workflows.skill_names import current_skill

__all__ = [
    "RETIRED",
    "Catalogue",
    "Converted",
    "Known",
    "Reading",
    "WorkflowNotFound",
    "always",
    "assemble",
    "built_in",
    "built_in_digest",
    "catalogue",
    "check_removable",
    "closure",
    "contents",
    "convert",
    "core",
    "current_skill",
    "definition_from",
    "delete",
    "draft",
    "experts",
    "full",
    "home",
    "judge",
    "read_folder",
]


def catalogue(ctx: Context, known: Known | None = None) -> Catalogue:
    """Every workflow that a selection can name, in order; the user's that are invalid apart.

    known: which pipelines and schemas there are; None passes over what is required of them.
    Without a folder of user workflows this is one look at the disk.
    """
    return disk.load(ctx, known)


def draft(ctx: Context, id: str, output: str) -> Path:
    """Write the smallest sound workflow to a folder outside the library; where it is.

    Errors: workflow_id_invalid, workflow_id_collision, output_id_mismatch, output_not_directory,
    output_not_empty, output_in_library; those of writing. Source: library WC-002, WC-015.
    """
    return drafting.draft(ctx, id, ctx.at(output))


def convert(ctx: Context, source: str, output: str) -> tuple[Converted, ...]:
    """Make workflows of the skills in a folder, below the folder `output`; what became of each.

    A skill with something wrong that nobody but its author can mend is left out, and told.
    Errors: skills_not_found, output_not_directory, output_not_empty, output_in_library; those of
    reading and writing.
    """
    if not source:
        raise conversion.SkillsNotFound(path="''")
    return conversion.convert(ctx, ctx.at(source), ctx.at(output))


def check_removable(ctx: Context, id: str) -> None:
    """Pass for an installed workflow of the user's, sound or not.

    Errors: builtin_delete_forbidden, workflow_not_found.
    """
    removal.check(ctx, id)


def delete(ctx: Context, id: str) -> None:
    """Take a workflow out of the library, whoever uses it: all of it, or nothing.

    Errors: builtin_delete_forbidden, workflow_not_found, workflow_registry_busy, busy,
    file_not_writable. Source: library WC-019.
    """
    removal.delete(ctx, id)
