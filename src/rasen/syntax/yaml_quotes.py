"""The commonest mistake in YAML that people write: a value that lacks its quotes, and its cure."""

from __future__ import annotations

import re

from rasen.syntax import yaml

_LINE = 2000


def cure(error: yaml.YamlInvalid, text: str) -> str | None:
    """The line of the problem with quotes around its value, when that is all that it lacks."""
    lines, at = text.split("\n"), int(str(error.params["line"])) - 1
    quoted = with_quotes(lines[at]) if at < len(lines) else None
    if quoted is None:
        return None
    lines[at] = quoted
    try:
        yaml.load("\n".join(lines), file=str(error.params["file"]))
    except yaml.YamlInvalid as other:
        return quoted if int(str(other.params["line"])) > at + 1 else None
    return quoted


def with_quotes(line: str) -> str | None:
    """A line `key: value` with quotes around its value; None when it has some or is no such line.

    None too for a line so long that nobody would write it again.
    """
    import json

    if len(line) > _LINE:
        return None
    found = re.fullmatch(r"([ -]*[A-Za-z_][\w-]*: +)(?![\"'|>&*!#])(.*\S)[ \r]*", line)
    if found is None:
        return None
    return found[1] + json.dumps(found[2], ensure_ascii=False)
