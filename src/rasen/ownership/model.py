"""What we want to be somewhere, what we put there, what is there, and what is to be done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_

BASE = "."
"""The base of a site itself, among the folders that we made."""


class Kind(StrEnum):
    """What is owned: a whole file, or a part of a file that belongs to somebody else.

    MEMBER: one member of a JSON file. BLOCK: the lines between two markers of a text file.
    """

    FILE = "file"
    MEMBER = "member"
    BLOCK = "block"


class Owner(NamedTuple):
    """Who wants a file. tool: an agent's id. source: why, such as `built-in:propose`.

    project: the identity of the project, where the place serves the whole machine; else None.
    """

    tool: str
    source: str
    project: str | None = None

    def to_json(self) -> dict[str, str]:
        """`{tool, source, project?}`."""
        answer = {"tool": self.tool, "source": self.source}
        return answer if self.project is None else {**answer, "project": self.project}


@dataclass(frozen=True)
class Desired:
    """Something that has to be there. path: below the site's base, with `/`.

    data: the bytes of a file; of a member its value as JSON text; of a block its lines, each with LF.
    part: the member's dotted name, or the block's name.
    mode: permission bits of a new file; None takes the usual ones. is_known: the file looks like one
    that an earlier version of ours made, so an unrecorded one may be taken over. extra: what the
    ledger's row says besides.
    """

    path: str
    owner: Owner
    data: bytes
    kind: Kind = Kind.FILE
    part: str = ""
    mode: int | None = None
    is_known: bool = False
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from others: the path, and the part of it."""
        return self.path, self.part


@dataclass(frozen=True)
class Row:
    """What a ledger says about one thing of ours.

    digest: of its bytes when we wrote them. version: of the program that did. made: for a part, what
    we had to make for it: "" the file, else the outermost member, or what separates the block. extra: fields we do not
    know, kept.
    """

    path: str
    digest: str
    owners: tuple[Owner, ...]
    version: str
    kind: Kind = Kind.FILE
    part: str = ""
    made: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        return self.path, self.part


@dataclass(frozen=True)
class Ledger:
    """Everything of ours below one base. folders: those that we made, the outermost of each branch; BASE
    is the one above all.
    """

    rows: Mapping[tuple[str, str], Row] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


class Actual(NamedTuple):
    """What is there. digest: of its bytes, or ABSENT. other_ends: of the same
    text with LF only, and with CRLF only; nothing for what is no text.

    blocked: why nothing can be done there, or None. is_inherited: it says that some version of ours
    made it. is_committed: git has exactly these bytes.
    """

    digest: str
    other_ends: tuple[str, ...] = ()
    blocked: Rule | None = None
    detail: str = ""
    is_inherited: bool = False
    is_committed: bool = False


class Action(StrEnum):
    """What is to be done about one thing."""

    CREATE = "create"
    UPDATE = "update"
    KEEP = "keep"
    TAKE_OVER = "take-over"
    BESIDE = "beside"
    REMOVE = "remove"
    FORGET = "forget"
    RELEASE = "release"
    REFUSE = "refuse"


class Step(NamedTuple):
    """One decision. row: what the ledger will say afterwards; None takes the row away.

    finding: what a person should know about it; None for the usual.
    """

    action: Action
    path: str
    part: str
    desired: Desired | None
    row: Row | None
    actual: Actual
    finding: Finding | None = None


class Form(StrEnum):
    """Which format a ledger has: the one of all generated files, or the one of user workflows."""

    FILES = "files"
    ARTIFACTS = "artifacts"


class Site(NamedTuple):
    """Where a ledger rules. base: what its paths are relative to; nothing outside is touched.

    journal: for the batches that write here. project: the identity that owners carry, if any.
    places: the folders and files where things of ours can be; a ledger comes with the repository,
    so what it says of any other place is not believed. One with `*` at its end is how such paths
    begin. None: anywhere. Source: library GN-009.
    """

    base: Path
    ledger: Path
    journal: Path
    project: str | None = None
    form: Form = Form.FILES
    places: tuple[str, ...] | None = None

    def can_hold(self, path: str) -> bool:
        """Whether a thing of ours may lie at `path`."""
        if self.places is None:
            return True
        return any(
            path.startswith(one[:-1] if one.endswith("*") else f"{one}/") or path == one
            for one in self.places
        )


