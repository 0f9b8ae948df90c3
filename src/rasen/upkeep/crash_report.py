"""Keeps what is needed to understand a bug of ours, on this machine only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rasen.base.clock import iso_millis
from rasen.base.context import Context

_KEPT = 20
"""Older reports than this many newest ones are removed."""


def save(ctx: Context, trace: str, *, words: Sequence[str]) -> Path:
    """Write a report of one bug below the data folder and give its path.

    words: the call, without the program's name. Errors: those of writing a file.
    """
    import platform

    from rasen import __version__
    from rasen.files.atomic import make_dirs, remove_file, replace_file

    folder = ctx.data_dir / "crash-reports"
    make_dirs(folder)
    moment = iso_millis(ctx.clock.now())
    path = folder / f"{moment.replace(':', '').replace('.', '')}-{ctx.ids.uuid()[:8]}.txt"
    text = (
        f"rasen {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"when: {moment}\nfolder: {ctx.cwd}\ncall: {' '.join(['rasen', *words])}\n\n{trace}"
    )
    replace_file(path, text.encode("utf-8", "backslashreplace"))
    for old in sorted(folder.glob("*.txt"))[:-_KEPT]:
        remove_file(old)
    return path
