"""The skills that we ship, as an agent reads them: their commands, references and fields."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from rasen.surfaces.cli.group import program

ASSETS = Path(__file__).resolve().parents[2] / "src" / "rasen" / "assets"
_FENCE = re.compile(r"^ *(`{3,})(\w*)\n(.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


class Text(NamedTuple):
    """One Markdown file of a skill."""

    path: Path

    @property
    def folder(self) -> str:
        return self.path.relative_to(ASSETS).parts[1]

    @property
    def name(self) -> str:
        return self.path.relative_to(ASSETS).as_posix()

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")


def folders(kind: str) -> list[Path]:
    """The skill folders of `workflows` or `experts`."""
    return sorted(path for path in (ASSETS / kind).glob("rasen-*") if path.is_dir())


def texts(*kinds: str) -> list[Text]:
    """Every Markdown file of the skills of these kinds."""
    return [
        Text(path) for kind in kinds for folder in folders(kind) for path in folder.rglob("*.md")
    ]


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """The fenced blocks: their kind and their lines, without the indent."""
    for match in _FENCE.finditer(text):
        yield match[2], [line.strip() for line in match[3].splitlines() if line.strip()]


def spans(text: str) -> list[str]:
    """The code spans outside of fenced blocks."""
    return _SPAN.findall(_FENCE.sub("", text))


def fenced_commands(text: str) -> list[str]:
    """Our commands in fenced blocks, in the order in which an agent meets them."""
    return [
        line.removeprefix("$ ")
        for kind, lines in blocks(text)
        if kind in ("bash", "console", "sh", "shell")
        for line in lines
        if line.removeprefix("$ ").startswith("rasen ")
    ]


def all_commands(text: str) -> list[str]:
    """Our commands wherever they stand: in fenced blocks and in code spans."""
    return [*fenced_commands(text), *(span for span in spans(text) if span.startswith("rasen "))]


def without_store(text: str) -> set[str]:
    """The commands that take no store, as the text says it."""
    return {
        name
        for listed in re.findall(r"but ((?:`rasen \w+`(?: and )?)+)", text)
        for name in re.findall(r"`(rasen \w+)`", listed)
    }


def wrong_with(command: str) -> str:
    """What the real command line would say against `command`; empty when it takes it."""
    words = shlex.split(command)[1:]
    group: click.Command = program()
    context = click.Context(group, info_name="rasen")
    known = {"-h", "--help", "-V", "--version"}
    while words and isinstance(group, click.Group):
        known |= _options(group)
        if words[0].startswith("-"):
            if words[0] not in known:
                return f"no option {words[0]}"
            words = words[1 if _is_flag(group, words[0]) else 2 :]
            continue
        try:
            _, found, words = group.resolve_command(context, words)
        except click.UsageError as error:
            return error.format_message()
        if found is None:
            return f"no command {command}"
        group = found
    return _wrong_with_arguments(group, words, known | _options(group))


def _wrong_with_arguments(command: click.Command, words: list[str], known: set[str]) -> str:
    unknown = [w for w in words if w.startswith("-") and w.partition("=")[0] not in known]
    if unknown:
        return f"no option {unknown[0]}"
    if not words or {"-h", "--help"} & set(words):
        return ""
    try:
        command.make_context(command.name, list(words), resilient_parsing=False).close()
    except click.UsageError as error:
        return error.format_message()
    return ""


def _options(command: click.Command) -> set[str]:
    return {
        name
        for one in command.params
        if isinstance(one, click.Option)
        for name in (*one.opts, *one.secondary_opts)
    }


def _is_flag(command: click.Command, name: str) -> bool:
    found = [one for one in command.params if isinstance(one, click.Option) and name in one.opts]
    return not found or found[0].is_flag