@dataclass(frozen=True)
class Plan:
    """What is to be done at one site, decided and not yet done; by path."""

    site: Site
    ledger: Ledger
    steps: tuple[Step, ...]

    def by(self, *actions: Action) -> list[Step]:
        """The steps with one of these actions."""
        return [step for step in self.steps if step.action in actions]

    @property
    def findings(self) -> list[Finding]:
        """What a person should know, in order."""
        return [step.finding for step in self.steps if step.finding is not None]

    def without(self, is_left_out: Callable[[Step], bool]) -> Plan:
        """The plan without some steps: what they concern stays as it is."""
        kept = tuple(step for step in self.steps if not is_left_out(step))
        return Plan(self.site, self.ledger, kept)


FOREIGN = Rule(
    "owned_path_foreign",
    Level.ERROR,
    N_("{path} is not ours, so it is left alone"),
    N_("move it away if you want ours there"),
)
INHERITED = Rule(
    "owned_path_inherited",
    Level.WARNING,
    N_("{path} looks like ours but is not recorded; the new version is beside it, in {path}.new"),
    N_("look at both, then run `rasen update --adopt` to take the new one"),
)
EDITED = Rule(
    "owned_path_edited",
    Level.WARNING,
    N_("{path} was edited since we wrote it, so it stays as it is"),
    N_("keep it, or replace it with `rasen update --force`"),
)
EDITED_BESIDE = Rule(
    "owned_path_edited_new_version",
    Level.WARNING,
    N_("{path} was edited since we wrote it; the new version is beside it, in {path}.new"),
    N_("merge the two, or replace yours with `rasen update --force`"),
)
RELEASED = Rule(
    "owned_path_released",
    Level.WARNING,
    N_("{path} was edited since we wrote it, so it stays; it is yours now"),
    N_("delete it when you do not need it"),
)
OUTSIDE = Rule(
    "owned_path_outside",
    Level.WARNING,
    N_("{path} is recorded as ours, but we write nothing there, so it is left alone"),
    N_("see who changed the ledger"),
)
RELEASED_BLOCKED = Rule(
    "owned_path_released_blocked",
    Level.WARNING,
    N_("{path} is not removed, because {detail} is not what we made; it is yours now"),
    N_("delete it when you do not need it"),
)
LINE_ENDINGS = Rule(
    "owned_path_line_endings_only",
    Level.INFO,
    N_("{path} differs from what we wrote by its line endings only"),
)
CONFLICT = Rule(
    "owned_path_conflict",
    Level.ERROR,
    N_("{path} is wanted twice with different texts: by {first} and by {second}"),
    N_("leave one of the two out of the profile"),
)
CASE_COLLISION = Rule(
    "owned_path_case_collision",
    Level.ERROR,
    N_("{path} cannot be told from {detail} on systems that ignore case"),
    N_("rename {detail}"),
)
LINK = Rule(
    "owned_path_link",
    Level.ERROR,
    N_("{path} is, or lies behind, the link {detail}, so nothing is written there"),
    N_("replace the link by a folder"),
)
NOT_A_FILE = Rule(
    "owned_path_not_a_file",
    Level.ERROR,
    N_("{path} cannot be written: {detail} is in the way"),
    N_("move {detail} away"),
)
NOT_WRITABLE = Rule(
    "owned_path_not_writable",
    Level.ERROR,
    N_("{path} cannot be written: you have no right to change {detail}"),
    N_("give yourself the right to write {detail}"),
)
UNREADABLE = Rule(
    "owned_path_unreadable", Level.ERROR, N_("{path} cannot be read: {detail}"),
    N_("correct the file, or the rights to it"),
)  # fmt: skip
