"""What the sources of a library lock hold, and where they lie on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, ToolError
from rasen.base.messages import N_
from rasen.files.atomic import digest
from rasen.files.paths import canonical, inside
from rasen.packages import disk, importing, install, policy
from rasen.packages.contents import Known
from rasen.packages.decode import decode
from rasen.packages.install import Offer
from rasen.packages.lock_file import PROFILE, STORE, WORKFLOW, Entry
from rasen.profiles.model import Profile
from rasen.roots.model import Root
from rasen.syntax import canonical as jcs
from rasen.workflows.digest import file_digest, workflow_digest


class LockSourceOutside(InvalidInput):
    code = "library_lock_source_outside"
    text = N_("{source} lies neither in this project nor in a registered store with an identity")
    fix = N_("copy it into the project, or into a store")


class LockSourceUnreadable(InvalidInput):
    code = "library_lock_source_unreadable"
    text = N_("nothing was locked: {source} cannot be read: {problem}")
    fix = N_("bring it back, or take what comes from it out: `rasen lock --remove {id}`")


@dataclass(frozen=True)
class Contents:
    """What a source holds."""

    offers: dict[str, Offer]
    profiles: dict[str, Profile]

    def digests(self) -> dict[tuple[str, str], str]:
        """The digest of each, by kind and id."""
        found = {(WORKFLOW, id): offer.definition.digest or "" for id, offer in self.offers.items()}
        return found | {(PROFILE, name): profile_digest(one) for name, one in self.profiles.items()}


def profile_digest(profile: Profile) -> str:
    """`sha256:…` over the canonical JSON of a profile's definition of version 2."""
    return digest(jcs.encode(profile.to_json()))


class Sources:
    """The sources of one lock, each read once; one that cannot be read holds nothing."""

    def __init__(self, ctx: Context, root: Root, known: Known) -> None:
        self.ctx, self.root, self.known = ctx, root, known
        self._read: dict[str, Contents] = {}
        self._problems: dict[str, ToolError] = {}

    def of(self, source: str) -> Contents:
        """What `source` holds."""
        problem = self.problem(source)
        if problem is None:
            return self._read[source]
        self.ctx.note(N_("{source} cannot be read: {problem}"), source=source, problem=problem)
        return Contents({}, {})

    def problem(self, source: str) -> ToolError | None:
        """Why `source` cannot be read; None when it can."""
        if source not in self._read and source not in self._problems:
            try:
                lies = place(self.ctx, self.root, source)
                self._read[source] = read(self.ctx, lies, self.known)
            except ToolError as problem:
                self._problems[source] = problem
        return self._problems.get(source)

    def require(self, entry: Entry) -> None:
        """Pass only when the source of `entry` can be read. Errors: library_lock_source_unreadable."""
        problem = self.problem(entry.source)
        if problem is not None:
            raise LockSourceUnreadable(source=entry.source, problem=problem, id=entry.id)

    def digest_of(self, entry: Entry) -> str | None:
        """The digest that the source has now; None when it has nothing of it."""
        return self.of(entry.source).digests().get(entry.key)

    def differs_in_line_ends(self, entry: Entry) -> bool:
        """True when the source has what is locked, but with the line endings of another system.

        Digests are exact; this only tells a checkout from a change. Source: case D20.
        """
        offer = self.of(entry.source).offers.get(entry.id) if entry.kind == WORKFLOW else None
        if offer is None or offer.definition.digest == entry.digest:
            return False
        plain = {path: data.replace(b"\r\n", b"\n") for path, data in offer.files.items()}
        windows = {path: data.replace(b"\n", b"\r\n") for path, data in plain.items()}
        return any(
            workflow_digest(entry.id, ((path, file_digest(data)) for path, data in files.items()))
            == entry.digest
            for files in (plain, windows)
        )


def read(ctx: Context, path: Path, known: Known) -> Contents:
    """What a package file, or the folder of a workflow, holds."""
    if path.is_dir():
        offer = importing.from_folder(path)
        return Contents({offer.definition.id: offer}, {})
    package = decode(disk.read(path), known, file=str(path))
    offers = {one.id: install.offer(one.id, one.contents()) for one in package.workflows}
    held: dict[str, Profile] = {}
    if package.profile is not None and package.name is not None:
        kept, _ = importing.profile_of(ctx, package, list(offers.values()), file=str(path))
        held[package.name] = kept
    return Contents(offers, held)


def admit(ctx: Context, path: Path) -> None:
    """Pass for what the policy of this machine takes. Errors: package_unsigned and the like."""
    if path.is_file():
        policy.admit(ctx, path, disk.read(path))


def portable(ctx: Context, root: Root, path: Path) -> str:
    """`path` as every machine understands it. Errors: library_lock_source_outside."""
    real = canonical(path)
    if real.is_relative_to(root.path):
        return real.relative_to(root.path).as_posix()
    from rasen.stores import ops as stores
    from rasen.stores.model import STORE as NAMESPACE

    for row in stores.registry(ctx).of(NAMESPACE):
        store = canonical(Path(row.path))
        if row.uid is not None and real.is_relative_to(store):
            return f"{STORE}{row.uid}/{real.relative_to(store).as_posix()}"
    raise LockSourceOutside(source=str(path))


def place(ctx: Context, root: Root, source: str) -> Path:
    """Where a source lies on this machine. Errors: those of resolving a store, path_traversal."""
    if not source.startswith(STORE):
        return inside(root.path, source)
    from rasen.stores import ops as stores

    uid, _, path = source.removeprefix(STORE).partition("/")
    return inside(stores.resolve(ctx, uid).path, path)
