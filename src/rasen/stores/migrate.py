"""Turning older traces of membership into records: adoptions and references of a store."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import External, ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.files.atomic import digest, read_optional, remove_file
from rasen.files.paths import canonical
from rasen.stores import adoptions_file, checkouts, membership, ops, project, records
from rasen.stores.adoptions_file import Adopted
from rasen.stores.commits import Commit, suggest
from rasen.stores.membership import Site
from rasen.stores.membership_file import Adoption, Membership, Roles, is_recordable
from rasen.stores.model import PROJECT, Checkout
from rasen.stores.setup_recovery import settle

ADOPTION, REFERENCE = "legacy-adoption", "legacy-reference"

UNRESOLVED = Rule(
    "store_legacy_reference_unresolved",
    Level.WARNING,
    N_("'{alias}' cannot be matched with the identity of a project here ({source})"),
    N_(
        "register its checkout with 'rasen store add-project <path> --to {store} --as {alias}',"
        " or run this on a machine that has it"
    ),
)


class VerifyFailed(External):
    code = "migrate_membership_verify_failed"
    text = N_("the records do not read back as they were written, so {file} was kept: {problem}")
    fix = N_("look at the records and the disk they are on, then run the command again")


class Converted(NamedTuple):
    """One record to write. source: ADOPTION or REFERENCE; the stronger one when both name it."""

    path: Path
    source: str
    known: Membership | None
    wanted: Membership


class Unresolved(NamedTuple):
    """A trace that leads to no identity here."""

    alias: str
    source: str


@dataclass(frozen=True)
class Plan:
    """What is going to be written. manifest: the older list; None when there is none."""

    store: Checkout
    site: Site
    converted: tuple[Converted, ...]
    unresolved: tuple[Unresolved, ...]
    manifest: bytes | None

    @property
    def manifest_path(self) -> Path:
        return self.store.path / adoptions_file.PLACE

    @property
    def may_remove_manifest(self) -> bool:
        """Whether nothing is told by the older list alone any more."""
        lost = any(item.source == ADOPTION for item in self.unresolved)
        return self.manifest is not None and not lost


@dataclass(frozen=True)
class Outcome:
    """What the migration did, or would do."""

    plan: Plan
    is_applied: bool = False
    writes: tuple[Path, ...] = ()
    is_manifest_removed: bool = False
    commits: tuple[Commit, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A warning for each trace that leads nowhere here."""
        return tuple(
            Finding(
                UNRESOLVED,
                "store.membership",
                {"alias": item.alias, "source": item.source, "store": self.plan.store.id},
            )
            for item in self.plan.unresolved
        )

    def to_json(self) -> dict[str, object]:
        """The members beside `status`. Source: planning §7.4."""
        store: dict[str, object] = {"id": self.plan.store.id, "root": str(self.plan.store.path)}
        if self.plan.store.uid is not None:
            store["uid"] = self.plan.store.uid
        has_manifest = self.plan.manifest is not None
        return {
            "store": store,
            "applied": self.is_applied,
            "converted": [_shown(item) for item in self.plan.converted],
            "unresolved": [item._asdict() for item in self.plan.unresolved],
            "store_writes": [str(path) for path in self.writes],
            "legacy_manifest_removed": self.is_manifest_removed,
            "legacy_manifest_path": str(self.plan.manifest_path) if has_manifest else None,
            "suggested_commits": [commit.to_json() for commit in self.commits],
        }


def migrate(ctx: Context, store_name: str, *, is_applied: bool) -> Outcome:
    """Show, or with `is_applied` write, a record for each project that older data names.

    The older list goes only after every record was read back, and only when no row of it would be
    lost. Errors: those of `stores.ops.resolve`; store_adoptions_invalid,
    invalid_store_project_record, membership_base_commit_moved, migrate_membership_verify_failed.
    Source: planning §7.4.
    """
    settle(ctx)
    planned = plan(ctx, ops.resolve(ctx, store_name))
    return apply(ctx, planned) if is_applied else Outcome(planned)


def plan(ctx: Context, store: Checkout) -> Plan:
    """Match older data with identities; nothing is written. Errors: as for `migrate`."""
    project.settle(ctx, store.path / store.workspace)
    path = store.path / adoptions_file.PLACE
    manifest = read_optional(path)
    rows: tuple[Adopted, ...] = ()
    if manifest is not None:
        rows = adoptions_file.parse(manifest.decode("utf-8", "replace"), file=str(path))
    found = _Found(ctx, store)
    for row in rows:
        found.adopted(row)
    for alias in _referenced(store):
        found.referenced(alias)
    return Plan(store, Site.of(store.path), found.converted(), tuple(found.unresolved), manifest)


