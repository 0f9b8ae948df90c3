"""The eight families of expected refusals, and the exit codes they end with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rasen.base.messages import N_, fill

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_INTERRUPTED = 130


class ToolError(Exception):
    """An expected refusal: the reader can act on it. Anything else is a bug.

    Subclasses set `code` (snake_case, unique, never reused), `text` and `fix` (English templates
    marked with N_, filled with the keyword arguments). `target` names the part of the system that is
    meant (`store.id`, `openspec.root`); empty means none.
    """

    code: ClassVar[str] = ""
    text: ClassVar[str] = ""
    fix: ClassVar[str] = ""
    severity: ClassVar[str] = "error"

    def __init__(self, *, target: str = "", fix: str | None = None, **params: object) -> None:
        """`fix`, when given, replaces the class's template for this one occurrence."""
        super().__init__(self.code)
        self.target = target
        self.params = params
        self.fix_text = type(self).fix if fix is None else fix

    def __str__(self) -> str:
        return fill(self.text, self.params)

    @property
    def details(self) -> Mapping[str, object]:
        """What a program may need besides the code, in values that JSON knows; usually nothing."""
        return {}


class InvalidInput(ToolError):
    """A person's file or argument is wrong."""


class NotFound(ToolError):
    """No such thing."""


class Conflict(ToolError):
    """The world moved since we read it."""


class Busy(ToolError):
    """Someone holds it; trying later may work."""


class Refused(ToolError):
    """It needs more authority, or is never allowed."""


class External(ToolError):
    """A program we ran (git, an editor) failed; argv, status and the tail of stderr are parameters."""


class Damaged(ToolError):
    """A file of our own is broken, or newer than we are."""


class Partial(ToolError):
    """Some of many failed; each one is listed."""


class UsageError(InvalidInput):
    """The words of the call are wrong."""

    code = "usage_error"
    text = N_("{problem}")
