"""Calls of ours that a person or an agent can paste, with the words that select the root."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rasen.roots.model import Root

_OF_THE_PROJECT = frozenset({"doctor", "work migrate"})
"""Those that look at the project we are in, where its settings have led to a store."""
_STEPS = ("fix",)
_QUOTED = re.compile(r"(?P<mark>[`'])(?P<call>rasen [^`'\n]+)(?P=mark)")
_LAST = re.compile(r"(?<=: )(?P<call>rasen [^`'\n]+)$")


def call(root: Root, *words: str) -> str:
    """`rasen <words>` for `root`, quoted for a shell; placeholders in angle brackets stay bare.

    Source: planning §2.2 (hints carry the selector).
    """
    import shlex

    quoted = [word if word.startswith("<") else shlex.quote(word) for word in words]
    return " ".join(["rasen", *quoted, *map(shlex.quote, root.selector)])


def selecting(step: str, root: Root | None) -> str:
    """`step` with the words that select `root` in each call of ours that takes them and has none.

    root: None leaves it as it is. Source: planning §2.2.
    """
    if root is None or not root.selector or "rasen " not in step:
        return step

    def quoted(match: re.Match[str]) -> str:
        return f"{match['mark']}{_selected(match['call'], root)}{match['mark']}"

    return _LAST.sub(lambda match: _selected(match["call"], root), _QUOTED.sub(quoted, step))


def takes_selection(name: str) -> bool:
    """Whether a command takes the words that select a root; only then may it be given them."""
    from rasen.surfaces import table
    from rasen.surfaces.table import resolve

    row = table.find(name)
    if row is None or not row.command or name in table.GROUPS:
        return False
    return any(param.name == "store_path" for param in resolve(row.command).params)


def documented(value: object, root: Root) -> object:
    """A JSON document whose steps can be pasted; see `selecting`."""
    if isinstance(value, Mapping):
        return {
            key: selecting(inner, root)
            if key in _STEPS and isinstance(inner, str)
            else documented(inner, root)
            for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [documented(inner, root) for inner in value]
    return value


def _selected(call: str, root: Root) -> str:
    words = call.split()[1:]
    name = next((one for one in (" ".join(words[:2]), words[0]) if takes_selection(one)), None)
    if name is None or "--store" in words or "--project" in words:
        return call
    if name in _OF_THE_PROJECT and root.source == "declared":
        return call
    return call + root.selector_text
