"""`rasen doctor`: the health of a root and of what it is related to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option, root_options
from rasen.surfaces.cli.statuses import statuses

if TYPE_CHECKING:
    from rasen.config.model import StorePointer
    from rasen.projects.survey import Collected, Survey
    from rasen.roots.model import RootRequest
    from rasen.upkeep.doctor import Report, StoreHealth
    from rasen.upkeep.doctor_fixes import Fix

_NULL: dict[str, object] = {"root": None, "store": None, "references": []}


@click.command(
    name="doctor",
    help=N_(
        "Look after the root, its store, its references and memberships, and what this machine keeps.\n\n"
        "Findings do not make it fail. It changes nothing, unless --fix or --gc is given."
    ),
)
@click.option("--fix", "is_mending", is_flag=True, help=N_("Mend what has one safe remedy"))
@click.option(
    "--gc",
    "is_clearing",
    is_flag=True,
    help=N_(
        "Forget checkouts that are gone, and delete what this machine keeps for projects it no longer"
        " knows, with their external archives"
    ),
)
@json_option
@root_options
@guarded(fallback="doctor_failed", null=_NULL)
def doctor(
    app: App, *, selector: RootRequest, is_mending: bool, is_clearing: bool, as_json: bool
) -> int:
    from rasen.upkeep import doctor as examining

    root = app.root(selector, allow_implicit=False)
    report = examining.examine(app.ctx, root)
    fixes: list[Fix] | None = None
    cleared: Collected | None = None
    if is_mending:
        from rasen.upkeep import doctor_fixes

        fixes = doctor_fixes.apply(app.ctx, report)
    if is_clearing:
        from rasen.projects import survey

        cleared = survey.collect(app.ctx, keep=report.survey.subject.project_id)
    if fixes or cleared is not None:
        report = examining.examine(app.ctx, root)
    if as_json:
        app.document(_document(report, fixes, cleared))
    else:
        from rasen.surfaces.cli.doctor_text import tell

        tell(app, report, fixes, cleared)
    return EXIT_FAILED if any(fix.problem for fix in fixes or ()) else EXIT_OK


def _document(
    report: Report, fixes: list[Fix] | None, cleared: Collected | None
) -> dict[str, object]:
    root = {
        **report.root.to_json(),
        "healthy": report.health.is_healthy,
        "status": statuses(report.health.findings),
    }
    membership: dict[str, object] = {}
    if report.survey.subject.project_id is not None:
        membership["project_id"] = report.survey.subject.project_id
    membership["stores"] = [one.to_json() for one in report.survey.stores]
    answer: dict[str, object] = {
        "root": root,
        "store": None if report.store is None else _store(report, report.store),
        "references": [one.to_json() for one in report.references],
        "membership": membership,
        "machineHome": _machine(report.machine, report.ephemera),
    }
    if fixes is not None:
        answer["fixes"] = [_fix(fix) for fix in fixes]
    if cleared is not None:
        answer["gc"] = cleared.to_json()
    answer["status"] = statuses(report.problems)
    return answer


def _store(report: Report, found: StoreHealth) -> dict[str, object]:
    from rasen.stores.remotes import redacted

    inspection = found.inspection
    said = inspection.metadata
    metadata: dict[str, object] = {
        "present": inspection.metadata_path is not None,
        "valid": said is not None,
    }
    answer: dict[str, object] = {"id": report.root.store_id}
    if said is not None and said.uid is not None:
        answer["uid"] = metadata["uid"] = said.uid
    if said is not None and said.remote is not None:
        metadata["remote"] = redacted(said.remote)
    answer["metadata"] = metadata
    if inspection.git.origin is not None:
        answer["origin_url"] = redacted(inspection.git.origin)
    if found.pointer is not None:
        answer["pointer"] = _pointer(found.pointer)
    answer["status"] = statuses(found.problems)
    return answer


def _pointer(pointer: StorePointer) -> dict[str, str]:
    answer = {"shape": "alias" if pointer.uid is None else "durable"}
    if pointer.id is not None:
        answer["declared_id"] = pointer.id
    if pointer.uid is not None:
        answer["declared_uid"] = pointer.uid
    answer["resolved_by"] = "alias" if pointer.uid is None else "uid"
    return answer


def _machine(found: Survey, ephemera: int) -> dict[str, object]:
    answer: dict[str, object] = {"registered": found.entry is not None}
    if found.entry is not None:
        answer["entry"] = {
            "path": str(found.path),
            "project_id": found.entry.project_id,
            "home": found.entry.home,
            "last_seen": found.entry.last_seen,
        }
    answer["dangling"] = [row.to_json() for row in found.dangling]
    if found.problem is not None:
        answer["error"] = statuses([found.problem])[0]
    if ephemera:
        answer["migratableEphemera"] = ephemera
    return answer


def _fix(fix: Fix) -> dict[str, object]:
    problem = {} if fix.problem is None else {"problem": statuses([fix.problem])[0]}
    return {**fix.to_json(), **problem}
