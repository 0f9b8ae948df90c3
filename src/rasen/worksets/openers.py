"""The programs that open worksets: ours, and the rows of the setting `openers` laid over them."""

from __future__ import annotations

from collections.abc import Mapping

from rasen.base.messages import N_, Phrase
from rasen.worksets.model import InvalidOpenerConfig, Opener, Style, WorksetToolUnknown

BUILT_IN = (
    Opener("code", Style.WORKSPACE_FILE, "VS Code", "code"),
    Opener("cursor", Style.WORKSPACE_FILE, "Cursor", "cursor"),
    Opener("claude", Style.ATTACH_DIRS, "Claude Code", "claude"),
    Opener("codex", Style.ATTACH_DIRS, "Codex", "codex", ("--sandbox", "workspace-write")),
)

_FIELDS = ("style", "label", "command", "args", "attach_flag")
_STYLES = {style.value: style for style in Style}

_NOT_A_MAP = Phrase(N_("it must be a map"))
_NO_STYLE = Phrase(N_("it needs a style: workspace-file or attach-dirs"))
_BAD_ARGS = Phrase(N_("its args must be a list of texts"))


def names(configured: object) -> list[str]:
    """The ids of all openers; configured: the setting `openers` as it stands."""
    own = list(configured) if isinstance(configured, Mapping) else []
    return sorted({opener.id for opener in BUILT_IN} | {str(name) for name in own})


def find(configured: object, tool: str) -> Opener:
    """The opener called `tool`, field by field from the setting, else ours.

    Errors: workset_tool_unknown; invalid_opener_config. Source: planning §7.12.
    """
    if configured is not None and not isinstance(configured, Mapping):
        raise _invalid(tool, _NOT_A_MAP)
    ours = next((opener for opener in BUILT_IN if opener.id == tool), None)
    if configured is None or tool not in configured:
        if ours is None:
            known = ", ".join(names(configured))
            raise WorksetToolUnknown(target="workset.tool", tool=tool, tools=known)
        return ours
    return _merged(tool, ours, configured[tool])


def argv(opener: Opener, folders: list[str], workspace: str) -> list[str]:
    """The words that open `folders`, the first of them being where the program starts.

    workspace: the file that lists the folders, for programs that take one. No prompt is ever added.
    """
    words = [opener.command, *opener.args]
    if opener.style is Style.WORKSPACE_FILE:
        return [*words, workspace]
    return words + [word for folder in folders[1:] for word in (opener.attach_flag, folder)]


def _merged(tool: str, ours: Opener | None, row: object) -> Opener:
    if not isinstance(row, Mapping):
        raise _invalid(tool, _NOT_A_MAP)
    for key, value in row.items():
        if key not in _FIELDS:
            raise _invalid(tool, f"unknown key '{key}'; there are: {', '.join(_FIELDS)}")
        if key == "args":
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise _invalid(tool, _BAD_ARGS)
        elif not isinstance(value, str) or not value.strip():
            raise _invalid(tool, f"'{key}' must be text")
    if ours is None and "style" not in row:
        raise _invalid(tool, _NO_STYLE)
    base = ours or Opener(tool, Style.ATTACH_DIRS, tool, tool)
    if row.get("style", base.style.value) not in _STYLES:
        raise _invalid(tool, _NO_STYLE)
    return Opener(
        tool,
        _STYLES[row.get("style", base.style.value)],
        row.get("label", base.label),
        row.get("command", base.command),
        tuple(row.get("args", base.args)),
        row.get("attach_flag", base.attach_flag),
    )


def _invalid(tool: str, problem: object) -> InvalidOpenerConfig:
    return InvalidOpenerConfig(target="openers", tool=tool, problem=problem)
