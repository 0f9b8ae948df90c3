"""The completion script of zsh."""

from __future__ import annotations

import shlex

from rasen.surfaces.cli.shells.tree import Flag, Place, Values

_HEAD = """\
#compdef rasen
# rasen completion for zsh

_rasen_ask() {
    local kind line
    local -a rows
    for kind in "$@"; do
        rows=()
        for line in "${(@f)$(rasen __complete "$kind" 2>/dev/null)}"; do
            [[ -n $line ]] || continue
            rows+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
        done
        (( $#rows )) && _describe -t "$kind" "$kind" rows
    done
}

_rasen() {
    local at="" previous="${words[CURRENT-1]}" i
    local -a rows
    for (( i = 2; i < CURRENT; i++ )); do
        case "$at ${words[i]}" in
"""


def script(places: list[Place]) -> str:
    """The whole script."""
    paths = [shlex.quote(" " + place.path) for place in places if place.path]
    lines = [_HEAD.rstrip("\n"), f"            ({'|'.join(paths)})"]
    lines += ['                at="$at ${words[i]}" ;;', "        esac", "    done"]
    lines += ['    case "$at $previous" in']
    for place in places:
        for flag in place.flags:
            if flag.values is not None:
                heads = "|".join(shlex.quote(f"{_at(place)} {name}") for name in flag.names)
                lines += [f"        ({heads})", *_offer(flag.values), "            return ;;"]
    lines += ["    esac", '    case "$at" in']
    for place in places:
        lines += [f"        ({shlex.quote(_at(place)) or chr(39) * 2})"]
        lines += ["            if [[ ${words[CURRENT]} == -* ]]; then"]
        lines += ["    " + line for line in _described("options", _flag_rows(place.flags))]
        lines += ["            else"]
        lines += [
            "    " + line for line in _described("commands", [_row(*row) for row in place.commands])
        ]
        lines += ["    " + line for line in _offer(place.positional)]
        lines += ["                :", "            fi ;;"]
    lines += ["    esac", "}", ""]
    lines += ['if [ "$funcstack[1]" = "_rasen" ]; then', '    _rasen "$@"', "else"]
    lines += ["    compdef _rasen rasen", "fi", ""]
    return "\n".join(lines)


def _at(place: Place) -> str:
    return f" {place.path}" if place.path else ""


def _row(name: str, text: str) -> str:
    return shlex.quote(name.replace(":", "\\:") + ":" + text)


def _flag_rows(flags: tuple[Flag, ...]) -> list[str]:
    return [_row(name, flag.help) for flag in flags for name in flag.names]


def _described(tag: str, rows: list[str]) -> list[str]:
    if not rows:
        return []
    return [f"            rows=({' '.join(rows)})", f"            _describe -t {tag} {tag} rows"]


def _offer(values: Values) -> list[str]:
    lines = []
    if values.words:
        lines.append(
            "            compadd -- " + " ".join(shlex.quote(word) for word in values.words)
        )
    if values.kinds:
        lines.append("            _rasen_ask " + " ".join(values.kinds))
    if values.files:
        lines.append("            _files")
    return lines
