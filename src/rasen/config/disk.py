"""The settings files themselves: finding, reading, replacing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rasen.base.context import Context
from rasen.config import places
from rasen.files.atomic import digest, digest_of, make_dirs, read_text, replace_file


def project_path(workspace_dir: Path) -> Path | None:
    """The project's settings file; `.yaml` wins when both exist. None when there is none."""
    for name in places.PROJECT_FILES:
        path = workspace_dir / name
        if path.is_file():
            return path
    return None


def machine_path(ctx: Context) -> Path:
    """Where this machine's settings are written; the file may not exist."""
    return ctx.config_dir / places.FILE


def load_machine(ctx: Context) -> tuple[dict[str, object], Path | None]:
    """This machine's settings as they stand in the file that counts, and that file; None: no file.

    Errors: json_invalid, config_shape_invalid, and those of reading files.
    """
    path = places.settings_file(ctx.env, ctx.home, ctx.config_dir)
    if path is None:
        return {}, None
    from rasen.config import machine_file

    return machine_file.parse(read_text(path), path=path), path


@contextmanager
def changing_machine(ctx: Context) -> Iterator[dict[str, object]]:
    """Give this machine's settings to be changed; they are saved when the block ends well.

    Settings of an older layout are saved at our place; their own file stays. A file that cannot be
    read is left alone.
    Errors: those of load_machine, lock_busy, file_changed, file_not_writable.
    """
    from rasen.config import machine_file
    from rasen.files.lock import hold

    path = machine_path(ctx)
    load_machine(ctx)
    make_dirs(path.parent)
    with hold(path.with_name(path.name + ".lock"), tell=ctx.tell):
        expect = digest_of(path)
        fields, _ = load_machine(ctx)
        yield fields
        replace_file(path, machine_file.render(fields), expect=expect)


def save_project(path: Path, text: str, *, read: bytes) -> None:
    """Make the project's settings file hold `text` if it still holds the bytes `read`.

    Errors: file_changed, file_not_writable.
    """
    replace_file(path, text.encode("utf-8"), expect=digest(read))
