"""Findings as lines for a person: mark, level, place, message, and what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level
from rasen.base.messages import N_
from rasen.surfaces import present
from rasen.surfaces.cli.run import App

MARKS = {Level.ERROR: "✗", Level.WARNING: "⚠", Level.INFO: "ℹ"}
_COLORS = {Level.ERROR: "red", Level.WARNING: "yellow", Level.INFO: "blue"}


def say_findings(
    app: App, findings: Iterable[Finding | ToolError], *, fixable: Collection[int] = ()
) -> None:
    """Write each finding to stderr as `✗ [ERROR] path: message`, with its step below.

    fixable: the positions of those that `validate --fix` can mend; they say so.
    """
    for number, finding in enumerate(findings):
        level = Level.ERROR if isinstance(finding, ToolError) else finding.level
        mark = app.color(MARKS[level], _COLORS[level], on_stderr=True)
        path = finding.target if isinstance(finding, ToolError) else finding.path
        app.say(
            N_("{mark} [{level}] {path}: {message}") if path else N_("{mark} [{level}] {message}"),
            mark=mark,
            level=level.value,
            path=_flat(path, "�"),
            message=_flat(app.told(finding), "\n    "),
        )
        step = present.fix(finding, app.translate)
        if step and number in fixable:
            app.say("    → {step} (--fix can do this)", step=step)
        elif step:
            app.say("    → {step}", step=step)
        elif number in fixable:
            app.say("    → --fix can mend this")


def _flat(text: str, instead: str) -> str:
    """`text` that cannot pass for a finding of its own: a file's name may have a line feed."""
    return instead.join(text.split("\n"))
