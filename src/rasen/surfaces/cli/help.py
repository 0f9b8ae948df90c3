"""Help texts, wrapped by display width so that Japanese and Chinese stay within the window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_

if TYPE_CHECKING:
    from rasen.surfaces.cli.run import App

_WIDEST = 100
_LEFT_MOST = 34
_NO_BREAK_BEFORE = "、。，．・：；？！」』）】〉》〕〗ー々…,.:;?!)]}%"
_NO_BREAK_AFTER = "「『（【〈《〔〖([{"


class HelpContext(click.Context):
    """A click context whose help is ours."""

    def get_help(self) -> str:
        """The help text of the command, in the reader's language."""
        return render(self)


class ListedGroup(click.Group):
    """A group that knows what its words mean without importing their commands."""

    def listed(self) -> list[tuple[str, str]]:
        """The visible words with their one-line help, sorted."""
        raise NotImplementedError


def render(ctx: click.Context) -> str:
    """The help text of `ctx.command`."""
    app: App | None = ctx.find_root().obj
    translate = app.translate if app is not None else str
    width = min(window_width(), _WIDEST)
    command = ctx.command
    parts = [translate(N_("Usage:")) + " " + usage(ctx)]
    if command.help:
        parts.append("\n\n".join(
            "\n".join(wrapped(" ".join(paragraph.split()), width))
            for paragraph in translate(command.help).split("\n\n")
        ))  # fmt: skip
    arguments, options = [], []
    for param in command.get_params(ctx):
        if isinstance(param, click.Option):
            if not param.hidden:
                text = option_text(param)
                options.append((option_words(ctx, param), translate(text) if text else ""))
        elif told := getattr(param, "help", None):
            arguments.append((param.make_metavar(ctx), translate(told)))
    sections = [(N_("Arguments:"), arguments), (N_("Options:"), options)]
    if isinstance(command, click.Group):
        sections.append(
            (N_("Commands:"), [(word, translate(text)) for word, text in words(ctx, command)])
        )
    parts += [
        translate(heading) + "\n" + "\n".join(two_columns(rows, width))
        for heading, rows in sections
        if rows
    ]
    return "\n\n".join(parts)


def usage(ctx: click.Context) -> str:
    """The call in one line: the words, what they take, `[OPTIONS]`."""
    pieces = [ctx.command_path]
    pieces += [piece for piece in ctx.command.collect_usage_pieces(ctx) if piece]
    return " ".join(pieces)


def option_words(ctx: click.Context, option: click.Option) -> str:
    """How an option is written: `-s, --long VALUE`."""
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        names += " / " + ", ".join(option.secondary_opts)
    if option.is_flag or option.count:
        return names
    return f"{names} {option.make_metavar(ctx)}"


def option_text(option: click.Option) -> str:
    """What an option means, as a template; click's own text for `--help` is replaced by ours."""
    return N_("Show this help") if "--help" in option.opts else option.help or ""


def words(ctx: click.Context, group: click.Group) -> list[tuple[str, str]]:
    """The visible words of `group` with their one-line help."""
    if isinstance(group, ListedGroup):
        return group.listed()
    found = []
    for name in group.list_commands(ctx):
        child = group.get_command(ctx, name)
        if child is not None and not child.hidden:
            found.append((name, (child.short_help or child.help or "").split("\n\n")[0]))
    return found


def display_width(text: str) -> int:
    """How many terminal cells `text` takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    measured = wcswidth(text)
    return measured if measured >= 0 else len(text)


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells; breaks at spaces and between wide characters."""
    lines: list[str] = []
    current = ""
    for piece in _pieces(text):
        if current and display_width(current + piece.rstrip()) > width:
            lines.append(current.rstrip())
            current = piece.lstrip()
        else:
            current += piece
    return [*lines, current.rstrip()] if current.strip() or not lines else lines


def two_columns(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Rows of a name and its explanation, the explanations aligned."""
    widest = max((display_width(name) for name, _ in rows), default=0)
    left = min(widest, _LEFT_MOST)
    indent = " " * (left + 4)
    lines = []
    for name, text in rows:
        head = "  " + name
        explained = wrapped(text, max(width - left - 4, 20)) if text else []
        if explained and display_width(name) <= left:
            head += " " * (left - display_width(name) + 2) + explained.pop(0)
        lines.append(head)
        lines += [indent + line for line in explained]
    return lines


def _pieces(text: str) -> Iterable[str]:
    """The unbreakable runs of `text`, each with the space that follows it."""
    start = 0
    for at in range(1, len(text)):
        before, after = text[at - 1], text[at]
        at_space = before == " " and after != " "
        between_wide = (
            (_is_wide(before) or _is_wide(after))
            and not after.isspace()
            and not before.isspace()
            and after not in _NO_BREAK_BEFORE
            and before not in _NO_BREAK_AFTER
        )
        if at_space or between_wide:
            yield text[start:at]
            start = at
    yield text[start:]


def _is_wide(character: str) -> bool:
    return not character.isascii() and display_width(character) == 2


def window_width() -> int:
    """How many cells a line of the terminal has; 80 where nothing says so."""
    import shutil

    return shutil.get_terminal_size((80, 24)).columns