def apply(ctx: Context, planned: Plan) -> Outcome:
    """Write what was planned. Errors: as for `migrate`."""
    with membership.writing(ctx):
        membership.check_bases((planned.site,))
        writes = [
            item.path
            for item in planned.converted
            if membership.write_record(
                item.path, item.wanted, known=item.known, journal=planned.store.journal
            )
        ]
        _verify(planned)
        if planned.may_remove_manifest and planned.manifest is not None:
            remove_file(planned.manifest_path, expect=digest(planned.manifest))
    is_removed = planned.may_remove_manifest
    touched = [item.path for item in planned.converted]
    commits = suggest(
        planned.store.path,
        [*touched, planned.manifest_path],
        purpose="Record the members of this store",
    )
    return Outcome(planned, True, tuple(writes), is_removed, commits)


class _Found:
    """The identities and roles that older data leads to, gathered row by row."""

    def __init__(self, ctx: Context, store: Checkout) -> None:
        self._ctx, self._store = ctx, store
        self._known = records.members(store.path)
        self._wanted: dict[str, tuple[str, Membership]] = {}
        self.unresolved: list[Unresolved] = []

    def adopted(self, row: Adopted) -> None:
        """A row of the older list: the project plans in the store."""
        place = Path(row.source_path) if row.source_path else None
        identity = row.project_id or self._identity_at(place) or self._identity_of(row.alias)
        if identity is None or not is_recordable(identity):
            name = row.alias or row.project_id or "?"
            self.unresolved.append(Unresolved(name, ADOPTION))
            return
        adoption = None
        if row.timestamp is not None:
            adoption = Adoption(row.specs, row.changes, row.timestamp)
        self._add(
            ADOPTION, Membership(identity, Roles(planning=True), row.alias, adoption=adoption)
        )

    def referenced(self, alias: str) -> None:
        """A reference to a project: its knowledge is shared with the store."""
        identity = self._identity_of(alias)
        if identity is None or not is_recordable(identity):
            self.unresolved.append(Unresolved(alias, REFERENCE))
            return
        self._add(REFERENCE, Membership(identity, Roles(knowledge=True), alias))

    def converted(self) -> tuple[Converted, ...]:
        """The records that are missing or lack something, by identity."""
        known = {member.project_id: member for member in self._known}
        rows = []
        for identity in sorted(self._wanted):
            source, wanted = self._wanted[identity]
            former = known.get(identity)
            after = membership.joined(former, wanted)
            if after != former:
                path = records.record_path(self._store.path, identity)
                rows.append(Converted(path, source, former, after))
        return tuple(rows)

    def _add(self, source: str, wanted: Membership) -> None:
        former_source, former = self._wanted.get(wanted.project_id, (source, None))
        merged = membership.joined(former, wanted)
        self._wanted[wanted.project_id] = (former_source, merged)

    def _identity_at(self, place: Path | None) -> str | None:
        if place is None or not place.is_dir():
            return None
        return project.identity_of(canonical(place))

    def _identity_of(self, alias: str | None) -> str | None:
        """The identity behind a name: of the checkout registered so, else of a record that has it."""
        if alias is None:
            return None
        place = checkouts.named(self._ctx, alias)
        found = None if place is None else project.identity_of(place)
        if found is not None:
            return found
        named = [member.project_id for member in self._known if member.id == alias]
        return named[0] if len(named) == 1 else None


def _referenced(store: Checkout) -> list[str]:
    settings = config.project_config(store.path / store.workspace, tell=lambda _: None)
    if settings is None:
        return []
    return [item.id for item in settings.references if item.type == PROJECT]


def _verify(planned: Plan) -> None:
    """Read every record again. Errors: migrate_membership_verify_failed."""
    for item in planned.converted:
        try:
            membership.verify_record(item.path, item.wanted)
        except ToolError as error:
            raise VerifyFailed(
                target="store.membership", file=planned.manifest_path, problem=error
            ) from error


def _shown(item: Converted) -> dict[str, object]:
    return {
        "project_id": item.wanted.project_id,
        "alias": item.wanted.id,
        "source": item.source,
        "roles": item.wanted.roles.to_json(),
        "record_path": str(item.path),
    }
