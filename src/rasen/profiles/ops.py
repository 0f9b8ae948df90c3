"""What can be asked about profiles, and done with them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.profiles import disk, saving, select
from rasen.profiles.model import (
    BUILT_IN,
    CUSTOM,
    PackageThin,
    Profile,
    ProfileFormatUnsupported,
    Selection,
)
from rasen.profiles.saving import Saved, check_name, definition, known
from rasen.roots.model import Root

__all__ = [
    "Offer",
    "PackageThin",
    "Row",
    "Saved",
    "apply",
    "check_name",
    "current",
    "definition",
    "deletable",
    "delete",
    "effective",
    "export_plain",
    "import_plain",
    "known",
    "listing",
    "machine",
    "normalised_ids",
    "offered",
    "package_name",
    "save",
    "use",
    "user_workflows",
    "with_retention",
]


class Row(NamedTuple):
    """One profile of the listing. problem: why it cannot be used; then there is no definition."""

    name: str
    is_built_in: bool
    profile: Profile | None
    problem: ToolError | None = None

    def to_json(self, current: Profile) -> dict[str, object]:
        """`{name, builtIn, definition?, error?, matchesCurrent}`. Source: library §5.2, PR-020."""
        answer: dict[str, object] = {"name": self.name, "builtIn": self.is_built_in}
        if self.profile is not None:
            answer["definition"] = self.profile.to_json()
        if self.problem is not None:
            answer["error"] = str(self.problem)
        return {**answer, "matchesCurrent": self.profile == current}


def effective(ctx: Context, root: Root | None) -> Selection:
    """What counts for `root`; None asks for the machine's selection.

    It never fails for a lock that cannot be resolved: that is a notice. Source: library PR-050.
    """
    layers = _layers(ctx, root)
    return select.select(layers, _catalogue(ctx))


def machine(ctx: Context) -> Selection:
    """What the settings of this machine select."""
    return select.machine_selection(_layers(ctx, None), _catalogue(ctx))


def normalised_ids(ctx: Context, ids: tuple[str, ...], *, place: str) -> select.Wanted:
    """`ids` as a profile keeps them, with a notice for each that was dropped."""
    return select.normalised(ids, _catalogue(ctx), place=place)


def current(ctx: Context) -> Profile:
    """What the settings of this machine select, as a definition."""
    selected = machine(ctx)
    return Profile(_selectable(ctx, selected.workflows), selected.retention)


def listing(ctx: Context) -> list[Row]:
    """The built-in profiles, then the saved ones by name; those that cannot be used too."""
    rows = [Row(name, True, select.built_in(name)) for name in BUILT_IN]
    saved = disk.saved(ctx)
    catalogue = _catalogue(ctx) if saved else select.Catalogue((), ())
    for name, found in saved.items():
        if isinstance(found, ToolError):
            rows.append(Row(name, False, None, found))
            continue
        ids = select.normalised(found.workflows, catalogue, place=name).workflows
        rows.append(Row(name, False, Profile(ids, found.retention)))
    return rows


class Offer(NamedTuple):
    """A workflow that a profile can have. shown: its id without a suffix that only we need.

    text: its title or purpose; ours are templates to translate.
    """

    id: str
    shown: str
    text: str
    is_built_in: bool


def offered(ctx: Context) -> list[Offer]:
    """The workflows to choose from, in catalogue order; those that come later are left out."""
    from rasen.workflows import ops as workflows
    from rasen.workflows.model import Source

    return [
        Offer(
            one.id,
            one.id.removesuffix("-command"),
            one.title or one.purpose,
            one.source is Source.BUILT_IN,
        )
        for one in workflows.catalogue(ctx).definitions
        if one.is_selectable and one.is_available
    ]


def with_retention(profile: Profile, retention: str | None) -> Profile:
    """`profile` with another mode; None leaves it. Errors: invalid_file."""
    return saving.with_retention(profile, retention)


def deletable(ctx: Context, name: str) -> None:
    """Pass only for a saved profile. Errors: reserved_name, not_found."""
    saving.check_deletable(ctx, name)


def save(ctx: Context, name: str, profile: Profile, *, is_replacing: bool = False) -> Saved:
    """Keep `profile` under `name`; the machine's selection stays as it is.

    Errors: invalid_name, reserved_name, invalid_file, already_exists, profile_registry_busy.
    """
    return saving.save(ctx, name, profile, _catalogue(ctx), is_replacing=is_replacing)


def use(ctx: Context, name: str) -> Profile:
    """Make the profile `name` the selection of this machine.

    Errors: not_found, invalid_file; those of writing the settings.
    """
    return saving.use(ctx, name, _catalogue(ctx))


def apply(ctx: Context, profile: Profile) -> Profile:
    """Make `profile` the selection of this machine. Errors: invalid_file; those of writing."""
    kept, _ = saving.checked(profile, _catalogue(ctx), place=CUSTOM)
    saving.apply(ctx, kept)
    return kept


def delete(ctx: Context, name: str) -> None:
    """Remove a saved profile. Errors: reserved_name, not_found, profile_registry_busy."""
    saving.delete(ctx, name)


def import_plain(
    ctx: Context, path: Path, *, name: str | None = None, is_replacing: bool = False
) -> Saved:
    """Save the profile of a YAML or JSON file, under the file's name or `name`.

    Errors: unsupported_format, invalid_file, invalid_name, reserved_name, already_exists, file_*.
    Source: library PR-031, PR-034.
    """
    profile = saving.read_plain(path)
    return save(ctx, name or path.stem, profile, is_replacing=is_replacing)


def export_plain(
    ctx: Context, path: Path, profile: Profile, *, is_thin: bool = False, is_replacing: bool = False
) -> None:
    """Write a profile as YAML or JSON: ids only.

    is_thin: also when it names workflows of the user's own, which the reader then has to have.
    Errors: unsupported_format, already_exists, invalid_file. Source: library PR-040 to PR-042.
    """
    kept, _ = saving.checked(profile, _catalogue(ctx), place=str(path))
    own = user_workflows(ctx, kept)
    if own and not is_thin:
        problem = N_("it has workflows of your own: {ids}").format(ids=", ".join(own))
        raise ProfileFormatUnsupported(
            file=str(path),
            problem=problem,
            endings=".rasenpkg",
            fix=N_("write a {endings} file, which holds them, or ids only with --thin"),
        )
    saving.write_plain(path, kept, is_replacing=is_replacing)


def package_name(name: str | None) -> str:
    """What a package calls the profile `name`; None means the current selection. Source: PR-044."""
    if name is None:
        return "current-profile"
    return f"{name}-profile" if name in BUILT_IN else name


def user_workflows(ctx: Context, profile: Profile) -> list[str]:
    """The ids of `profile` and all they require that are the user's own workflows."""
    from rasen.workflows import ops as workflows
    from rasen.workflows.model import Source

    definitions = workflows.catalogue(ctx).definitions
    closed = set(workflows.closure(definitions, profile.workflows))
    return [one.id for one in definitions if one.id in closed and one.source is Source.USER]


def _selectable(ctx: Context, ids: tuple[str, ...]) -> tuple[str, ...]:
    return select.normalised(ids, _catalogue(ctx), place=CUSTOM).workflows


def _layers(ctx: Context, root: Root | None) -> select.Layers:
    from rasen.config import ops as config

    own = None if root is None else config.project_config(root.workspace_dir, tell=ctx.tell)
    values = config.global_config(ctx).values
    wanted = {one.get("profile") for one in (values, own.values if own else {})}
    saved = disk.saved(ctx, wanted)
    file = str(own.path) if own is not None and own.path is not None else ""
    return select.Layers(values, saved, own.values if own else None, file)


def _catalogue(ctx: Context) -> select.Catalogue:
    from rasen.workflows import ops as workflows

    experts = tuple(one.id for one in workflows.experts())
    return select.Catalogue(workflows.catalogue(ctx).definitions, experts)
