"""Adds one item to a list of a YAML text by splicing, so that comments between the items stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rasen.syntax import yaml
from rasen.syntax.yaml_core import YamlInvalid, same
from rasen.syntax.yaml_dump import flow
from rasen.syntax.yaml_reader import Place, Places, read

_DASH = re.compile(r"[ ]*(?=-[ ])")


def append(text: str, key: str, value: object, *, file: str) -> str:
    """`text` with `value` as the last item of the list at the top-level `key`; every other byte stays.

    A list that is not there is made.
    Errors: yaml_invalid when `text` is broken; yaml_edit_refused when it cannot be done in place.
    """
    places: Places = {}
    data = read(text, file=file, places=places)
    found = data.get(key) if isinstance(data, dict) else None
    items = found if isinstance(found, list) else []
    wanted = [*items, value]
    if items:
        for candidate in _ways(text, places, key, len(items), value):
            if _holds(candidate, data, key, wanted, file):
                return candidate
    return yaml.set_value(text, (key,), wanted, file=file)


def _ways(text: str, places: Places, key: str, count: int, value: object) -> Iterator[str]:
    """Texts that may carry one item more, best first."""
    last = places.get((key, count - 1))
    if last is None:
        return
    if places[(key,)].is_flow:
        yield f"{text[: last.end]}, {flow(value)}{text[last.end :]}"
    else:
        yield _below(text, last, value)


def _below(text: str, last: Place, value: object) -> str:
    start = text.rfind("\n", 0, last.start) + 1
    dash = _DASH.match(text, start)
    indent = dash.group() if dash else ""
    ending = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = [indent + line for line in yaml.dump([value]).splitlines()]
    end = text.find("\n", last.end)
    if end < 0:
        return text + ending + ending.join(lines)
    block = "".join(line + ending for line in lines)
    return text[: end + 1] + block + text[end + 1 :]


def _holds(candidate: str, data: object, key: str, wanted: list[object], file: str) -> bool:
    try:
        found = read(candidate, file=file)
    except YamlInvalid:
        return False
    return isinstance(data, dict) and same(found, {**data, key: wanted})
