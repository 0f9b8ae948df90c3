"""Writes the generated pages of docs/reference; `--check` fails when a committed page is not current."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import rasen
from rasen.base.errors import ToolError
from rasen.base.findings import Rule
from rasen.surfaces import table
from rasen.surfaces.cli.help import HelpContext, option_text, option_words
from rasen.surfaces.table import resolve

if __package__:
    from tools import requirements
else:
    import requirements

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
SCHEMAS = ROOT / "src" / "rasen" / "surfaces" / "schemas"
_NOTE = "<!-- Made by `make docs`; edit the source, not this page. -->\n\n"
_EFFECTS = {
    table.Effect.READS: "reads",
    table.Effect.WRITES: "writes",
    table.Effect.SPAWNS: "starts another program",
    table.Effect.DESTROYS: "writes and removes",
}
_FAMILIES = (
    "InvalidInput",
    "NotFound",
    "Conflict",
    "Busy",
    "Refused",
    "External",
    "Damaged",
    "Partial",
)


def commands_page() -> str:
    """Every command with its call and its flags."""
    parts = ["# Commands\n\n" + _NOTE + _COMMANDS_INTRO]
    parts.append("| Command | What it does | Effect |\n| --- | --- | --- |\n" + "".join(
        f"| [`{row.name}`](#{row.name.replace(' ', '-')}) | {row.help} | {_EFFECTS[row.effect]} |\n"
        for row in _rows()
    ))  # fmt: skip
    parts += [_command(row) for row in _rows()]
    return "\n".join(parts)


_COMMANDS_INTRO = """\
Options that every call takes: `-h`, `--help` (of the program and of each command), `-V`, `--version` and
`--no-color`. `--version` goes before the command. The variable `NO_COLOR`, when not empty, means the same.

Exit codes: 0 for success, 1 for every refusal, failed check and wrong call, 130 after Ctrl-C.
"""


def _rows() -> list[table.Operation]:
    return [row for row in table.OPERATIONS if not row.hidden]


def _command(row: table.Operation) -> str:
    command = resolve(row.command)
    words = row.name.split()
    with _context(words, command) as ctx:
        pieces = " ".join(piece for piece in command.collect_usage_pieces(ctx) if piece)
        options = [
            f"| `{_cell(option_words(ctx, param))}` | {_cell(' '.join(option_text(param).split()))} |\n"
            for param in command.params
            if isinstance(param, click.Option) and not param.hidden
        ]
    if row.name == "instructions apply":
        pieces = "[OPTIONS]"
    text = f"## {row.name}\n\n{(command.help or row.help) if row.name != 'instructions apply' else row.help}\n\n"
    text += f"```text\nrasen {row.name} {pieces}\n```\n"
    if options:
        text += "\n| Option | Meaning |\n| --- | --- |\n" + "".join(options)
    return text


def _context(words: list[str], command: click.Command) -> click.Context:
    parent: click.Context | None = None
    for word in ["rasen", *words[:-1]]:
        parent = HelpContext(click.Group(word), info_name=word, parent=parent)
    return HelpContext(command, info_name=words[-1], parent=parent, resilient_parsing=True)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def json_page() -> str:
    """Every JSON document, from its schema file."""
    parts = ["# JSON documents\n\n" + _NOTE + _JSON_INTRO]
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        name = path.name.removesuffix(".schema.json")
        parts.append(
            f"## {name}\n\n{schema.get('description', schema.get('title', ''))}\n\n"
            f"```json\n{json.dumps(schema, indent=2, ensure_ascii=False)}\n```\n"
        )
    return "\n".join(parts)


_JSON_INTRO = """\
With `--json` a command prints exactly one document on stdout, with two spaces of indentation and a final
newline. Members that do not apply are left out. A refusal prints the members below that stand for nothing
(such as `"change": null`) and `status`, a list of diagnostics:

```json
{"severity": "error", "code": "…", "message": "…", "target": "…", "fix": "…"}
```

`target` and `fix` are optional. Match on `code` ([all codes](codes.md)); messages may be reworded. Each section shows the
schema (JSON Schema 2020-12) that the output of a command fits; the same files are in the package, under
`rasen/surfaces/schemas/`.
"""


def codes_page() -> str:
    """Every code with its meaning and what to do."""
    _import_all()
    errors = [error for error in _subclasses(ToolError) if error.code]
    text = "# Codes\n\n" + _NOTE + _CODES_INTRO
    text += "\n## Refusals\n\n| Code | Severity | Family | Meaning | What to do |\n| --- | --- | --- | --- | --- |\n"
    for cells in sorted(
        {
            (f"`{error.code}`", error.severity, _family(error), error.text, error.fix)
            for error in errors
        }
    ):
        text += "| " + " | ".join(_cell(" ".join(cell.split())) for cell in cells) + " |\n"
    text += "\n## Findings\n\n| Code | Level | Meaning | What to do |\n| --- | --- | --- | --- |\n"
    for rule in _rules():
        cells = (f"`{rule.code}`", rule.level.value, rule.text, rule.fix)
        text += "| " + " | ".join(_cell(" ".join(cell.split())) for cell in cells) + " |\n"
    return text


_CODES_INTRO = """\
A code never changes its meaning; one that arises in several ways has a row for each. Words in braces stand for values of the occurrence. Refusals end a command with exit
code 1; findings are collected and listed. Three codes belong to the command line itself: `usage_error` (the words
of the call are wrong), `internal_error` (a bug; a report is written under the data folder; `rasen workflow` and `rasen pipeline` say
`workflow_command_error` and `pipeline_command_error`) and, for errors without a code of their own, the fallback of the command, such as `list_error` or `change_error`.
"""


def _import_all() -> None:
    for info in pkgutil.walk_packages(rasen.__path__, "rasen."):
        if info.name != "rasen.__main__":
            importlib.import_module(info.name)


def _subclasses(kind: type[ToolError]) -> Iterator[type[ToolError]]:
    for child in kind.__subclasses__():
        if child.__module__.startswith("rasen."):
            yield child
        yield from _subclasses(child)


def _family(error: type[ToolError]) -> str:
    return next((base.__name__ for base in error.__mro__ if base.__name__ in _FAMILIES), "")


def _rules() -> list[Rule]:
    found = {
        value
        for name, module in sys.modules.items()
        if name.startswith("rasen.")
        for value in vars(module).values()
        if isinstance(value, Rule)
    }
    return sorted(found, key=lambda rule: (rule.code, rule.level.value, rule.text, rule.fix))


PAGES = {
    "commands.md": commands_page,
    "json.md": json_page,
    "codes.md": codes_page,
    "requirements.md": requirements.page,
}


def stale() -> list[str]:
    """The names of the committed pages that differ from what the source says."""
    return [
        name
        for name, make in PAGES.items()
        if not (REFERENCE / name).is_file()
        or (REFERENCE / name).read_text(encoding="utf-8") != make()
    ]


def main() -> int:
    """Write the pages, or check them; 1 when a check fails."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        for name in stale():
            sys.stderr.write(f"docs/reference/{name} is not current: run `make docs`\n")
        return 1 if stale() else 0
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (REFERENCE / name).write_text(make(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
