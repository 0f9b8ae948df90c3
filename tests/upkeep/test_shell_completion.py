"""Installing and removing completion: files where shells look, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.world import World

from rasen.upkeep import shell_completion
from rasen.upkeep.shell_completion import ProfileState

SCRIPT = "# rasen completion for tests\n"


def tree(folder: Path) -> dict[str, bytes]:
    """The files below `folder`, by relative name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    ("shell", "script", "profile"),
    [
        ("bash", ".local/share/bash-completion/completions/rasen", ".bashrc"),
        ("zsh", ".zsh/completions/_rasen", ".zshrc"),
        ("fish", ".config/fish/completions/rasen.fish", None),
        (
            "powershell",
            ".config/powershell/rasen-completion.ps1",
            ".config/powershell/Microsoft.PowerShell_profile.ps1",
        ),
    ],
)
def test_install_puts_files_where_the_shell_looks(
    world: World, shell: str, script: str, profile: str | None
) -> None:
    shell_completion.install(world.context(), shell, SCRIPT)

    assert set(tree(world.home)) == {script, *([profile] if profile else [])}
    assert (world.home / script).read_text() == SCRIPT


@pytest.mark.parametrize("shell", shell_completion.SHELLS)
def test_uninstall_after_install_leaves_no_file(world: World, shell: str) -> None:
    (world.home / ".bashrc").write_text("export A=1")
    before = tree(world.home)
    shell_completion.install(world.context(), shell, SCRIPT)

    shell_completion.uninstall(world.context(), shell)

    assert tree(world.home) == before


def test_oh_my_zsh_needs_no_profile(world: World) -> None:
    (world.home / ".oh-my-zsh").mkdir()

    outcome = shell_completion.install(world.context(), "zsh", SCRIPT)

    assert outcome.script == world.home / ".oh-my-zsh/custom/completions/_rasen"
    assert outcome.profiles == ()


def test_a_changed_script_is_kept_beside(world: World) -> None:
    shell_completion.install(world.context(), "fish", "old")

    outcome = shell_completion.install(world.context(), "fish", SCRIPT)

    assert outcome.backup is not None
    assert outcome.backup.name == "rasen.fish.backup-20260131T120000Z"
    assert outcome.backup.read_text() == "old"


def test_installing_the_same_script_again_changes_nothing(world: World) -> None:
    shell_completion.install(world.context(), "bash", SCRIPT)
    before = tree(world.home)

    outcome = shell_completion.install(world.context(), "bash", SCRIPT)

    assert not outcome.is_changed
    assert tree(world.home) == before


def test_profiles_stay_when_automatic_changes_are_off(world: World) -> None:
    world.env["RASEN_NO_AUTO_CONFIG"] = "1"

    outcome = shell_completion.install(world.context(), "bash", SCRIPT)

    assert [profile.state for profile in outcome.profiles] == [ProfileState.SKIPPED]
    assert not (world.home / ".bashrc").exists()


def test_a_profile_with_damaged_markers_is_left_alone(world: World) -> None:
    (world.home / ".bashrc").write_text("# RASEN:START\n")

    outcome = shell_completion.install(world.context(), "bash", SCRIPT)

    assert [profile.state for profile in outcome.profiles] == [ProfileState.MALFORMED]
    assert (world.home / ".bashrc").read_text() == "# RASEN:START\n"


def test_a_linked_profile_is_changed_where_it_really_is(world: World) -> None:
    dotfiles = world.base / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "bashrc").write_text("export A=1\n")
    (world.home / ".bashrc").symlink_to(dotfiles / "bashrc")

    shell_completion.install(world.context(), "bash", SCRIPT)

    assert (world.home / ".bashrc").is_symlink()
    assert "# RASEN:START" in (dotfiles / "bashrc").read_text()


def test_a_script_that_is_not_ours_is_not_removed(world: World) -> None:
    path = world.home / ".config/fish/completions/rasen.fish"
    path.parent.mkdir(parents=True)
    path.write_text("# mine\n")

    outcome = shell_completion.uninstall(world.context(), "fish")

    assert outcome.is_foreign
    assert path.read_text() == "# mine\n"


def test_removing_what_is_not_there_is_refused(world: World) -> None:
    with pytest.raises(shell_completion.NotInstalled):
        shell_completion.uninstall(world.context(), "bash")


@pytest.mark.parametrize(
    ("env", "shell"),
    [
        ({"SHELL": "/usr/bin/zsh"}, "zsh"),
        ({"SHELL": "/bin/bash"}, "bash"),
        ({"SHELL": "/opt/fish"}, "fish"),
        ({"PSModulePath": "x"}, "powershell"),
        ({"SHELL": "/bin/bash", "PSModulePath": "x"}, "bash"),
    ],
)
def test_the_shell_is_read_from_the_environment(env: dict[str, str], shell: str) -> None:
    assert shell_completion.detect(env) == shell


def test_an_unknown_shell_is_refused() -> None:
    with pytest.raises(shell_completion.ShellUnknown):
        shell_completion.detect({"SHELL": "/bin/tcsh"})
