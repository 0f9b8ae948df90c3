"""What a command is given (App) and the decorators that every command wears."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rasen.base.errors import EXIT_FAILED, ToolError
from rasen.base.messages import fill
from rasen.surfaces import present
from rasen.surfaces.cli import output
from rasen.surfaces.cli.options import json_option, no_interactive_option, root_options

if TYPE_CHECKING:
    from rasen.base.context import Context, Note
    from rasen.base.findings import Finding
    from rasen.roots.model import Root, RootRequest
    from rasen.surfaces.cli import prompts

__all__ = ["App", "guarded", "json_option", "no_interactive_option", "report", "root_options"]

F = TypeVar("F", bound=Callable[..., Any])
_NULL = "null"
Null = Mapping[str, object] | Callable[["App", Mapping[str, object]], Mapping[str, object]]


class App:
    """One run of the command line: the context of the use case and the ways to talk.

    argv: the words of the call. as_json: a program reads stdout; then nothing is translated.
    selected: the root that `root` found, None before. null: what the running command shows beside
    `status` when it fails on a bug of ours; fallback: the code it gives to what has none.
    """

    def __init__(
        self,
        argv: Sequence[str],
        environ: Mapping[str, str],
        *,
        as_json: bool,
        build: Callable[[Callable[[Note], None]], Context],
    ) -> None:
        self.argv = list(argv)
        self.environ = environ
        self.as_json = as_json
        self.no_color = bool(environ.get("NO_COLOR"))
        self.never_ask = False
        self.selected: Root | None = None
        self.null: Mapping[str, object] = {}
        self.fallback = ""
        self._build = build
        self._has_answered = False
        self._told: set[str] = set()
        self._early: list[Note] = []

    @functools.cached_property
    def ctx(self) -> Context:
        """The world, read when first asked for."""
        ctx = self._build(self._tell)
        # To translate what was noted meanwhile, the language setting of this context is needed.
        self.__dict__["ctx"] = ctx
        while self._early:
            self._tell(self._early.pop(0))
        return ctx

    @functools.cached_property
    def translate(self) -> present.Translate:
        """From an English template to the reader's language."""
        if self.as_json:
            return present.english
        from rasen.i18n.catalog import translator

        return translator(self.environ, self._language_setting)

    def root(self, selector: RootRequest, *, allow_implicit: bool = True) -> Root:
        """Select the root and, for people, name the store it is in.

        Errors: those of `roots.ops.select`. Source: planning §0.2.2, §2.2.
        """
        from rasen.roots import ops

        root = ops.select(self.ctx, selector._replace(allow_implicit=allow_implicit))
        self.selected = root
        if root.store_id is not None and not self.as_json:
            label = ("project " if root.is_project_namespace else "") + root.store_id
            self.say("Using Rasen root: {label} ({path})", label=label, path=root.path)
        return root

    def document(self, value: object) -> None:
        """Write the one JSON document of this run."""
        if self._has_answered:
            raise RuntimeError("a second JSON document in one run")
        self._has_answered = True
        if self.selected is not None and self.selected.selector:
            from rasen.surfaces.cli.pasteable import documented

            value = documented(value, self.selected)
        output.write_document(value)

    @property
    def has_answered(self) -> bool:
        """True once the JSON document is out."""
        return self._has_answered

    def t(self, template: str, **params: object) -> str:
        """`template` in the reader's language, filled; control characters of values replaced."""
        told = present.told(params, self.translate)
        if self.selected is not None and "step" in told:
            from rasen.surfaces.cli.pasteable import selecting

            told["step"] = selecting(str(told["step"]), self.selected)
        return fill(self.translate(template), output.shown_all(told))

    def line(self, template: str = "", **params: object) -> None:
        """Write one line to stdout in the reader's language."""
        output.write((self.t(template, **params) if template else "") + "\n")

    def raw(self, text: str) -> None:
        """Write `text` to stdout, byte for byte."""
        output.write(text)

    def say(self, template: str, **params: object) -> None:
        """Write one line to stderr in the reader's language."""
        output.complain(self.t(template, **params))

    def color(self, text: str, name: str, *, on_stderr: bool = False) -> str:
        """`text` in a colour when a person looks and wants colours; else `text`, cleaned."""
        import sys

        stream = sys.stderr if on_stderr else sys.stdout
        if self.no_color or self.as_json or not output.is_terminal(stream):
            return output.Styled(output.shown(text))
        return output.styled(text, name)

    def diagnostic(self, problem: ToolError | Finding) -> dict[str, str]:
        """The JSON envelope of one problem."""
        return present.diagnostic(problem)

    def told(self, problem: ToolError | Finding) -> str:
        """The sentence of one problem in the reader's language, safe to show."""
        return str(output.shown(present.message(problem, self.translate)))

    def refuse(self, problem: ToolError) -> None:
        """Tell a person what went wrong and what to do. Source: planning §0.2.8."""
        self.say("Error: {message}", message=self.told(problem))
        step = present.fix(problem, self.translate)
        if step:
            self.say("Fix: {step}", step=step)

    @property
    def interactive(self) -> bool:
        """True when a question may be asked. Source: planning §0.4."""
        from rasen.surfaces.cli import prompts

        return not self.as_json and not self.never_ask and prompts.may_ask(self.environ)

    def confirm(self, template: str, *, default: bool, rerun: str = "", **params: object) -> bool:
        """Ask yes or no. `rerun` is what to add to the call to make the question unnecessary.

        Errors: prompt_unanswered when nobody can answer.
        """
        from rasen.surfaces.cli import prompts

        return prompts.confirm(self._asker(rerun), self.t(template, **params), default=default)

    def choose(
        self,
        template: str,
        options: Sequence[str | tuple[str, str]],
        *,
        rerun: str = "",
        **params: object,
    ) -> str | None:
        """Ask for one of `options` (values, or pairs of value and label); None when declined.

        Errors: prompt_unanswered when nobody can answer.
        """
        from rasen.surfaces.cli import prompts

        pairs = [(item, item) if isinstance(item, str) else item for item in options]
        return prompts.choose(self._asker(rerun), self.t(template, **params), pairs)

    def tick(
        self, template: str, boxes: Sequence[prompts.Box], *, rerun: str = "", **params: object
    ) -> list[str] | None:
        """Ask for any of `boxes`; None when declined.

        Errors: prompt_unanswered when nobody can answer.
        """
        from rasen.surfaces.cli import prompts

        return prompts.tick(self._asker(rerun), self.t(template, **params), boxes)

    def ask(self, template: str, *, default: str = "", rerun: str = "", **params: object) -> str:
        """Ask for a line of text.

        Errors: prompt_unanswered when nobody can answer.
        """
        from rasen.surfaces.cli import prompts

        return prompts.ask(self._asker(rerun), self.t(template, **params), default=default)

    @property
    def shows_progress(self) -> bool:
        """True when a person looks at a terminal."""
        import sys

        return not self.as_json and output.is_terminal(sys.stderr)

    def progress(
        self, items: Iterable[Any], label: str, *, length: int | None = None
    ) -> Iterator[Any]:
        """Pass `items` through, with a bar on stderr when a person looks and it takes a while."""
        import sys

        if not self.shows_progress:
            yield from items
            return
        with click.progressbar(
            items, label=self.t(label), length=length, file=sys.stderr, color=not self.no_color
        ) as bar:
            yield from bar

    def _asker(self, rerun: str) -> prompts.Asker:
        from rasen.surfaces.cli import prompts

        asker = prompts.Asker(self.argv, self.environ, rerun)
        if not self.interactive:
            raise prompts.unanswered(asker)
        return asker

    def _tell(self, note: Note) -> None:
        if "ctx" not in self.__dict__:
            self._early.append(note)
            return
        text = self.t(note.text, **note.params)
        if text not in self._told:
            self._told.add(text)
            output.complain(text)

    def _language_setting(self) -> str | None:
        from dataclasses import replace

        try:
            from rasen.config import ops

            # Notes about a broken settings file would need the language that is being looked up.
            return ops.language(replace(self.ctx, tell=lambda _: None))
        except ToolError:
            return None


