"""The answer to our own bugs: a report in a file, one document or a short text, exit code 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasen.base.errors import EXIT_FAILED
from rasen.base.messages import N_, fill
from rasen.surfaces import present

if TYPE_CHECKING:
    from rasen.surfaces.cli.run import App

CODE = "internal_error"
_PUBLISHED = ("workflow_command_error", "pipeline_command_error")
"""What the commands of these groups call it. Source: library WC-007, PL-043."""
_TEXT = N_("a bug in rasen: {problem}")
_FIX = N_("Report it with the file {report}")


def answer(app: App, problem: Exception) -> int:
    """Tell about `problem` without pretence."""
    import traceback

    what = f"{type(problem).__name__}: {problem}"
    trace = "".join(traceback.format_exception(problem))
    report = _saved(app, trace)
    if app.as_json and not app.has_answered:
        code = app.fallback if app.fallback in _PUBLISHED else CODE
        status = {"severity": "error", "code": code, "message": fill(_TEXT, {"problem": what})}
        if report:
            status["fix"] = fill(_FIX, {"report": report})
        app.document({**app.null, "status": [status]})
        return EXIT_FAILED
    app.translate = present.english  # looking up the language may be what broke
    app.say("Error: {message}", message=app.t(_TEXT, problem=what))
    if report:
        app.say("Fix: {step}", step=app.t(_FIX, report=report))
    else:
        app.say("{trace}", trace=trace)
    return EXIT_FAILED


def _saved(app: App, trace: str) -> str:
    """The path of the report; empty when it could not be written."""
    try:
        from rasen.upkeep.crash_report import save

        return str(save(app.ctx, trace, words=app.argv))
    except Exception:  # noqa: BLE001 - a second failure must not hide the first
        return ""
