"""`rasen session`: the file that tells a launched agent where it plans and works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.roots.model import RootRequest
    from rasen.roots.sessions import Started

_VARIABLE = "RASEN_SESSION_CONTEXT"


@click.command(
    name="start",
    help=N_(
        "Start a session: write the file that says where an agent plans and works.\n\n"
        "Prints the path of the file, for the variable RASEN_SESSION_CONTEXT of the agent's process."
        " It plans in the root that is selected, and works in the checkout we are in."
    ),
)
@click.option("--checkout", metavar="PATH", help=N_("Work in the checkout at PATH instead"))
@click.option("--planning-only", "is_planning_only", is_flag=True, help=N_("Change no code at all"))
@click.option("--id", "session_id", metavar="ID", help=N_("The id of the session; else a new one"))
@json_option
@root_options
@guarded(null={"session": None})
def start(
    app: App,
    *,
    selector: RootRequest,
    checkout: str | None,
    is_planning_only: bool,
    session_id: str | None,
    as_json: bool,
) -> None:
    from rasen.roots import sessions

    root = app.root(selector, allow_implicit=False)
    made = sessions.start(
        app.ctx,
        root,
        checkout=checkout,
        is_planning_only=is_planning_only,
        session_id=session_id,
    )
    if as_json:
        app.document({"session": made.to_json(), "env": {_VARIABLE: str(made.path)}, "status": []})
        return
    app.raw(f"{made.path}\n")
    app.say(
        "Started the session {id}; end it with: rasen session end {id}", id=made.session.session_id
    )


@click.command(name="show", help=N_("Show the session we are in, and where it may read and write"))
@json_option
@guarded(null={"session": None})
def show(app: App, *, as_json: bool) -> None:
    from rasen.roots import sessions

    found = sessions.current(app.ctx)
    if as_json:
        allowed = {} if found is None else {"actionContext": sessions.permissions(app.ctx, found)}
        session = None if found is None else found.to_json()
        app.document({"session": session, **allowed, "status": []})
    elif found is None:
        app.line("No session: {variable} is not set", variable=_VARIABLE)
    else:
        _tell(app, found, sessions.permissions(app.ctx, found))


@click.command(name="end", help=N_("End a session: remove its file. Without ID, the one we are in"))
@click.argument("session_id", metavar="ID", required=False)
@json_option
@guarded(null={"ended": None})
def end(app: App, *, session_id: str | None, as_json: bool) -> None:
    from rasen.roots import sessions

    ended = sessions.end(app.ctx, session_id)
    if as_json:
        app.document({"ended": {"sessionId": ended}, "status": []})
    else:
        app.line("Ended the session {id}", id=ended)


@click.command(
    name="check",
    help=N_(
        "Say in which checkout work goes on that is bound to a project.\n\n"
        "The session decides, else the checkout we are in, else the only one that is registered."
        " Work never moves to another project: where they disagree, this refuses."
    ),
)
@click.option(
    "--frozen", "identity", metavar="PROJECT-ID", required=True,
    help=N_("The projectId the work is bound to, or planning-only"),
)  # fmt: skip
@click.option("--project", metavar="ID", help=N_("A project that has to be the same one"))
@json_option
@guarded(null={"binding": None})
def check(app: App, *, identity: str, project: str | None, as_json: bool) -> None:
    from rasen.roots import sessions

    bound = sessions.check(app.ctx, identity, selector=project)
    if as_json:
        app.document({"binding": None if bound is None else bound.to_json(), "status": []})
    elif bound is None:
        app.line("Bound to no project: there is nothing to check")
    else:
        app.line("{project}: {root}", project=bound.project_id, root=bound.root)


def _tell(app: App, found: Started, allowed: dict[str, object]) -> None:
    session = found.session
    app.line("Session: {id} ({path})", id=session.session_id, path=found.path)
    app.line("Plans in: {root}", root=session.planning.root)
    if session.execution is None:
        app.line("Changes no code")
    else:
        app.line(
            "Works in: {root} (project {project})",
            root=session.execution.root,
            project=session.execution.project_id,
        )
    for sentence in _texts(allowed["constraints"]):
        app.raw(f"  {sentence}\n")


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []
