"""One run from words to exit code: parsing, the command, and every way it can end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import click

from rasen.base.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, ToolError, UsageError
from rasen.base.messages import N_
from rasen.surfaces.cli import output
from rasen.surfaces.cli.group import program
from rasen.surfaces.cli.run import App, null_shape, report

if TYPE_CHECKING:
    from rasen.base.clock import Clock, Ids
    from rasen.base.context import Context, Note


class Call(NamedTuple):
    """The words of one run and the world around it; see `main.run`."""

    argv: list[str]
    environ: Mapping[str, str]
    cwd: str | None
    clock: Clock | None
    ids: Ids | None


def execute(call: Call) -> int:
    """Run the call and say its exit code."""
    output.speak_utf8()
    app = App(call.argv, call.environ, as_json=wants_json(call.argv), build=_builder(call))
    try:
        code = _ended(app)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_rest()
        return EXIT_OK
    except output.OutputLost as lost:
        return _unwritten(app, lost.problem)
    except OSError as problem:
        return _unwritten(app, problem)
    return code


def wants_json(argv: list[str]) -> bool:
    """True when `--json` is among the options of the call, even of a call that is otherwise wrong."""
    return "--json" in (argv[: argv.index("--")] if "--" in argv else argv)


def _ended(app: App) -> int:
    """The exit code of the run, however it ends."""
    try:
        return _dispatched(app)
    except (BrokenPipeError, output.OutputLost):
        raise
    except KeyboardInterrupt:
        output.complain(app.t(N_("Cancelled.")))
        return EXIT_INTERRUPTED
    except ToolError as problem:
        return report(app, problem, fallback="command_error")
    except Exception as problem:  # noqa: BLE001 - the last place that can still answer in form
        from rasen.surfaces.cli.crash import answer

        return answer(app, problem)


def _unwritten(app: App, problem: OSError) -> int:
    _discard_rest()
    output.complain(app.t(N_("cannot write the output: {problem}"), problem=problem))
    return EXIT_FAILED


def _discard_rest() -> None:
    """Send what is still buffered nowhere, or the interpreter complains when it ends.

    A reader that stops early (`| head`) has what it wants: that is no failure.
    """
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatched(app: App) -> int:
    group = program()
    try:
        with group.make_context("rasen", app.argv, obj=app) as ctx:
            return int(group.invoke(ctx) or EXIT_OK)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as problem:
        if app.as_json or problem.ctx is None:
            return report(app, UsageError(problem="a command is missing"), fallback="usage_error")
        if problem.ctx.parent is None:
            output.write(problem.ctx.get_help() + "\n")
            return EXIT_OK
        output.complain(problem.ctx.get_help())
        return EXIT_FAILED
    except click.UsageError as problem:
        from rasen.surfaces.cli.usage import explained

        shape = null_shape(app, problem.ctx.command if problem.ctx is not None else None)
        told = explained(problem, app.translate)
        return report(app, told, fallback="usage_error", null=shape)
    except click.Abort:
        raise KeyboardInterrupt from None


def _builder(call: Call) -> Callable[[Callable[[Note], None]], Context]:
    def build(tell: Callable[[Note], None]) -> Context:
        from pathlib import Path

        from rasen.base.clock import RandomIds, SystemClock
        from rasen.bootstrap import build as composed

        return composed(
            call.environ,
            Path(call.cwd) if call.cwd is not None else Path.cwd(),
            tell=tell,
            clock=call.clock or SystemClock(),
            ids=call.ids or RandomIds(),
        )

    return build
