"""Three-way merge of two YAML maps: key by key, comments kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from rasen.base.errors import ToolError
from rasen.planning.merging.lines import merge_items, merge_lines
from rasen.planning.merging.threeway import Clash
from rasen.planning.merging.whole import FileMerge, clashed, one_sided
from rasen.syntax import yaml

_FILE = "file"
_GONE: Final = object()
"""No value: the key is not there."""

Path = tuple[str, ...]
Sides = tuple[Any, Any, Any]


def merge_records(
    base: str, theirs: str, mine: str, *, check: Callable[[str], object] = lambda _: None
) -> FileMerge:
    """What a YAML map becomes when one side made `theirs` of `base` and the other made `mine`.

    Keys are merged one by one, maps in them too; of lists, what either side added or removed. A
    base of "" stands for a file that both sides are new to. check: the reader of that kind of
    file; its refusal of what comes out is a clash.
    """
    known = one_sided(base, theirs, mine)
    if known is not None:
        return known
    try:
        values = _map(base), _map(theirs), _map(mine)
    except ToolError:
        return clashed(_FILE, base, theirs, mine)
    clashes: list[Clash] = []
    wanted = _merged(values, (), clashes)
    if clashes:
        return FileMerge(None, tuple(clashes))
    text = _text(base, theirs, mine, wanted)
    try:
        if text is not None:
            check(text)
            return FileMerge(text)
    except ToolError:
        pass  # the two together are not a file of that kind: both are shown
    return clashed(_FILE, base, theirs, mine)


def _map(text: str) -> Mapping[str, Any]:
    value = yaml.load(text, file=_FILE)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise yaml.YamlInvalid(file=_FILE, line=1, column=1, problem="not a map")
    return value


def _merged(sides: Sides, path: Path, clashes: list[Clash]) -> Any:
    base, theirs, mine = sides
    if theirs == mine or base == mine:
        return theirs
    if base == theirs:
        return mine
    if isinstance(theirs, dict) and isinstance(mine, dict):
        old = base if isinstance(base, dict) else {}
        found = {}
        for key in dict.fromkeys([*theirs, *mine]):
            inner = old.get(key, _GONE), theirs.get(key, _GONE), mine.get(key, _GONE)
            value = _merged(inner, (*path, str(key)), clashes)
            if value is not _GONE:
                found[key] = value
        return found
    if isinstance(theirs, list) and isinstance(mine, list):
        items = _items(base if isinstance(base, list) else [], theirs, mine)
        if items is not None:
            return items
    clashes.append(Clash(".".join(path), *(_shown(side) for side in sides)))
    return theirs


def _items(base: list[Any], theirs: list[Any], mine: list[Any]) -> list[Any] | None:
    """Lists of things that are unlike each other; None where an item may have been changed twice."""
    names = [[yaml.dump(item) for item in side] for side in (base, theirs, mine)]
    if any(len(set(side)) < len(side) for side in names):
        return None
    merged = merge_items(*names)
    if merged is None or len(set(merged)) < len(merged):
        return None
    values = {yaml.dump(item): item for item in (*base, *theirs, *mine)}
    return [values[name] for name in merged]


def _text(base: str, theirs: str, mine: str, wanted: Mapping[str, Any]) -> str | None:
    """A text that holds `wanted` and the comments of both sides; None without one."""
    lines = merge_lines(*(side.splitlines(keepends=True) for side in (base, theirs, mine)))
    if lines is not None and _holds("".join(lines), wanted):
        return "".join(lines)
    text = theirs
    for path, value in _steps(_map(theirs), wanted, ()):
        if value is _GONE:
            text = yaml.unset(text, path, file=_FILE)
        else:
            text = yaml.set_value(text, path, value, file=_FILE)
    old, left, right = _comments(base), _comments(theirs), _comments(mine)
    is_whole = (left - old) | (right - old) | (left & right) <= _comments(text)
    return text if is_whole and _holds(text, wanted) else None


def _steps(
    old: Mapping[str, Any], new: Mapping[str, Any], path: Path
) -> Iterator[tuple[Path, Any]]:
    """What to set, and what to take away, so that `old` becomes `new`; the deepest places."""
    for key in dict.fromkeys([*old, *new]):
        before, after = old.get(key, _GONE), new.get(key, _GONE)
        if isinstance(before, dict) and isinstance(after, dict) and before and after:
            yield from _steps(before, after, (*path, key))
        elif before != after:
            yield (*path, key), after


def _holds(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return _map(text) == wanted
    except ToolError:
        return False


def _comments(text: str) -> set[str]:
    return {line[line.index("#") :].strip() for line in text.splitlines() if "#" in line}


def _shown(value: Any) -> str | None:
    return None if value is _GONE else yaml.dump(value).strip()
