"""What a coding agent is to us, and what a skill is before it is written for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

SKILL = "SKILL.md"
"""The file of a skill's folder that every agent reads first."""
PREFIX = "rasen-"
"""What the names of our own skills begin with."""


class Sidecar(NamedTuple):
    """A file that lies beside a skill. path: relative, with `/`."""

    path: str
    data: bytes


@dataclass(frozen=True)
class Skill:
    """A skill as its author wrote it, before any host.

    name: also the name of its folder. body: what follows the front matter. metadata: further
    keys of the author. is_authored: the scalars come from a user and are quoted when written.
    """

    name: str
    description: str
    body: str
    license: str = "MIT"
    compatibility: str = "Needs the rasen command line."
    metadata: Mapping[str, str] = field(default_factory=dict)
    sidecars: tuple[Sidecar, ...] = ()
    is_user_invoked: bool = False
    is_authored: bool = False


@dataclass(frozen=True)
class Host:
    """One coding agent. Source: planning §8.1.

    folder: relative to a project, or, when `home_variable` is given, the agent's own home below
    the user's: then its skills serve every project of the machine.
    home_variable: the environment variable that moves that home.
    commands: where older versions left command files, as patterns with `*` for the workflow's
    name, relative to the project; `~NAME/` in front means the home that this variable moves.
    markers: paths any of which shows that the agent is used here; empty means `folder` itself.
    hyphen_calls: commands are called `/rasen-x` rather than `/rasen:x` in its prose.
    hides_user_invoked: it does not load the description of a skill that people call by name
    (`disable-model-invocation`); others load all of them.
    limits: characters that its documentation allows: of one `name`, of one `description`, and of
    all descriptions in its `listing` together.
    """

    id: str
    name: str
    folder: str
    home_variable: str | None = None
    commands: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    hyphen_calls: bool = False
    hides_user_invoked: bool = False
    limits: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_machine_wide(self) -> bool:
        """True when its skills lie in a home of the user, not in the project."""
        return self.home_variable is not None
