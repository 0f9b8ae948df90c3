"""Which names a new change may have, and what is wrong with the others."""

from __future__ import annotations

import re

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_

LONGEST = 200
RESERVED = frozenset({"archive"})
_GRAMMAR = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_OBJECTIONS = (
    (re.compile(r"[A-Z]"), N_("it has upper-case letters")),
    (re.compile(r"\s"), N_("it has spaces; put hyphens there")),
    (re.compile(r"_"), N_("it has underscores; put hyphens there")),
    (re.compile(r"\A-"), N_("it begins with a hyphen")),
    (re.compile(r"-\Z"), N_("it ends with a hyphen")),
    (re.compile(r"--"), N_("it has two hyphens in a row")),
    (re.compile(r"[^a-z0-9-]"), N_("only lower-case letters, digits and hyphens are allowed")),
    (re.compile(r"\A[0-9]"), N_("it begins with a digit; begin with a letter")),
)


class ChangeNameInvalid(InvalidInput):
    """A name that no new change may have. It has no code of its own: the command's applies."""

    text = N_("'{name}' cannot be the name of a change: {reason}")
    fix = N_("use lower-case words with hyphens, such as add-user-login")


def check(name: str) -> None:
    """Pass only for a name that a new change may have.

    Errors: ChangeNameInvalid with the first objection. Source: planning §4.11.
    """
    reason = objection(name)
    if reason:
        raise ChangeNameInvalid(name=name, reason=reason)


def objection(name: str) -> str:
    """What is wrong with `name`, the first thing of the published order; empty when nothing is."""
    if not name:
        return N_("it is empty")
    for pattern, reason in _OBJECTIONS:
        if pattern.search(name):
            return reason
    if not _GRAMMAR.fullmatch(name):
        return N_("it is not in kebab-case")
    if len(name) > LONGEST:
        return N_("it is longer than 200 characters")
    return N_("that folder holds archived changes") if name in RESERVED else ""
