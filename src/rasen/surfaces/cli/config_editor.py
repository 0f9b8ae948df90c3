"""The settings of one scope as a dialogue in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.config import ops
from rasen.config.model import Change
from rasen.surfaces.cli.setting_text import setting_line

if TYPE_CHECKING:
    from rasen.config.model import Setting
    from rasen.surfaces.cli.run import App

_CHANGE, _UNSET, _BACK = "change", "unset", "back"


def run(app: App, scope: str, workspace_dir: Path | None) -> None:
    """Let a person pick settings and change them, until they pick nothing."""
    while True:
        settings = _settings(app, scope, workspace_dir)
        options = [(item.key, setting_line(app, item)) for item in settings]
        key = app.choose(N_("Which setting?"), [*options, ("", app.t(N_("Done")))])
        if not key:
            return
        try:
            _one(app, Change(key, scope), workspace_dir)
        except ToolError as problem:
            app.refuse(problem)


def _settings(app: App, scope: str, workspace_dir: Path | None) -> list[Setting]:
    """The settings of the scope that have a name of their own, with what counts in it."""
    config = ops.project_config(workspace_dir, tell=app.ctx.tell) if workspace_dir else None
    return [
        item
        for item in ops.entries(app.ctx, project=config)
        if "<" not in item.key and ops.is_in_scope(item.key, scope)
    ]


def _one(app: App, change: Change, workspace_dir: Path | None) -> None:
    actions = [
        (_CHANGE, app.t(N_("Change it"))),
        (_UNSET, app.t(N_("Remove it"))),
        (_BACK, app.t(N_("Back"))),
    ]
    action = app.choose("{key}", actions, key=change.key)
    if action == _UNSET:
        ops.unset(app.ctx, change, workspace_dir)
    elif action == _CHANGE:
        wanted, choices = ops.taken(change)
        if choices:
            value: str | None = app.choose(N_("Which value?"), choices)
        else:
            value = app.ask(N_("New value ({wanted}):"), wanted=wanted)
        if value:
            saved = ops.set_value(app.ctx, change, ops.coerce(value), workspace_dir)
            if saved.note is not None:
                app.say(saved.note, key=change.key)
