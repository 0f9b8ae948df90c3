"""What the text of a skill refers to, and what should not be in it. Source: library WF-054 to WF-057."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

ROOTS = ("references/", "scripts/", "templates/", "bin/")

_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PLACEHOLDER = re.compile(r"__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__")
_OLD_NAME = re.compile(r"(?<![A-Za-z0-9_-])openspec[-:][A-Za-z0-9:-]*", re.I)
_MACHINE = re.compile(r"(?<![\w/.])(?:/Users/|/home/|[A-Za-z]:\\Users\\)[^\s`\"')\]>]+")


class Mention(NamedTuple):
    """Something that a text names, and where: an offset in characters."""

    text: str
    at: int


def sidecars(body: str) -> list[Mention]:
    """The files beside the skill that `body` refers to, as links or as whole code spans.

    Only paths below the four folders that hold such files, without a leading `./` and a fragment.
    """
    found = [*_links(body), *(Mention(one[1], one.start()) for one in _CODE.finditer(body))]
    rooted = ((_path(one.text), one.at) for one in found)
    return sorted(
        (Mention(path, at) for path, at in rooted if path is not None), key=lambda one: one.at
    )


def placeholders(body: str) -> Iterator[Mention]:
    """Places of a template that were never filled."""
    return _all(_PLACEHOLDER, body)


def old_names(body: str) -> Iterator[Mention]:
    """Names from before the program was called what it is called."""
    return _all(_OLD_NAME, body)


def machine_paths(body: str) -> Iterator[Mention]:
    """Paths in somebody's home."""
    return _all(_MACHINE, body)


def _all(pattern: re.Pattern[str], body: str) -> Iterator[Mention]:
    return (Mention(one[0], one.start()) for one in pattern.finditer(body))


def _path(target: str) -> str | None:
    path = target.removeprefix("./")
    return path.partition("#")[0] if path.startswith(ROOTS) else None


def _links(body: str) -> Iterator[Mention]:
    at = body.find("](")
    while at != -1:
        target = _target(body, at + 2)
        if target:
            yield Mention(target, at + 2)
        at = body.find("](", at + 2)


def _target(body: str, at: int) -> str:
    """The target of the link whose parenthesis opened right before `at`; empty when there is none."""
    while at < len(body) and body[at] in " \t\r\n":
        at += 1
    if body[at : at + 1] == "<":
        return _in_angles(body, at + 1)
    found, depth = [], 0
    while at < len(body):
        one = body[at]
        if one == "\\" and at + 1 < len(body):
            found.append(body[at + 1])
            at += 2
            continue
        if depth == 0 and (one == ")" or one.isspace()):
            break
        depth += (one == "(") - (one == ")")
        found.append(one)
        at += 1
    return "".join(found)


def _in_angles(body: str, at: int) -> str:
    found = []
    while at < len(body) and body[at] not in ">\n":
        if body[at] == "\\" and at + 1 < len(body):
            at += 1
        found.append(body[at])
        at += 1
    return "".join(found)
