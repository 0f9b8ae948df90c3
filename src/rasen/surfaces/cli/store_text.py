"""What the `store` commands answer: lines for people, and the larger documents."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rasen.base.messages import N_
from rasen.surfaces.cli.columns import padded
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.statuses import statuses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rasen.base.errors import ToolError
    from rasen.base.findings import Finding
    from rasen.stores.identity import Upgrade
    from rasen.stores.inspect import Inspection, Report
    from rasen.stores.model import Registration
    from rasen.stores.outcome import Outcome
    from rasen.stores.remove import Removed
    from rasen.surfaces.cli.run import App

_ID_CELLS, _TYPE_CELLS = 16, 10


def tell_outcome(app: App, outcome: Outcome) -> None:
    """What a setup or a registration did, and how to go on."""
    app.line(N_("Store '{id}' is registered: {root}"), id=outcome.id, root=outcome.root)
    for name in outcome.created:
        app.line(N_("  created {name}"), name=name)
    if outcome.is_committed:
        app.line(N_("  committed; nothing was sent anywhere"))
    elif outcome.created and outcome.is_repository:
        app.line(N_("  commit what was created, so that others get it"))
    say_findings(app, outcome.findings)
    if not outcome.is_known:
        app.line(N_("Work in it with: rasen list --store {id}"), id=outcome.id)


def tell_removal(app: App, removed: Removed) -> None:
    """What is gone, and what is still there."""
    app.line(N_("Store '{id}' is no longer registered."), id=removed.row.id)
    if removed.deleted is not None:
        app.line(N_("Deleted {path}"), path=removed.deleted)
    if removed.left is not None:
        app.line(N_("Its files stay in {path}"), path=removed.left)
    say_findings(app, removed.findings)


def tell_list(app: App, rows: Sequence[Registration]) -> None:
    """A table of all rows. Source: planning §7.4."""
    if not rows:
        app.line(N_("No stores are registered on this machine."))
        app.line(N_("Make one:          rasen store setup <id> --path <folder>"))
        app.line(N_("Register a clone:  rasen store register <path>"))
        return
    app.line(N_("Registered: {count}"), count=len(rows))
    app.line()
    _tell_row(app, app.t(N_("ID")), app.t(N_("Type")), app.t(N_("Location")))
    for row in rows:
        _tell_row(app, row.id, row.namespace, row.path)


def _tell_row(app: App, name: str, kind: str, place: str) -> None:
    cells = f"{padded(name, _ID_CELLS)} {padded(kind, _TYPE_CELLS)} {padded(place, 0)}"
    app.raw(f"{cells}\n")


def doctor_document(report: Report) -> dict[str, object]:
    """The answer of `store doctor`. Source: planning §7.4."""
    return {
        "stores": [_inspected(one) for one in report.stores],
        "status": statuses(report.findings),
    }


def _inspected(one: Inspection) -> dict[str, object]:
    from rasen.stores.remotes import redacted

    answer: dict[str, object] = {"id": one.row.id, "root": one.row.path, "type": one.row.namespace}
    uid = one.row.uid or (one.metadata.uid if one.metadata is not None else None)
    if uid is not None:
        answer["uid"] = uid
    if one.metadata_path is not None:
        answer["metadata_path"] = str(one.metadata_path)
    answer["openspec_root"] = {
        "path": str(one.workspace_dir),
        "healthy": one.health.is_healthy,
        "status": statuses(one.health.findings),
    }
    metadata: dict[str, object] = {
        "present": one.metadata_path is not None,
        "valid": one.metadata is not None,
    }
    remote = None
    if one.metadata is not None:
        metadata["id"] = one.metadata.id
        if one.metadata.uid is not None:
            metadata["uid"] = one.metadata.uid
        remote = one.metadata.remote
    metadata["remote"] = None if remote is None else redacted(remote)
    answer["metadata"] = metadata
    answer["git"] = one.git.to_json()
    answer["status"] = statuses(one.findings)
    return answer


def tell_doctor(app: App, report: Report) -> None:
    """Every store with its findings."""
    if not report.stores:
        app.line(N_("No stores are registered on this machine."))
    for one in report.stores:
        state = N_("{id}: ok") if not one.findings else N_("{id}: see the notes")
        app.line(state, id=one.row.id)
        app.line(N_("  {path}"), path=one.row.path)
        say_findings(app, one.findings)
    say_findings(app, report.findings)


def upgrade_document(upgrade: Upgrade) -> dict[str, object]:
    """The answer of `store upgrade-identity`, in the case it is published in."""
    problems: list[Finding | ToolError] = list(upgrade.findings)
    if upgrade.problem is not None:
        problems.insert(0, upgrade.problem)
    return {
        "store": {"id": upgrade.row.id, "root": upgrade.row.path, "uid": upgrade.uid},
        "applied": upgrade.is_applied,
        "steps": [step.to_json() for step in upgrade.steps],
        "filesToCommit": [str(path) for path in upgrade.to_commit],
        "repairNeeded": upgrade.problem is not None,
        "diagnostics": statuses(problems),
    }


def tell_upgrade(app: App, upgrade: Upgrade) -> None:
    """The steps, what to commit, and what is left to do."""
    if upgrade.uid is not None:
        app.line(N_("Store '{id}' has the identity {uid}"), id=upgrade.row.id, uid=upgrade.uid)
    needed = [step for step in upgrade.steps if step.is_needed]
    if not needed:
        app.line(N_("Nothing is to be done."))
    for step in needed:
        app.line("  {path}: {what}", path=step.path, what=app.t(step.description))
        if step.blocked:
            app.line(N_("    not now: {reason}"), reason=app.t(step.blocked))
    say_findings(app, upgrade.findings)
    if upgrade.problem is not None:
        app.refuse(upgrade.problem)
        app.say(N_("Run the command again to finish."))
    for path in upgrade.to_commit:
        root, name = str(path.parents[1]), path.relative_to(path.parents[1]).as_posix()
        call = f"git -C {shlex.quote(root)} add -- {shlex.quote(name)}"
        call += f" && git -C {shlex.quote(root)} commit -m {shlex.quote('Name the store by its identity')}"
        call += f" -- {shlex.quote(name)}"
        app.line(N_("Commit it: {call}"), call=call)
    if needed and not upgrade.is_applied:
        app.line(N_("This was a preview; do it with --apply."))
