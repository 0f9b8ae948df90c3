"""Saved profiles: keeping, replacing, deleting and applying them, and plain files to hand on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import Busy
from rasen.base.findings import Finding, has_errors
from rasen.base.messages import N_
from rasen.files import atomic, drafts
from rasen.profiles import disk, select
from rasen.profiles.model import (
    BUILT_IN,
    CUSTOM,
    RESERVED,
    Profile,
    ProfileExists,
    ProfileFileInvalid,
    ProfileFormatUnsupported,
    ProfileNameInvalid,
    ProfileNameReserved,
    ProfileNotFound,
    Retention,
)
from rasen.profiles.profile_file import LIMIT_BYTES, parse, render
from rasen.syntax.portable_path import is_profile_name

PLAIN = (".yaml", ".yml", ".json")
LOCK = ".profiles.lock"


class ProfilesBusy(Busy):
    code = "profile_registry_busy"
    text = N_("the profiles are in use: {reason}")
    fix = N_("try again in a moment")


class Saved(NamedTuple):
    """A profile that was saved. notices: what was dropped on the way."""

    name: str
    profile: Profile
    path: Path
    notices: tuple[Finding, ...] = ()


def check_name(name: str) -> None:
    """Pass only for a name that a saved profile may have. Errors: invalid_name, reserved_name."""
    if name in RESERVED:
        raise ProfileNameReserved(name=name)
    if not is_profile_name(name):
        raise ProfileNameInvalid(name=name)


def known(ctx: Context) -> list[str]:
    """The names that can be used: the built-in ones, then the saved ones, sorted."""
    return [*BUILT_IN, *disk.names(ctx)]


def definition(ctx: Context, name: str) -> Profile:
    """The profile of that name, as it was saved. Errors: not_found, invalid_file, file_*."""
    if name in BUILT_IN:
        return select.built_in(name)
    if name not in disk.names(ctx):
        raise ProfileNotFound(name=name, known=", ".join(known(ctx)))
    return disk.load(ctx, name)


def checked(
    profile: Profile, catalogue: select.Catalogue, *, place: str
) -> tuple[Profile, tuple[Finding, ...]]:
    """`profile` as it is kept: closed, ordered, without retired ids; unknown ids are refused.

    Errors: invalid_file. Source: library PR-012, PR-022.
    """
    twice = sorted({one for one in profile.workflows if profile.workflows.count(one) > 1})
    if twice:
        problem = N_("`workflows` names twice: {ids}").format(ids=", ".join(twice))
        raise ProfileFileInvalid(file=place, problem=problem)
    wanted = select.normalised(profile.workflows, catalogue, place=place)
    unknown = [one for one in wanted.notices if has_errors([one], strict=True)]
    if unknown:
        names = ", ".join(str(one.params["workflow"]) for one in unknown)
        problem = N_("it names workflows that are not installed: {ids}").format(ids=names)
        raise ProfileFileInvalid(
            file=place,
            problem=problem,
            fix=N_("install them with `rasen workflow import`, or take them out"),
        )
    return Profile(wanted.workflows, profile.retention), wanted.notices


def save(
    ctx: Context,
    name: str,
    profile: Profile,
    catalogue: select.Catalogue,
    *,
    is_replacing: bool = False,
) -> Saved:
    """Keep `profile` under `name`.

    Errors: invalid_name, reserved_name, invalid_file, already_exists without `is_replacing`,
    profile_registry_busy.
    """
    check_name(name)
    kept, notices = checked(profile, catalogue, place=name)
    path = disk.path_of(ctx, name)
    with locked(ctx):
        drafts.sweep(path)
        before = atomic.read_optional(path)
        if before is not None and not is_replacing:
            raise ProfileExists(what="the profile", name=name)
        expect = atomic.digest_or_absent(before)
        atomic.make_dirs(path.parent)
        atomic.replace_file(path, render(kept).encode(), expect=expect, mode=0o600)
    return Saved(name, kept, path, notices)


def delete(ctx: Context, name: str) -> None:
    """Remove the saved profile `name`. Errors: reserved_name, not_found, profile_registry_busy."""
    check_deletable(ctx, name)
    with locked(ctx):
        check_deletable(ctx, name)
        atomic.remove_file(disk.path_of(ctx, name))


def check_deletable(ctx: Context, name: str) -> None:
    """Pass only for a saved profile. Errors: reserved_name, not_found."""
    if name in RESERVED:
        raise ProfileNameReserved(name=name)
    if name not in disk.names(ctx):
        raise ProfileNotFound(name=name, known=", ".join(known(ctx)))


def use(ctx: Context, name: str, catalogue: select.Catalogue) -> Profile:
    """Make the profile `name` the selection of this machine.

    Errors: not_found, invalid_file; those of writing the settings.
    """
    if name in BUILT_IN:
        _write(ctx, {"profile": name, "workflows": None, "retention": None})
        return select.built_in(name)
    kept, _ = checked(definition(ctx, name), catalogue, place=name)
    apply(ctx, kept)
    return kept


def apply(ctx: Context, profile: Profile) -> None:
    """Make `profile` the selection of this machine; a built-in one is named, not spelled out."""
    name = select.name_of(profile)
    if name in BUILT_IN:
        _write(ctx, {"profile": name, "workflows": None, "retention": None})
        return
    _write(
        ctx,
        {
            "profile": CUSTOM,
            "workflows": list(profile.workflows),
            "retention": profile.retention.value,
        },
    )


def read_plain(path: Path) -> Profile:
    """The profile in a YAML or JSON file. Errors: unsupported_format, invalid_file, file_*."""
    if path.suffix not in PLAIN:
        raise unsupported(path, N_("this is no profile file"))
    return parse(atomic.read_text(path, limit_bytes=LIMIT_BYTES), file=str(path))


def write_plain(path: Path, profile: Profile, *, is_replacing: bool) -> None:
    """Write `profile` as YAML or JSON, by the file's name.

    Errors: unsupported_format, already_exists without `is_replacing`.
    """
    if path.suffix not in PLAIN:
        raise unsupported(path, N_("the name says neither YAML nor JSON"))
    before = atomic.read_optional(path)
    if before is not None and not is_replacing:
        raise ProfileExists(what="the file", name=str(path))
    expect = atomic.digest_or_absent(before)
    atomic.replace_file(path, render(profile, file=path.name).encode(), expect=expect)


def unsupported(
    path: Path, problem: str, endings: Sequence[str] = PLAIN
) -> ProfileFormatUnsupported:
    """The refusal of a file by its name."""
    return ProfileFormatUnsupported(file=str(path), problem=problem, endings=", ".join(endings))


def with_retention(profile: Profile, retention: str | None) -> Profile:
    """`profile` with another mode; None leaves it. Errors: invalid_file."""
    if retention is None:
        return profile
    try:
        return profile._replace(retention=Retention(retention))
    except ValueError:
        raise ProfileFileInvalid(
            file=retention, problem=N_("retention is off, report or codify")
        ) from None


@contextmanager
def locked(ctx: Context) -> Iterator[None]:
    """Hold the saved profiles. Errors: profile_registry_busy. Source: library SP-041."""
    from rasen.files.lock import hold

    atomic.make_dirs(ctx.config_dir)
    with hold(ctx.config_dir / LOCK, busy=ProfilesBusy, tell=ctx.tell):
        yield


def _write(ctx: Context, values: dict[str, object]) -> None:
    from rasen.config import ops as config

    config.set_machine(ctx, values)
