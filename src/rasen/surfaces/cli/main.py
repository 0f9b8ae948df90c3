"""The entry of the command line: fast answers first, then one guarded run."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rasen.base.clock import Clock, Ids


def entry() -> None:
    """Run the command line of this process and leave with its exit code."""
    words = sys.argv[1:]
    if len(words) == 1 and words[0] in ("-V", "--version"):
        from rasen import __version__

        sys.stdout.write(__version__ + "\n")
        return
    import gc
    import os

    # A short run makes no garbage worth looking for; the collector then only slows imports down.
    gc.set_threshold(100_000)
    try:
        code = run(words, os.environ)
    except KeyboardInterrupt:  # while modules were still being loaded
        sys.stderr.write("Cancelled.\n")
        code = 130
    if sys.gettrace() is not None:  # who measures or debugs needs the orderly way out
        sys.exit(code)
    # Taking the interpreter apart costs a tenth of a short run and frees what the system frees anyway.
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(code)


def run(
    argv: Sequence[str],
    environ: Mapping[str, str],
    cwd: str | None = None,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
) -> int:
    """Run one command and say its exit code; nothing escapes but the exit code.

    `argv` without the program's name. `cwd` None means where the process is. `clock` and `ids`
    None mean the system's. Text goes to and comes from the `sys` streams as they are at the time of the call.
    """
    from rasen.surfaces.cli.execute import Call, execute

    return execute(Call(list(argv), environ, cwd, clock, ids))
