"""Reads the environment once and builds the Context that every use case is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from rasen.base.clock import Clock, Ids, RandomIds, SystemClock
from rasen.base.context import Context, Note
from rasen.base.messages import N_
from rasen.config.places import settings_file

DEFAULT_WORKSPACE = "rasen"

_NOT_A_FOLDER = N_("RASEN_HOME is ignored: {path} is not a folder")


def build(
    environ: Mapping[str, str],
    cwd: Path,
    *,
    tell: Callable[[Note], None],
    clock: Clock | None = None,
    ids: Ids | None = None,
) -> Context:
    """The Context of this run. It reads at most one file, this machine's settings.

    clock, ids: None means the system's. Errors: workspace_name_invalid. Source: planning §1.5.
    """
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    own = _own_folder(environ, cwd, tell)
    ctx = Context(
        cwd=cwd.resolve(),
        home=home,
        config_dir=own or _folder(environ, "XDG_CONFIG_HOME", home),
        data_dir=own or _folder(environ, "XDG_DATA_HOME", home),
        env=dict(environ),
        workspace=DEFAULT_WORKSPACE,
        clock=clock or SystemClock(),
        ids=ids or RandomIds(),
        tell=tell,
    )
    workspace = _workspace(ctx)
    return ctx if workspace == DEFAULT_WORKSPACE else replace(ctx, workspace=workspace)


def _own_folder(environ: Mapping[str, str], cwd: Path, tell: Callable[[Note], None]) -> Path | None:
    """The folder that RASEN_HOME names; None when it names none that can be used."""
    said = environ.get("RASEN_HOME", "").strip()
    if not said:
        return None
    path = (cwd / said).absolute()
    if path.exists() and not path.is_dir():
        tell(Note(_NOT_A_FOLDER, {"path": path}))
        return None
    return path


def _folder(environ: Mapping[str, str], variable: str, home: Path) -> Path:
    """Ours below an XDG base folder; the standard ignores one that is not absolute."""
    base = environ.get(variable, "").strip()
    return Path(base) / "rasen" if base and Path(base).is_absolute() else home / ".rasen"


def _workspace(ctx: Context) -> str:
    """The name of the planning folder: RASEN_WORKSPACE, else the setting, else `rasen`."""
    said = ctx.env.get("RASEN_WORKSPACE", "").strip()
    if said:
        from rasen.config.keys import WORKSPACES
        from rasen.config.model import WorkspaceNameInvalid

        if said not in WORKSPACES:
            raise WorkspaceNameInvalid(value=said)
        return said
    if settings_file(ctx.env, ctx.home, ctx.config_dir) is None:
        return DEFAULT_WORKSPACE
    from rasen.config.ops import global_config

    value = global_config(ctx).values.get("workspace")
    return value if isinstance(value, str) else DEFAULT_WORKSPACE
