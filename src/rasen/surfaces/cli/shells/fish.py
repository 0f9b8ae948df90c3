"""The completion script of fish."""

from __future__ import annotations

from rasen.surfaces.cli.shells.tree import Flag, Place, Values

_HEAD = """\
# rasen completion for fish

function __rasen_at
    set -l at
    for word in (commandline -opc)[2..]
        set -l next (string trim -- "$at $word")
        if contains -- $next $__rasen_paths
            set at $next
        end
    end
    test "$at" = "$argv"
end

function __rasen_ask
    for kind in $argv
        rasen __complete $kind 2>/dev/null
    end
end

complete -c rasen -f
"""


def script(places: list[Place]) -> str:
    """The whole script."""
    paths = " ".join(_quoted(place.path) for place in places if place.path)
    lines = [_HEAD + f"set -g __rasen_paths {paths}"]
    for place in places:
        start = f"complete -c rasen -n {_quoted('__rasen_at ' + _quoted(place.path))}"
        for name, text in place.commands:
            lines.append(f"{start} -a {_quoted(name)} -d {_quoted(text)}")
        lines += [f"{start}{_option(flag)}" for flag in place.flags]
        lines += [f"{start}{part}" for part in _arguments(place.positional)]
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _option(flag: Flag) -> str:
    parts = ""
    for name in flag.names:
        if name.startswith("--"):
            parts += f" -l {name[2:]}"
        elif len(name) == 2:
            parts += f" -s {name[1:]}"
    if flag.values is not None:
        parts += (" -r" if flag.values.files else " -x") + "".join(_arguments(flag.values))
    return f"{parts} -d {_quoted(flag.help)}"


def _arguments(values: Values) -> list[str]:
    parts = []
    if values.words:
        parts.append(f" -a {_quoted(' '.join(values.words))}")
    if values.kinds:
        parts.append(f" -a {_quoted('(__rasen_ask ' + ' '.join(values.kinds) + ')')}")
    if values.files:
        parts.append(" -F")
    return parts
