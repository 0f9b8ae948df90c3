"""The session context, `<data>/sessions/<sessionId>/context.json`, version 1."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rasen.base.errors import Damaged
from rasen.base.messages import N_, Phrase
from rasen.syntax import json
from rasen.syntax.strict import problems, summary

FORMAT = "session-context"
VARIABLE = "RASEN_SESSION_CONTEXT"

_IDENTITIES = ("id", "uid", "projectId")


class SessionContextBroken(Damaged):
    code = "session_context_broken"
    text = N_("the session announced by {variable} cannot be used: {file}: {problem}")
    fix = N_("unset {variable}, or start the session again")


@dataclass(frozen=True)
class Planning:
    """Where a session plans. is_store: a store rather than a project. id: its display name."""

    root: Path
    is_store: bool
    id: str | None = None
    uid: str | None = None
    project_id: str | None = None


@dataclass(frozen=True)
class Execution:
    """The one checkout a session may change."""

    project_id: str
    root: Path
    home: Path | None = None


@dataclass(frozen=True)
class Session:
    """What a session's file says. execution: None when it only plans."""

    session_id: str
    planning: Planning
    execution: Execution | None


def parse(text: str, *, file: str, directory: str) -> Session:
    """The session in `text`, which lies in the folder called `directory`.

    Errors: session_context_broken. Source: planning §9.4.
    """
    try:
        value = json.load(text.removeprefix("\ufeff"), file=file)
    except json.JsonInvalid as error:
        raise broken(file, error) from error
    found = problems(value, Path(__file__).with_name("session_file.v1.schema.json"))
    if found or not isinstance(value, dict):
        raise broken(file, summary(found))
    if value["sessionId"] != directory:
        raise broken(file, Phrase(N_("its sessionId is not the name of its folder")))
    planning, execution = value["planning"], value["execution"]
    for part in (planning, execution):
        if "root" in part and not Path(part["root"]).is_absolute():
            raise broken(file, Phrase(N_("a root in it is not absolute")))
    return Session(value["sessionId"], _planning(planning), _execution(execution))


def render(session: Session) -> str:
    """The text of `session`."""
    planning: dict[str, object] = {"type": "store" if session.planning.is_store else "project"}
    values = (session.planning.id, session.planning.uid, session.planning.project_id)
    planning |= {k: v for k, v in zip(_IDENTITIES, values, strict=True) if v is not None}
    planning["root"] = str(session.planning.root)
    execution: dict[str, object] = {"kind": "planning-only"}
    if session.execution is not None:
        execution = {
            "kind": "project",
            "projectId": session.execution.project_id,
            "root": str(session.execution.root),
        }
        if session.execution.home is not None:
            execution["home"] = str(session.execution.home)
    fields = {"version": 1, "sessionId": session.session_id}
    return json.dump({**fields, "planning": planning, "execution": execution})


def broken(file: str, problem: object) -> SessionContextBroken:
    """The refusal that every reader of a session gives when its file is no use."""
    return SessionContextBroken(
        target="session.context", variable=VARIABLE, file=file, problem=problem
    )


def _planning(row: dict[str, Any]) -> Planning:
    return Planning(
        Path(row["root"]),
        row["type"] == "store",
        id=row.get("id"),
        uid=row.get("uid"),
        project_id=row.get("projectId"),
    )


def _execution(row: dict[str, Any]) -> Execution | None:
    if row["kind"] == "planning-only":
        return None
    home = row.get("home")
    return Execution(row["projectId"], Path(row["root"]), None if home is None else Path(home))
