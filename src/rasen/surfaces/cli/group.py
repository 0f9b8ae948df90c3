"""Click groups made from the operation table; a command's module is imported when it is used."""

from __future__ import annotations

from typing import Any

import click

from rasen.surfaces import table
from rasen.surfaces.cli.help import HelpContext, ListedGroup
from rasen.surfaces.table import resolve


class TableGroup(ListedGroup):
    """The commands whose names begin with `prefix`, known by the table alone."""

    context_class = HelpContext

    def __init__(self, prefix: str = "", **settings: Any) -> None:
        super().__init__(name=prefix.rpartition(" ")[2] or "rasen", **settings)
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Every visible word; imports nothing."""
        return [word for word, _ in self.listed()]

    def listed(self) -> list[tuple[str, str]]:
        """The visible words with their one-line help, from the table."""
        return [(word, text) for word, text, hidden in table.children(self.prefix) if not hidden]

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        """The click object of one word, imported now."""
        name = f"{self.prefix} {cmd_name}".strip()
        row = table.find(name)
        if row is not None:
            return for_table(resolve(row.command), row.help)
        if name in table.GROUPS:
            return for_table(TableGroup(name, no_args_is_help=True), table.GROUPS[name])
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, but an unknown word is answered with the nearest known ones."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from rasen.base.text import nearest

            near = nearest(args[0], self.list_commands(ctx), most=3, within=3)
            raise click.exceptions.NoSuchCommand(args[0], possibilities=near, ctx=ctx)
        if len(args) > 1 and self._is_verb_of_command(*args[:2]):
            name = f"{args[0]} {args[1]}"
            return name, self.get_command(ctx, name), args[2:]
        return super().resolve_command(ctx, args)

    def _is_verb_of_command(self, first: str, second: str) -> bool:
        """Whether two words name a command of its own below one that takes arguments too.

        `archive relocate`, beside `archive <change>`; `archive -- relocate` means a change.
        """
        above, row = (
            table.find(f"{self.prefix} {name}".strip()) for name in (first, f"{first} {second}")
        )
        if above is None or row is None or above.command == row.command:
            return False
        return not isinstance(resolve(above.command), click.Group)


def for_table(command: click.Command, text: str) -> click.Command:
    """`command` with our help; its one-line help is the table's unless it has its own text."""
    command.context_class = HelpContext
    if not any(param.name == "no_color" for param in command.params):
        command.params.append(_no_color(hidden=True))  # as in the original, it may come late
    if not command.help:
        command.help = text
    if isinstance(command, click.Group) and not isinstance(command, TableGroup):
        for child in command.commands.values():
            for_table(child, child.help or "")
    return command


def program() -> TableGroup:
    """The whole command line, with its global options. Source: planning §4.0."""
    from rasen.base.messages import N_

    group = TableGroup(
        help=N_("Agree first, then build, and keep what was learned."),
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    group.params = [
        click.Option(["-V", "--version"], is_flag=True, is_eager=True, expose_value=False,
                     callback=_print_version, help=N_("Print the version")),
        _no_color(hidden=False),
    ]  # fmt: skip
    return group


def _no_color(*, hidden: bool) -> click.Option:
    from rasen.base.messages import N_

    return click.Option(
        ["--no-color"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        hidden=hidden,
        callback=_without_color,
        help=N_("Use no colours"),
    )


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from rasen import __version__
        from rasen.surfaces.cli import output

        output.write(__version__ + "\n")
        ctx.exit()


def _without_color(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and ctx.obj is not None:
        ctx.obj.no_color = True