def guarded(
    fallback: str = "command_error",
    null: Null | None = None,
    *,
    has_targets: bool = True,
    has_details: bool = False,
) -> Callable[[F], Callable[..., int]]:
    """Give the command its App and turn expected refusals into one answer and exit code 1.

    null: the members a JSON failure shows beside `status`; a callable gets the App and the
    command's parameters. has_targets: False leaves `target` out of the diagnostics. has_details: what
    a program may need besides is the diagnostic's member `details`.
    Source: planning §0.2.6, §0.2.7, §4.0.
    """

    def decorate(command: F) -> Callable[..., int]:
        @functools.wraps(command)
        def run(*args: Any, **params: Any) -> int:
            app = click.get_current_context().find_object(App)
            assert app is not None
            app.never_ask = app.never_ask or bool(params.get("no_interactive"))
            app.null, app.fallback = _shape(null, app, params), fallback
            try:
                return int(command(app, *args, **params) or 0)
            except ToolError as problem:
                return report(
                    app,
                    problem,
                    fallback=fallback,
                    null=_shape(null, app, params),
                    has_targets=has_targets,
                    has_details=has_details,
                )

        run.__dict__[_NULL] = null
        return run

    return decorate


def null_shape(app: App, command: click.Command | None) -> Mapping[str, object]:
    """What `command` shows beside `status` when its words are wrong; empty for groups."""
    null: Null | None = getattr(getattr(command, "callback", None), _NULL, None)
    flags = [] if command is None else [one for one in command.params if _is_said(one, app.argv)]
    return _shape(null, app, {str(one.name): True for one in flags})


def _is_said(param: click.Parameter, argv: Sequence[str]) -> bool:
    return getattr(param, "is_flag", False) and any(name in argv for name in param.opts)


def _shape(null: Null | None, app: App, params: Mapping[str, object]) -> Mapping[str, object]:
    return null(app, params) if callable(null) else (null or {})


def report(
    app: App,
    problem: ToolError,
    *,
    fallback: str,
    null: Mapping[str, object] | None = None,
    has_targets: bool = True,
    has_details: bool = False,
) -> int:
    """Answer with `problem`, as a document or as text, and say the exit code."""
    if app.as_json and not app.has_answered:
        status: dict[str, object] = {**present.diagnostic(problem, fallback=fallback)}
        if not has_targets:
            status.pop("target", None)
        if has_details and problem.details:
            status["details"] = dict(problem.details)
        app.document({**(null or {}), "status": [status]})
    else:
        app.refuse(problem)
    return EXIT_FAILED
