"""The difference that a change makes, as text: marked with signs, and coloured where that helps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rasen.base.messages import N_
from rasen.planning.comparing import words
from rasen.surfaces.cli import output

if TYPE_CHECKING:
    from rasen.planning.comparing.model import RequirementDiff, SpecDiff
    from rasen.surfaces.cli.run import App

_OPERATIONS = {
    "ADDED": ("+", "green"),
    "MODIFIED": ("~", "yellow"),
    "REMOVED": ("-", "red"),
    "RENAMED": (">", "cyan"),
    "OTHER": ("~", "yellow"),
}
_COLORS = {words.GONE: "red", words.NEW: "green"}
_GUTTERS = {words.GONE: "-", words.NEW: "+", words.SAME: " "}
_BRACKETS = {words.GONE: ("[-", "-]"), words.NEW: ("{+", "+}"), words.SAME: ("", "")}


def tell(app: App, found: Sequence[SpecDiff], *, context: int) -> None:
    """Print every requirement that becomes another. context: unchanged lines around a change."""
    if not found:
        app.line(N_("The change makes no spec different."))
    for at, spec in enumerate(found):
        if at:
            app.line()
        app.line(_title(spec), spec=app.color(spec.path, "bold"))
        for requirement in spec.requirements:
            _tell_requirement(app, requirement, context=context)


def print_patch(app: App, patches: Sequence[str]) -> None:
    """Print a patch as it is; on a terminal without the characters that could steer it."""
    import sys

    from rasen.base.text import without_controls

    text = "".join(patches)
    if output.is_terminal(sys.stdout):
        text = without_controls(text.replace("\r\n", "\n"))
    app.raw(text)


def _title(spec: SpecDiff) -> str:
    if spec.is_new:
        return N_("{spec} (new)")
    return N_("{spec} (retired)") if spec.is_retired else "{spec}"


def _tell_requirement(app: App, one: RequirementDiff, *, context: int) -> None:
    sign, color = _OPERATIONS[one.operation]
    name = one.name if one.name is not None else app.t(N_("text outside of requirements"))
    if one.former is not None:
        name = f"{one.former} → {name}"
    operation = "" if one.operation == "OTHER" else f"{one.operation} "
    app.line("{title}", title=app.color(f"  {sign} {operation}{name}", color))
    for row in words.rows(one.before, one.after, context=context):
        app.raw(f"      {_row(app, row)}".rstrip() + "\n")


def _row(app: App, row: words.Row) -> str:
    if row.is_gap:
        return app.color("  …", "dim")
    if row.kind is None:
        return "~ " + "".join(_span(app, span) for span in row.spans)
    text = f"{_GUTTERS[row.kind]} " + "".join(span.text for span in row.spans)
    color = _COLORS.get(row.kind)
    return str(output.shown(text)) if color is None else app.color(text, color)


def _span(app: App, span: words.Span) -> str:
    left, right = _BRACKETS[span.kind]
    text = f"{left}{span.text}{right}"
    color = _COLORS.get(span.kind)
    return str(output.shown(text)) if color is None else app.color(text, color)
