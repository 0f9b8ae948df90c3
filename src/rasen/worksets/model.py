"""A workset, the programs that can open one, and what can be wrong with either."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from rasen.base.errors import Busy, Damaged, External, InvalidInput, NotFound, Refused
from rasen.base.messages import N_


class Member(NamedTuple):
    """One folder. name: its label. path: absolute; it may be gone."""

    name: str
    path: str

    def to_json(self) -> dict[str, str]:
        """The member in documents and in workspace files."""
        return {"name": self.name, "path": self.path}


class Workset(NamedTuple):
    """Folders that belong together, the first one being the primary. tool: None for none chosen."""

    name: str
    members: tuple[Member, ...]
    tool: str | None = None

    def to_json(self) -> dict[str, object]:
        """The workset in documents."""
        tool = {} if self.tool is None else {"tool": self.tool}
        return {"name": self.name, **tool, "members": [one.to_json() for one in self.members]}


class Style(Enum):
    """How a program is told the folders."""

    WORKSPACE_FILE = "workspace-file"
    ATTACH_DIRS = "attach-dirs"


class Opener(NamedTuple):
    """A program that opens worksets. attach_flag: goes before each further folder."""

    id: str
    style: Style
    label: str
    command: str
    args: tuple[str, ...] = ()
    attach_flag: str = "--add-dir"


class Launch(NamedTuple):
    """A workset ready to be opened. argv: the call, its program as found on the search path."""

    opener: Opener
    argv: tuple[str, ...]
    members: tuple[Member, ...]


class InvalidWorksetFile(Damaged):
    code = "invalid_workset_file"
    text = N_("{file} is not a list of worksets: {problem}")
    fix = N_("correct {file}, or remove it and create the worksets again")


class WorksetFileBusy(Busy):
    code = "workset_file_busy"
    text = N_("the worksets are being written by another command ({lock})")
    fix = N_("try again; if no other command runs, remove {lock}")


class WorksetNameRequired(InvalidInput):
    code = "workset_name_required"
    text = N_("a workset needs a name")
    fix = N_("name it: rasen workset create <name> --member <path>")


class InvalidWorksetName(InvalidInput):
    code = "invalid_workset_name"
    text = N_("'{name}' is not a name for a workset")
    fix = N_("use lower-case letters and digits, in groups joined by single hyphens")


class WorksetExists(Refused):
    code = "workset_exists"
    text = N_("there is a workset named '{name}' already")
    fix = N_("choose another name, or run 'rasen workset remove {name}' first")


class WorksetMembersRequired(InvalidInput):
    code = "workset_members_required"
    text = N_("the workset '{name}' has no folders")
    fix = N_("name at least one: --member <path>")


class WorksetMemberInvalid(InvalidInput):
    code = "workset_member_invalid"
    text = N_("the folder '{member}' cannot be in the workset: {problem}")
    fix = N_("name a folder that is there, as --member <path> or --member <name>=<path>")


class WorksetNotFound(NotFound):
    code = "workset_not_found"
    text = N_("no workset named '{name}'")
    fix = N_("'rasen workset list' shows those there are")


class WorksetToolRequired(InvalidInput):
    code = "workset_tool_required"
    text = N_("the workset '{name}' does not say which program opens it")
    fix = N_("name one: rasen workset open {name} --tool <id>; there are: {tools}")


class WorksetToolUnknown(NotFound):
    code = "workset_tool_unknown"
    text = N_("no opener named '{tool}'; there are: {tools}")
    fix = N_("use one of those, or describe it in the setting openers.{tool}")


class InvalidOpenerConfig(InvalidInput):
    code = "invalid_opener_config"
    text = N_("the setting openers.{tool} cannot be used: {problem}")
    fix = N_("correct it with 'rasen config edit'")


class WorksetToolUnavailable(External):
    code = "workset_tool_unavailable"
    text = N_("{label} cannot be started: there is no program '{command}' on the search path")
    fix = N_("install it, or open the workset with another: --tool <id>")


class WorksetCliOpenerDisabled(Refused):
    code = "workset_cli_opener_disabled"
    text = N_("{label} is switched off here by {variable}")
    fix = N_("unset {variable}, or open the workset with another: --tool <id>")


class WorksetNoMembersAvailable(NotFound):
    code = "workset_no_members_available"
    text = N_("none of the folders of '{name}' is there")
    fix = N_("bring them back, or remove the workset and create it again")


class WorksetLaunchFailed(External):
    code = "workset_launch_failed"
    text = N_("{label} could not be started: {reason}")
    fix = N_("open the folders by hand: {folders}")
