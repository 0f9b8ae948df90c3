"""A YAML reader of another family than ours: rapidyaml, written in C++ from the standard alone."""

from __future__ import annotations

from typing import Any

import ryml


def read(text: str) -> Any:
    """The document as maps, lists and texts. Every scalar is text, since the reader has no types.

    Raises: RuntimeError for what is no YAML.
    """
    tree = ryml.parse_in_arena(text.encode())
    return _plain(tree, tree.root_id())


def _plain(tree: Any, node: int) -> Any:
    if tree.is_map(node):
        return {_text(tree.key(one)): _plain(tree, one) for one in ryml.children(tree, node)}
    if tree.is_seq(node):
        return [_plain(tree, one) for one in ryml.children(tree, node)]
    return _text(tree.val(node))


def _text(raw: Any) -> str:
    return bytes(raw).decode()
