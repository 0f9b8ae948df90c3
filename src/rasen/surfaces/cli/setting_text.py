"""How settings and their values are written in a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rasen.base.messages import N_

if TYPE_CHECKING:
    from rasen.config.model import Setting
    from rasen.surfaces.cli.run import App


def setting_line(app: App, setting: Setting) -> str:
    """`key = value (source)`, as the list of all settings shows it."""
    value = app.t(N_("not set")) if setting.value is None else raw(setting.value)
    return f"{setting.key} = {value} ({setting.source})"


def raw(value: object) -> str:
    """Text as it is, everything else in JSON."""
    return value if isinstance(value, str) else quoted(value)


def quoted(value: object) -> str:
    """Any value in JSON, on one line."""
    return json.dumps(value, ensure_ascii=False)
