"""The findings of the doctor that have one safe remedy, and applying it.

Each adds or corrects one line of the project's settings, or something this machine keeps; what
others wrote is never removed, and running it again does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.config import declare
from rasen.config.model import StorePointer
from rasen.projects import ops as projects
from rasen.stores import membership, pointers
from rasen.stores.membership import Edit
from rasen.stores.remotes import has_credentials
from rasen.upkeep import older_places
from rasen.upkeep.doctor import Report

LOCATOR = "project_membership_locator_missing"
LEGACY = "store_pointer_legacy"
DRIFT = "store_pointer_alias_drift"
UNREGISTERED = "project_not_registered"
OLDER = "older_data_found"


class Fix(NamedTuple):
    """One remedy, tried. text, params: what it does; paths: the files it wrote. problem: why not."""

    code: str
    text: str
    params: dict[str, object]
    paths: tuple[Path, ...] = ()
    problem: ToolError | None = None

    def to_json(self) -> dict[str, object]:
        """A member of `fixes`."""
        answer: dict[str, object] = {
            "code": self.code,
            "description": self.text.format(**self.params),
            "applied": self.problem is None,
            "paths": [str(path) for path in self.paths],
        }
        return answer


def apply(ctx: Context, report: Report) -> list[Fix]:
    """Mend what `report` found, as far as there is one safe way; each remedy stands for itself."""
    fixes = [*_locators(ctx, report), *_pointer(ctx, report), *_registration(ctx, report)]
    return fixes + _older(ctx)


def _locators(ctx: Context, report: Report) -> Iterator[Fix]:
    subject = report.survey.subject
    wanted = {one.params["id"] for one in report.survey.problems if one.code == LOCATOR}
    for one in report.survey.stores:
        if one.store is None or one.store.uid is None or one.id not in wanted or one.is_hinted:
            continue
        remote = one.store.remote
        if remote is not None and (has_credentials(remote) or not membership.is_portable(remote)):
            remote = None
        pointer = StorePointer(one.store.uid, one.store.id, remote)
        text = N_("write into {file} where the store '{id}' is")
        params: dict[str, object] = {"file": subject.file, "id": one.store.id}
        yield _edited(ctx, subject.file, Fix(LOCATOR, text, params), _adding(pointer))


def _adding(pointer: StorePointer) -> Callable[[str, str], str]:
    return lambda content, file: declare.with_membership(content, pointer, file=file)


def _pointer(ctx: Context, report: Report) -> Iterator[Fix]:
    subject = report.survey.subject
    if subject.pointer is None or report.pointed is None:
        return
    mended = pointers.mended(subject.pointer, report.pointed)
    if mended == subject.pointer:
        return
    text = N_("write into {file} the identity and the name that the store '{id}' has")
    params: dict[str, object] = {"file": subject.file, "id": mended.id}
    fix = Fix(LEGACY if subject.pointer.uid is None else DRIFT, text, params)
    yield _edited(
        ctx,
        subject.file,
        fix,
        lambda content, file: declare.with_store(content, mended, file=file),
    )


def _registration(ctx: Context, report: Report) -> Iterator[Fix]:
    subject = report.survey.subject
    is_known = report.machine.entry is not None or report.machine.problem is not None
    if is_known or subject.project_id is None:
        return
    text = N_("register the checkout {root} on this machine")
    fix = Fix(UNREGISTERED, text, {"root": subject.root})
    try:
        projects.register(ctx, subject.root)
    except ToolError as error:
        yield fix._replace(problem=error)
    else:
        yield fix._replace(paths=(ctx.data_dir / "projects" / "registry.json",))


def _older(ctx: Context) -> list[Fix]:
    made, problems = older_places.adopt(ctx)
    text = N_("copy files of an older program to {folder}")
    fix = Fix(OLDER, text, {"folder": ctx.data_dir})
    done = [fix._replace(paths=tuple(made))] if made else []
    return done + [fix._replace(problem=problem) for problem in problems]


def _edited(ctx: Context, file: Path | None, fix: Fix, change: Callable[[str, str], str]) -> Fix:
    assert file is not None
    try:
        with membership.writing(ctx):
            edit = Edit.of(file.parent)
            edit = edit.to(change(edit.before, str(file)))
            membership.write_edit(edit)
    except ToolError as error:
        return fix._replace(problem=error)
    return fix._replace(paths=(file,))
