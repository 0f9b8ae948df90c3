"""The fates of lines as text: one mark a line, with a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rasen.base.messages import N_
from rasen.planning.explaining.model import Fate
from rasen.surfaces.cli.issues import say_findings

if TYPE_CHECKING:
    from rasen.planning.explaining.model import Explanation, FileFate, Line
    from rasen.planning.merging.model import Conflict
    from rasen.surfaces.cli.run import App

_REMOVES, _RENAMES = "removes", "renames"
_LEGEND: dict[str, tuple[str, str, str]] = {
    "merged": ("+", "green", N_("merged: takes effect as it stands")),
    _REMOVES: ("-", "red", N_("removes a requirement")),
    _RENAMES: (">", "cyan", N_("renames a requirement")),
    "directive": ("@", "cyan", N_("says what happens to a scenario; no text of its own")),
    "unchanged": ("=", "dim", N_("unchanged: the spec has it so already")),
    "kept": ("~", "cyan", N_("left alone: the spec has newer text here, and it stays")),
    "conflict": ("!", "red", N_("in conflict with a later change of the spec")),
    "refused": ("x", "red", N_("refused: an error")),
    "held": ("o", "yellow", N_("held: fine by itself, but the change is refused")),
    "unread": ("?", "red", N_("unread: was meant to do something and does nothing")),
    "ignored": (".", "yellow", N_("ignored: not merged")),
    "remark": ('"', "dim", N_("a remark for readers; not merged")),
    "structure": ("#", "bold", N_("a heading that says what follows")),
    "blank": (" ", "dim", ""),
}
_SIDES = {"base": N_("base"), "theirs": N_("in the spec now"), "mine": N_("in the change")}
_INDENT = "         "


def tell(app: App, found: Explanation) -> None:
    """Print every file with a mark before each line, then the legend; other findings go to stderr."""
    if not found.files:
        app.line(N_("The change has no delta files."))
    used: set[str] = set()
    for file in found.files:
        app.line("{path}", path=app.color(file.path, "bold"))
        for line in file.lines:
            used.add(_kind(line))
            _tell_line(app, file, line)
        app.line()
    _tell_legend(app, used)
    shown = {id(line.why.finding) for file in found.files for line in file.lines if line.why}
    say_findings(app, (one for one in found.findings if id(one) not in shown))


def _kind(line: Line) -> str:
    if line.fate is Fate.MERGED and line.operation == "REMOVED":
        return _REMOVES
    if line.fate is Fate.MERGED and line.role.value.startswith("rename"):
        return _RENAMES
    return line.fate.value


def _tell_line(app: App, file: FileFate, line: Line) -> None:
    mark, color, _ = _LEGEND[_kind(line)]
    text = f"{mark} {line.number:>4}  {line.text}".rstrip()
    shown = app.color(text, color) if line.fate is not Fate.BLANK else text
    if line.lands is not None and line.role.value in ("requirement", "rename-to"):
        place = app.color(f"→ {line.lands.spec}:{line.lands.line}", "dim")
        app.line("{line}  {place}", line=shown, place=place)
    else:
        app.line("{line}", line=shown)
    here = [one for one in file.conflicts if one.line + 1 == line.number]
    if here:
        _tell_conflicts(app, here)
    elif line.why is not None and line.why.told_at is None:
        finding = line.why.finding
        app.line(
            "{indent}{code}: {message}",
            indent=_INDENT,
            code=finding.code,
            message=app.told(finding),
        )


def _tell_conflicts(app: App, conflicts: Sequence[Conflict]) -> None:
    """The three sides of each conflict of an entry, below its first line."""
    for conflict in conflicts:
        app.line(
            N_('{indent}conflict: "{name}", {place}'),
            indent=_INDENT,
            name=conflict.requirement,
            place=conflict.place,
        )
        for side, label in _SIDES.items():
            text: str | None = getattr(conflict, side)
            app.line("{indent}--- {label}", indent=_INDENT, label=app.t(label))
            rows = [app.t(N_("(not there)"))] if text is None else text.splitlines()
            for row in rows:
                app.line("{indent}| {row}", indent=_INDENT, row=row)


def _tell_legend(app: App, used: set[str]) -> None:
    for kind, (mark, color, meaning) in _LEGEND.items():
        if kind in used and meaning:
            app.line("{mark}  {meaning}", mark=app.color(mark, color), meaning=app.t(meaning))
