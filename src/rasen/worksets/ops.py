"""Creating, listing, opening and removing worksets; their folders are never touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rasen.base.context import Context
from rasen.base.messages import N_, Phrase
from rasen.files.atomic import make_dirs
from rasen.files.lock import hold
from rasen.files.paths import canonical
from rasen.stores.model import is_id
from rasen.worksets import disk, openers
from rasen.worksets.model import (
    InvalidWorksetName,
    Launch,
    Member,
    Opener,
    Style,
    Workset,
    WorksetCliOpenerDisabled,
    WorksetExists,
    WorksetFileBusy,
    WorksetLaunchFailed,
    WorksetMemberInvalid,
    WorksetMembersRequired,
    WorksetNameRequired,
    WorksetNoMembersAvailable,
    WorksetNotFound,
    WorksetToolRequired,
    WorksetToolUnavailable,
)

SWITCH = "RASEN_ENABLE_CLI_AGENT_OPENERS"

_NO_FOLDER = Phrase(N_("there is no such folder"))
_NO_LABEL = Phrase(N_("its name has to be plain text without '/', '\\' or '='"))
_SAME_LABEL = Phrase(N_("another folder of the workset has this name; give it one: <name>=<path>"))
_SAME_PATH = Phrase(N_("the folder is in the workset already"))
_SKIPPED = N_("{name} is left out: {path} is not there")


def create(
    ctx: Context, name: str | None, members: Sequence[str], *, tool: str | None = None
) -> Workset:
    """Remember a new workset. members: `<path>` or `<name>=<path>`, the first being the primary.

    Errors: workset_name_required, invalid_workset_name, workset_members_required,
    workset_member_invalid, workset_tool_unknown, invalid_opener_config, workset_exists,
    invalid_workset_file, workset_file_busy. Source: planning §7.12.
    """
    check_name(name)
    assert name is not None
    if not members:
        raise WorksetMembersRequired(target="workset.members", name=name)
    found: list[Member] = []
    for said in members:
        found.append(_member(ctx, said, found))
    if tool is not None:
        openers.find(_configured(ctx), tool)
    made = Workset(name, tuple(found), tool)
    with _writing(ctx):
        known = disk.load(ctx)
        if name in known:
            raise WorksetExists(target="workset.name", name=name)
        disk.save(ctx, {**known, name: made})
    return made


def check_name(name: str | None) -> None:
    """Pass when a new workset may have this name. Errors: workset_name_required, invalid_workset_name."""
    if not name:
        raise WorksetNameRequired(target="workset.name")
    if not is_id(name):
        raise InvalidWorksetName(target="workset.name", name=name)


def listing(ctx: Context) -> list[Workset]:
    """All worksets by name. Errors: invalid_workset_file."""
    return [row for _, row in sorted(disk.load(ctx).items())]


def find(ctx: Context, name: str) -> Workset:
    """The workset of that name. Errors: workset_not_found, invalid_workset_file."""
    known = disk.load(ctx)
    if name not in known:
        raise WorksetNotFound(target="workset.name", name=name)
    return known[name]


def tools(ctx: Context) -> list[str]:
    """The ids of the programs that can open worksets here."""
    return openers.names(_configured(ctx))


def prepare(ctx: Context, name: str, *, tool: str | None = None) -> Launch:
    """Everything that opening a workset takes; folders that are gone are told and left out.

    tool: None means the one the workset names. A workspace file is made anew, for programs that
    take one. Errors: workset_not_found, workset_tool_required, workset_tool_unknown,
    invalid_opener_config, workset_cli_opener_disabled, workset_no_members_available,
    workset_tool_unavailable, invalid_workset_file. Source: planning §7.12.
    """
    import shutil

    workset = find(ctx, name)
    opener = _opener(ctx, workset, tool)
    members = _available(ctx, workset)
    program = shutil.which(opener.command, path=ctx.env.get("PATH"))
    if program is None:
        raise WorksetToolUnavailable(
            target="workset.tool", label=opener.label, command=opener.command
        )
    file = ""
    if opener.style is Style.WORKSPACE_FILE:
        file = str(disk.write_workspace(ctx, name, members))
    words = openers.argv(opener, [one.path for one in members], file)
    return Launch(opener, (program, *words[1:]), members)


def launch(ctx: Context, ready: Launch) -> int:
    """Start the program in the primary folder, wait for it, and say the exit code to end with.

    No shell is involved. 128+N when signal N ended it. Errors: workset_launch_failed.
    """
    from rasen.process.command import ProgramMissing
    from rasen.process.foreground import run_in_foreground

    try:
        return run_in_foreground(ready.argv, Path(ready.members[0].path), env=dict(ctx.env))
    except ProgramMissing as error:
        raise WorksetLaunchFailed(
            target="workset.tool",
            label=ready.opener.label,
            reason=error.params["reason"],
            folders=", ".join(one.path for one in ready.members),
        ) from error


def remove(ctx: Context, name: str) -> None:
    """Forget a workset and the workspace file made for it.

    Errors: workset_not_found, invalid_workset_file, workset_file_busy.
    """
    find(ctx, name)
    with _writing(ctx):
        known = disk.load(ctx)
        if name not in known:
            raise WorksetNotFound(target="workset.name", name=name)
        del known[name]
        disk.save(ctx, known)
        disk.remove_workspace(ctx, name)


@contextmanager
def _writing(ctx: Context) -> Iterator[None]:
    make_dirs(disk.folder(ctx))
    with hold(disk.lock_path(ctx), busy=WorksetFileBusy, tell=ctx.tell):
        yield


def _member(ctx: Context, said: str, others: Sequence[Member]) -> Member:
    label, path = _parts(ctx, said)
    problem = None
    if not path.is_dir():
        problem = _NO_FOLDER
    elif not _is_label(label):
        problem = _NO_LABEL
    elif any(str(path) == one.path for one in others):
        problem = _SAME_PATH
    elif any(label == one.name for one in others):
        problem = _SAME_LABEL
    if problem is not None:
        raise WorksetMemberInvalid(target="workset.members", member=said, problem=problem)
    return Member(label, str(path))


def _parts(ctx: Context, said: str) -> tuple[str, Path]:
    """Label and canonical path; a folder of exactly that name is never taken for the other form."""
    label, sign, rest = said.partition("=")
    whole = ctx.cwd / said
    if sign and not whole.is_dir() and not any(mark in label for mark in "/\\"):
        return label.strip(), canonical(ctx.cwd / rest) if rest.strip() else whole
    path = canonical(whole)
    return path.name, path


def _is_label(label: str) -> bool:
    return bool(label.strip()) and label.isprintable() and not any(mark in label for mark in "/\\=")


def _configured(ctx: Context) -> object:
    from rasen.config.ops import global_config

    return global_config(ctx).values.get("openers")


def _opener(ctx: Context, workset: Workset, tool: str | None) -> Opener:
    wanted = tool or workset.tool
    configured = _configured(ctx)
    if wanted is None:
        names = ", ".join(openers.names(configured))
        raise WorksetToolRequired(target="workset.tool", name=workset.name, tools=names)
    opener = openers.find(configured, wanted)
    is_off = ctx.env.get(SWITCH, "").strip() in ("0", "false")
    if is_off and opener.style is Style.ATTACH_DIRS:
        raise WorksetCliOpenerDisabled(
            target="workset.tool", label=opener.label, variable=f"{SWITCH}={ctx.env[SWITCH]}"
        )
    return opener


def _available(ctx: Context, workset: Workset) -> tuple[Member, ...]:
    there = tuple(one for one in workset.members if Path(one.path).is_dir())
    if not there:
        raise WorksetNoMembersAvailable(target="workset.members", name=workset.name)
    for one in workset.members:
        if one not in there:
            ctx.note(_SKIPPED, name=one.name, path=one.path)
    return there
