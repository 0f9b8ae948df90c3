"""What can be typed where, read once from the table and the click declarations."""

from __future__ import annotations

from dataclasses import dataclass, replace

import click

from rasen.surfaces.cli.group import TableGroup, for_table, program
from rasen.surfaces.cli.help import option_text, words
from rasen.surfaces.present import Translate, english

_KIND_OF_PARAMETER = {
    "change": ("changes",),
    "item": ("changes", "specs"),
    "schema": ("schemas",),
}
_KIND_AT = {
    ("schema fork", "source"): ("schemas",),
    ("schema validate", "name"): ("schemas",),
    ("schema which", "name"): ("schemas",),
    ("show", "words"): ("changes", "specs"),
}
_WORDS_AT = {
    ("instructions", "artifact"): ("apply", "design", "proposal", "specs", "tasks"),
    ("list", "sort"): ("name", "recent"),
    ("show", "kind"): ("change", "spec"),
    ("validate", "kind"): ("change", "spec"),
}
"""Words worth offering where any word is taken."""


@dataclass(frozen=True)
class Values:
    """What may stand in one place: fixed words, kinds to ask the program for, or files."""

    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    files: bool = False


@dataclass(frozen=True)
class Flag:
    """One option: its spellings and, when it takes a value, what the value may be."""

    names: tuple[str, ...]
    help: str
    values: Values | None


@dataclass(frozen=True)
class Place:
    """A sequence of command words ("" for the program) and what may follow it."""

    path: str
    commands: tuple[tuple[str, str], ...]
    flags: tuple[Flag, ...]
    values: tuple[Values, ...]

    @property
    def positional(self) -> Values:
        """What any positional place takes, joined: scripts do not count positions."""
        return Values(
            words=tuple(dict.fromkeys(word for value in self.values for word in value.words)),
            kinds=tuple(dict.fromkeys(kind for value in self.values for kind in value.kinds)),
            files=any(value.files for value in self.values),
        )


def places(translate: Translate = english) -> list[Place]:
    """Every place of the visible command line, the program first, then by path.

    translate: gives the explanations in the reader's language.
    """
    group = program()
    found: list[Place] = []
    with click.Context(group, info_name="rasen", resilient_parsing=True,
                       help_option_names=["-h", "--help"]) as ctx:  # fmt: skip
        _collect("", group, ctx, found)
    return [_told(place, translate) for place in sorted(found, key=lambda place: place.path)]


def _told(place: Place, translate: Translate) -> Place:
    return replace(
        place,
        commands=tuple((name, _first_line(translate(text))) for name, text in place.commands),
        flags=tuple(
            replace(flag, help=" ".join(translate(flag.help).split()) if flag.help else "")
            for flag in place.flags
        ),
    )


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]


def _collect(path: str, command: click.Command, ctx: click.Context, found: list[Place]) -> None:
    children: list[tuple[str, click.Command]] = []
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            child = command.get_command(ctx, name)
            if child is not None and not child.hidden:
                if not isinstance(command, TableGroup):
                    for_table(child, child.help or "")
                children.append((name, child))
    flags, values = [], []
    for param in command.get_params(ctx):
        if isinstance(param, click.Option):
            if not param.hidden:
                flags.append(_flag(path, param))
        else:
            values.append(_values(path, param))
    texts = dict(words(ctx, command)) if isinstance(command, click.Group) else {}
    commands = tuple((name, texts.get(name, "")) for name, _ in children)
    found.append(Place(path, commands, tuple(flags), tuple(values)))
    for name, child in children:
        with click.Context(child, info_name=name, parent=ctx, resilient_parsing=True) as inner:
            _collect(f"{path} {name}".strip(), child, inner, found)


def _flag(path: str, option: click.Option) -> Flag:
    takes_value = not option.is_flag and not option.count
    return Flag(
        names=(*option.opts, *option.secondary_opts),
        help=option_text(option),
        values=_values(path, option) if takes_value else None,
    )


def _values(path: str, param: click.Parameter) -> Values:
    name = param.name or ""
    if isinstance(param.type, click.Choice):
        return Values(words=tuple(str(choice) for choice in param.type.choices))
    if isinstance(param.type, (click.Path, click.File)) or name == "path":
        return Values(files=True)
    if (path, name) in _WORDS_AT:
        return Values(words=_WORDS_AT[path, name])
    return Values(kinds=_KIND_AT.get((path, name)) or _KIND_OF_PARAMETER.get(name, ()))
