"""`rasen completion` and the hidden `__complete` that its scripts call."""

from __future__ import annotations

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded

_SHELLS = ("bash", "fish", "powershell", "zsh")
_SHELL = click.argument(
    "shell", required=False, type=click.Choice(_SHELLS, case_sensitive=False), metavar="[SHELL]"
)


@click.command(
    name="generate",
    help=N_(
        "Print the completion script of a shell.\n\n"
        "The shell is bash, fish, powershell or zsh; without it, the one that the environment names."
    ),
)
@_SHELL
@guarded()
def generate(app: App, *, shell: str | None) -> None:
    app.raw(_script(app, shell or _detected(app)))


@click.command(
    name="install",
    help=N_(
        "Install tab completion for a shell.\n\n"
        "Writes the script where the shell looks for it and, where needed, adds marked lines to the "
        "profile. RASEN_NO_AUTO_CONFIG=1 leaves profiles alone."
    ),
)
@_SHELL
@click.option("--verbose", is_flag=True, help=N_("Say what was done to each file"))
@guarded()
def install(app: App, *, shell: str | None, verbose: bool) -> None:
    from rasen.upkeep import shell_completion

    name = shell or _detected(app)
    outcome = shell_completion.install(app.ctx, name, _script(app, name))
    if not outcome.is_changed:
        app.line("Completion for {shell} is already installed.", shell=name)
    else:
        app.line("Installed completion for {shell}.", shell=name)
    if outcome.backup is not None:
        app.line("The former script is kept as {path}", path=outcome.backup)
    if verbose:
        app.line("Script: {path}", path=outcome.script)
    _tell_profiles(app, outcome, verbose=verbose)
    if outcome.is_changed:
        app.line("It works in new shells.")


@click.command(
    name="uninstall",
    help=N_("Remove what completion install added: the script and the marked lines."),
)
@_SHELL
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@guarded()
def uninstall(app: App, *, shell: str | None, yes: bool) -> None:
    from rasen.upkeep import shell_completion

    name = shell or _detected(app)
    if not yes and not app.confirm(
        "Remove completion for {shell}?", default=False, rerun="--yes", shell=name
    ):
        app.line("Nothing was removed.")
        return
    outcome = shell_completion.uninstall(app.ctx, name)
    if outcome.is_foreign:
        app.say("{path} was not written by rasen and stays.", path=outcome.script)
    else:
        app.line("Removed completion for {shell}.", shell=name)
    _tell_profiles(app, outcome, verbose=False)


@click.command(name="__complete", hidden=True)
@click.argument("kind")
@guarded()
def complete(app: App, *, kind: str) -> int:
    from rasen.upkeep import completion_values

    try:
        rows = completion_values.of_kind(app.ctx, kind)
    except Exception:  # noqa: BLE001 - a Tab key must never show a trace, whatever broke
        return EXIT_FAILED
    app.raw("".join(f"{name}\t{text}\n" for name, text in rows))
    return EXIT_OK


def _detected(app: App) -> str:
    from rasen.upkeep import shell_completion

    return shell_completion.detect(app.ctx.env)


def _script(app: App, shell: str) -> str:
    from rasen.surfaces.cli.shells import WRITERS
    from rasen.surfaces.cli.shells.tree import places

    return WRITERS[shell](places(app.translate))


def _tell_profiles(app: App, outcome: object, *, verbose: bool) -> None:
    from rasen.upkeep.shell_completion import Outcome, ProfileState

    assert isinstance(outcome, Outcome)
    for profile in outcome.profiles:
        match profile.state:
            case ProfileState.MALFORMED:
                app.say(
                    "The rasen markers in {path} are damaged; it was left alone.", path=profile.path
                )
                app.say("Add these lines yourself: {lines}", lines="; ".join(profile.lines))
            case ProfileState.SKIPPED:
                app.line(
                    "Add to {path}: {lines}", path=profile.path, lines="; ".join(profile.lines)
                )
            case ProfileState.CHANGED:
                app.line("Changed {path}", path=profile.path)
            case _ if verbose:
                app.line("Nothing to change in {path}", path=profile.path)
