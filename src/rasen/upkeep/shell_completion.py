"""Puts completion scripts where shells look for them, and takes them away again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound
from rasen.base.messages import N_
from rasen.upkeep import profile_block

SHELLS = ("bash", "fish", "powershell", "zsh")
_MARK = b"# rasen completion for "


class ShellUnknown(InvalidInput):
    """The environment does not say which shell is used."""

    code = "completion_shell_unknown"
    text = N_("cannot tell which shell you use")
    fix = N_("Name it: {shells}")


class NotInstalled(NotFound):
    """There is nothing to remove."""

    code = "completion_not_installed"
    text = N_("completion for {shell} is not installed at {path}")


class ProfileState(Enum):
    """What became of one profile."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    MALFORMED = "malformed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Profile:
    """One profile and what became of it. lines: what our block holds or would hold."""

    path: Path
    state: ProfileState
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Places:
    """Where the files of one shell lie. lines: what a profile needs; no profiles when it needs nothing."""

    script: Path
    profiles: tuple[Path, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What an install or uninstall did.

    is_changed: the script was written or removed. is_foreign: the script there is not ours and was
    left. backup: where the former script is kept.
    """

    shell: str
    script: Path
    is_changed: bool
    profiles: tuple[Profile, ...]
    backup: Path | None = None
    is_foreign: bool = False


def detect(env: Mapping[str, str]) -> str:
    """The shell that the environment names.

    Errors: completion_shell_unknown. Source: planning §10.2.
    """
    name = env.get("SHELL", "").lower()
    for shell in ("zsh", "bash", "fish"):
        if shell in name:
            return shell
    if env.get("PSModulePath"):
        return "powershell"
    raise ShellUnknown(shells=", ".join(SHELLS))


def places(ctx: Context, shell: str) -> Places:
    """Where the script and the profiles of `shell` lie. Source: planning §10.2."""
    match shell:
        case "bash":
            script = ctx.home / ".local/share/bash-completion/completions/rasen"
            line = f'[ -f "{_in_home(ctx, script)}" ] && . "{_in_home(ctx, script)}"'
            return Places(script, (ctx.home / ".bashrc",), (line,))
        case "zsh":
            return _zsh_places(ctx)
        case "fish":
            return Places(ctx.home / ".config/fish/completions/rasen.fish")
        case _:
            return _powershell_places(ctx)


def install(ctx: Context, shell: str, script: str) -> Outcome:
    """Put `script` in place and, where the shell needs it, name it in the profile.

    A changed script is kept beside as `.backup-<time>`; profiles are left alone with
    RASEN_NO_AUTO_CONFIG=1 or malformed markers. Errors: those of writing a file.
    """
    from rasen.files.atomic import digest_or_absent, make_dirs, read_optional, replace_file

    where = places(ctx, shell)
    wanted = script.encode()
    there = read_optional(where.script)
    backup = None
    if there != wanted:
        make_dirs(where.script.parent)
        if there is not None:
            stamp = ctx.clock.now().strftime("%Y%m%dT%H%M%SZ")
            backup = where.script.with_name(f"{where.script.name}.backup-{stamp}")
            replace_file(backup, there)
        replace_file(where.script, wanted, expect=digest_or_absent(there))
    skip = ctx.env.get("RASEN_NO_AUTO_CONFIG") == "1"
    profiles = tuple(_add_to(path, where.lines, skip=skip) for path in where.profiles)
    return Outcome(shell, where.script, there != wanted, profiles, backup)


def uninstall(ctx: Context, shell: str) -> Outcome:
    """Remove the script and the marked lines; everything else stays byte for byte.

    Errors: completion_not_installed.
    """
    from rasen.files.atomic import digest, read_optional, remove_file

    where = places(ctx, shell)
    there = read_optional(where.script)
    is_ours = there is not None and _MARK in there[:200]
    profiles = tuple(_remove_from(path, where.lines) for path in where.profiles)
    if there is not None and is_ours:
        remove_file(where.script, expect=digest(there))
    elif there is None and all(item.state is ProfileState.UNCHANGED for item in profiles):
        raise NotInstalled(shell=shell, path=where.script)
    return Outcome(
        shell, where.script, is_ours, profiles, is_foreign=there is not None and not is_ours
    )


def _zsh_places(ctx: Context) -> Places:
    oh_my_zsh = Path(ctx.env.get("ZSH") or ctx.home / ".oh-my-zsh")
    if oh_my_zsh.is_dir():
        return Places(oh_my_zsh / "custom/completions/_rasen")
    folder = ctx.home / ".zsh/completions"
    lines = (f'fpath=("{_in_home(ctx, folder)}" $fpath)', "autoload -Uz compinit && compinit")
    return Places(folder / "_rasen", (ctx.home / ".zshrc",), lines)


def _powershell_places(ctx: Context) -> Places:
    said = ctx.env.get("PROFILE")
    name = "Microsoft.PowerShell_profile.ps1"
    if said:
        profiles = [Path(said)]
    elif ctx.env.get("OS") == "Windows_NT":
        folders = ("PowerShell", "WindowsPowerShell")
        profiles = [ctx.home / "Documents" / folder / name for folder in folders]
    else:
        profiles = [ctx.home / ".config/powershell" / name]
    script = profiles[0].with_name("rasen-completion.ps1")
    path = str(script).replace("'", "''")
    return Places(script, tuple(profiles), (f"if (Test-Path '{path}') {{ . '{path}' }}",))


def _in_home(ctx: Context, path: Path) -> str:
    """`path` as a shell writes it, so that the profile can move between machines."""
    return "$HOME/" + path.relative_to(ctx.home).as_posix()


def _add_to(path: Path, lines: tuple[str, ...], *, skip: bool) -> Profile:
    from rasen.files.atomic import digest_or_absent, make_dirs, read_optional, replace_file

    if skip:
        return Profile(path, ProfileState.SKIPPED, lines)
    path = path.resolve()  # people keep profiles elsewhere and link them
    there = read_optional(path)
    try:
        wanted = profile_block.added(there, list(lines))
    except ValueError:
        return Profile(path, ProfileState.MALFORMED, lines)
    if wanted == there:
        return Profile(path, ProfileState.UNCHANGED, lines)
    make_dirs(path.parent)
    replace_file(path, wanted, expect=digest_or_absent(there))
    return Profile(path, ProfileState.CHANGED, lines)


def _remove_from(path: Path, lines: tuple[str, ...]) -> Profile:
    from rasen.files.atomic import digest, read_optional, remove_file, replace_file

    path = path.resolve()
    there = read_optional(path)
    if there is None:
        return Profile(path, ProfileState.UNCHANGED, lines)
    try:
        wanted = profile_block.removed(there)
    except ValueError:
        return Profile(path, ProfileState.MALFORMED, lines)
    if wanted == there:
        return Profile(path, ProfileState.UNCHANGED, lines)
    if wanted is None:
        remove_file(path, expect=digest(there))
    else:
        replace_file(path, wanted, expect=digest(there))
    return Profile(path, ProfileState.CHANGED, lines)
