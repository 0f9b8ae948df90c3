"""Locking the library of a project, installing exactly what is locked, and telling what is out of date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import Conflict, InvalidInput, NotFound
from rasen.base.messages import N_
from rasen.files import atomic
from rasen.files.atomic import ABSENT, digest_or_absent
from rasen.files.batch import Batch
from rasen.files.errors import FileMissing
from rasen.packages import install, lock_file, lock_sources
from rasen.packages.contents import Known
from rasen.packages.install import Installed
from rasen.packages.lock_file import PROFILE, WORKFLOW, Entry
from rasen.packages.lock_sources import Sources
from rasen.profiles import disk as profiles
from rasen.profiles import profile_file, saving
from rasen.profiles.model import Profile
from rasen.roots.model import Root
from rasen.workflows import ops as workflows


class LockMissing(NotFound):
    code = "library_lock_missing"
    text = N_("{file} does not exist")
    fix = N_("write it with `rasen lock <source>`")


class LockSourceEmpty(InvalidInput):
    code = "library_lock_source_empty"
    text = N_("{source} holds no workflow and no profile")


class LockNotExact(Conflict):
    """What is locked cannot be had exactly, entry by entry."""

    code = "library_lock_not_exact"
    text = N_("nothing was installed: {problems}")
    fix = N_("bring the sources to what is locked, or lock them anew with `rasen lock`")

    def __init__(self, wrong: Sequence[Standing]) -> None:
        """wrong: the entries that cannot be had; when all of them have one state, the fix is for that."""
        problems = [
            f"{entry.kind} {entry.id}: {one.state.value} ({entry.source})"
            for one in wrong
            for entry in [one.entry]
        ]
        replacing = N_(
            "replace what is installed: `rasen workflow upgrade` for a workflow,"
            " `rasen profile import --force` for a profile"
        )
        checked_out = N_(
            "git changed the line endings: give the folder `-text` in .gitattributes, and check it out anew"
        )
        fixes = {State.INSTALLED_DIFFERS: replacing, State.SOURCE_LINE_ENDINGS: checked_out}
        states = {one.state for one in wrong}
        fix = fixes.get(states.pop()) if len(states) == 1 else None
        super().__init__(problems="; ".join(problems), fix=fix)


class LockEntryUnknown(NotFound):
    code = "library_lock_entry_unknown"
    text = N_("nothing called {id} is locked")
    fix = N_("run `rasen outdated` to see what is")


class State(StrEnum):
    """How an entry stands: lock, source and what is installed compared."""

    CURRENT = "current"
    SOURCE_MISSING = "source-missing"
    SOURCE_CHANGED = "source-changed"
    SOURCE_LINE_ENDINGS = "source-line-endings-only"
    NOT_INSTALLED = "not-installed"
    INSTALLED_DIFFERS = "installed-differs"


class Standing(NamedTuple):
    """One entry with what its source and this machine have. None: they have nothing of it.

    differs_in_line_ends: the source would be what is locked but for its line endings.
    """

    entry: Entry
    in_source: str | None
    installed: str | None
    differs_in_line_ends: bool = False

    @property
    def state(self) -> State:
        """The first difference: of the source, then of what is installed."""
        if self.in_source is None:
            return State.SOURCE_MISSING
        if self.in_source != self.entry.digest:
            ends = self.differs_in_line_ends
            return State.SOURCE_LINE_ENDINGS if ends else State.SOURCE_CHANGED
        if self.installed is None:
            return State.NOT_INSTALLED
        return State.CURRENT if self.installed == self.entry.digest else State.INSTALLED_DIFFERS

    def to_json(self) -> dict[str, object]:
        """`{kind, id, source, locked, inSource, installed, state}`."""
        return {
            "kind": self.entry.kind,
            "id": self.entry.id,
            "source": self.entry.source,
            "locked": self.entry.digest,
            "inSource": self.in_source,
            "installed": self.installed,
            "state": self.state.value,
        }


class _Lock(NamedTuple):
    """The lock as it was read. data: its bytes; None when there was no file."""

    path: Path
    data: bytes | None
    entries: tuple[Entry, ...]

    def by_key(self) -> dict[tuple[str, str], Entry]:
        """The entries by what tells them apart."""
        return {one.key: one for one in self.entries}


class Locked(NamedTuple):
    """The lock after a change. changed: what was added, renewed or dropped."""

    path: Path
    entries: tuple[Entry, ...]
    changed: tuple[Entry, ...]


def lock(ctx: Context, root: Root, sources: Sequence[str], known: Known) -> Locked:
    """Lock everything that `sources` hold; without any, renew what is locked from its sources.

    Renewing adds nothing: what was taken out of the lock stays out. An entry that its source does not
    have any more is dropped; nothing is when a source cannot be read, as a store that is not here.
    sources: packages and folders of workflows, in the project or in a registered store.
    Errors: library_lock_invalid, library_lock_source_outside, library_lock_source_empty;
    library_lock_missing and library_lock_source_unreadable without sources; those of reading packages
    and folders.
    """
    before = _load(root, is_needed=not sources)
    after = before.by_key()
    if sources:
        for given in sources:
            source = lock_sources.portable(ctx, root, ctx.at(given))
            found = lock_sources.read(ctx, lock_sources.place(ctx, root, source), known).digests()
            if not found:
                raise LockSourceEmpty(source=given)
            after |= {key: Entry(*key, value, source) for key, value in found.items()}
    else:
        reader = Sources(ctx, root, known)
        for key, entry in before.by_key().items():
            reader.require(entry)
            current = reader.digest_of(entry)
            if current is None:
                del after[key]
            else:
                after[key] = entry._replace(digest=current)
    return _save(before, after)


def forget(root: Root, ids: Iterable[str]) -> Locked:
    """Take entries out of the lock by their ids. Errors: library_lock_entry_unknown."""
    before = _load(root)
    after = before.by_key()
    for id in ids:
        keys = [key for key in after if key[1] == id]
        if not keys:
            raise LockEntryUnknown(id=id)
        for key in keys:
            del after[key]
    return _save(before, after)


def install_locked(
    ctx: Context, root: Root, known: Known, resolving: workflows.Known | None
) -> Installed:
    """Install what is locked: exactly that, all of it, or nothing.

    Errors: library_lock_missing, library_lock_not_exact with every entry that cannot be had;
    package_unsigned and the like; those of installing workflows.
    """
    entries = _load(root, is_needed=True).entries
    reader = Sources(ctx, root, known)
    standing = _standing(ctx, entries, reader)
    wrong = [one for one in standing if one.state not in (State.CURRENT, State.NOT_INSTALLED)]
    if wrong:
        raise LockNotExact(wrong)
    for source in dict.fromkeys(one.source for one in entries):
        lock_sources.admit(ctx, lock_sources.place(ctx, root, source))
    offers = [reader.of(one.source).offers[one.id] for one in entries if one.kind == WORKFLOW]
    missing = [one.entry for one in standing if one.state is State.NOT_INSTALLED]
    texts = {
        profiles.path_of(ctx, one.id): profile_file.render(
            reader.of(one.source).profiles[one.id]
        ).encode()
        for one in missing
        if one.kind == PROFILE
    }

    def save(batch: Batch) -> None:
        for path, data in texts.items():
            batch.write(path, data, expect=ABSENT, mode=0o600)

    roots = tuple(one.definition.id for one in offers)
    if not texts:
        return install.install(ctx, offers, roots=roots, known=resolving)
    with saving.locked(ctx):
        return install.install(ctx, offers, roots=roots, known=resolving, also=save)


def outdated(ctx: Context, root: Root, known: Known) -> list[Standing]:
    """Every entry with what its source has now and what is installed; nothing is written.

    Errors: library_lock_missing, library_lock_invalid.
    """
    entries = _load(root, is_needed=True).entries
    return _standing(ctx, entries, Sources(ctx, root, known))


def _standing(ctx: Context, entries: Sequence[Entry], reader: Sources) -> list[Standing]:
    there = {one.id: one.digest for one in workflows.catalogue(ctx).definitions if one.digest}
    saved = profiles.saved(ctx)
    found = []
    for entry in entries:
        installed = there.get(entry.id)
        if entry.kind == PROFILE:
            profile = saved.get(entry.id)
            installed = (
                lock_sources.profile_digest(profile) if isinstance(profile, Profile) else None
            )
        ends = reader.differs_in_line_ends(entry)
        found.append(Standing(entry, reader.digest_of(entry), installed, ends))
    return found


def _load(root: Root, *, is_needed: bool = False) -> _Lock:
    """The lock as it is; an empty one where there is none, unless it is needed."""
    path = root.workspace_dir / lock_file.FORMAT
    try:
        text = atomic.read_text(path, limit_bytes=lock_file.LIMIT_BYTES)
    except FileMissing as error:
        if is_needed:
            raise LockMissing(file=str(path)) from error
        return _Lock(path, None, ())
    return _Lock(path, text.encode(), lock_file.parse(text, file=str(path)))


def _save(before: _Lock, after: dict[tuple[str, str], Entry]) -> Locked:
    """Make `after` the lock, unless somebody else changed it meanwhile. Errors: file_changed."""
    text = lock_file.render(after.values()).encode()
    if before.data != text and (before.data is not None or after):
        atomic.make_dirs(before.path.parent)
        atomic.replace_file(before.path, text, expect=digest_or_absent(before.data))
    former = before.by_key()
    changed = tuple(
        after.get(key) or former[key]
        for key in sorted({*former, *after})
        if former.get(key) != after.get(key)
    )
    return Locked(before.path, tuple(sorted(after.values())), changed)
