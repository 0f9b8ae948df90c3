"""The completion script of bash (3.2 and newer)."""

from __future__ import annotations

import shlex

from rasen.surfaces.cli.shells.tree import Place, Values

_HEAD = """\
# rasen completion for bash
# Values are compared one by one and quoted: a name from the disk is never evaluated.

_rasen_offer() {
    local value
    while IFS= read -r value; do
        if [[ -n $value && $value == "$cur"* ]]; then
            COMPREPLY+=("$(printf '%q' "$value")")
        fi
    done
}

_rasen_ask() {
    local kind
    for kind in "$@"; do
        _rasen_offer < <(rasen __complete "$kind" 2>/dev/null | cut -f1)
    done
}

_rasen_words() {
    _rasen_offer < <(printf '%s\\n' "$@")
}

_rasen() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at="" i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$at ${COMP_WORDS[i]}" in
"""


def script(places: list[Place]) -> str:
    """The whole script."""
    paths = [" " + place.path for place in places if place.path]
    lines = [_HEAD.rstrip("\n")]
    lines.append("            " + "|".join(shlex.quote(path) for path in paths) + ")")
    lines += ['                at="$at ${COMP_WORDS[i]}" ;;', "        esac", "    done"]
    lines += ['    case "$at $prev" in']
    for place in places:
        for flag in place.flags:
            if flag.values is not None:
                heads = [f"{_at(place)} {name}" for name in flag.names]
                pattern = "|".join(shlex.quote(head) for head in heads)
                lines.append(f"        {pattern}) {_offer(flag.values)}return ;;")
    lines += ["    esac", "    if [[ $cur == -* ]]; then", '        case "$at" in']
    for place in places:
        names = [name for flag in place.flags for name in flag.names]
        lines.append(
            f"            {shlex.quote(_at(place))}) {_offer(Values(words=tuple(names)))};;"
        )
    lines += ["        esac", "        return", "    fi", '    case "$at" in']
    for place in places:
        words = Values(words=tuple(name for name, _ in place.commands))
        offers = (_offer(words) if words.words else "") + _offer(place.positional)
        if offers:
            lines.append(f"        {shlex.quote(_at(place))}) {offers};;")
    lines += ["    esac", "}", "", "complete -F _rasen rasen", ""]
    return "\n".join(lines).replace("; ;;", " ;;")


def _at(place: Place) -> str:
    return f" {place.path}" if place.path else ""


def _offer(values: Values) -> str:
    parts = []
    if values.words:
        parts.append("_rasen_words " + " ".join(shlex.quote(word) for word in values.words))
    if values.kinds:
        parts.append("_rasen_ask " + " ".join(values.kinds))
    if values.files:
        parts.append('COMPREPLY+=($(compgen -f -- "$cur"))')
    return "".join(part + "; " for part in parts)
