"""Notes of setups under way: keeping one, and settling those of processes that died."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Busy, ToolError
from rasen.base.messages import N_
from rasen.files.atomic import digest, digest_of, make_dirs, read_text, remove_file, replace_file
from rasen.files.batch import recover
from rasen.files.lock import hold
from rasen.files.removal import remove_if_empty, remove_tree
from rasen.git import repo, write
from rasen.stores import disk, setup_file
from rasen.stores.enrol import enrol, path_is_there
from rasen.stores.outcome import registration
from rasen.stores.registry_change import change, journal, settle_batch
from rasen.stores.setup_file import SetupNote


class StoreSetupBusy(Busy):
    code = "store_setup_busy"
    text = N_("a store is being set up in this folder by {holder}")
    fix = N_("try again when it has finished; if no other command runs, remove {lock}")

    def __init__(
        self, *, target: str = "store.root", fix: str | None = None, **params: object
    ) -> None:
        """The lock raises it without naming a target."""
        super().__init__(target=target, fix=fix, **params)


def note_path(ctx: Context, root: Path) -> Path:
    """Where the note of a setup in `root` lies."""
    key = sha256(os.fsencode(root)).hexdigest()[:16]
    return disk.registry_path(ctx).parent / f"setup-{key}.json"


def journal_of(note: Path) -> Path:
    """Where the files of that setup keep their journal."""
    return note.with_suffix(".journal")


@contextmanager
def alone(ctx: Context, root: Path) -> Iterator[Path]:
    """Be the only setup in `root`; the path of its note. Errors: store_setup_busy."""
    note = note_path(ctx, root)
    make_dirs(note.parent)
    with hold(note.with_suffix(".lock"), busy=StoreSetupBusy, tell=ctx.tell):
        _settle(ctx, note)
        yield note


def save(path: Path, note: SetupNote) -> None:
    """Keep a note before anything of it is done."""
    replace_file(path, setup_file.render(note).encode())


def settle(ctx: Context) -> None:
    """Complete or undo every change of stores that a dead process left half done.

    A setup whose commit is made is completed by registering it; any other is undone.
    Errors: busy, recovery_needed, store_setup_note_invalid, and those of writing files.
    """
    folder = disk.registry_path(ctx).parent
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return
    if journal(ctx).name in names:
        settle_batch(ctx)
    for stem in sorted({name.partition(".")[0] for name in names if name.startswith("setup-")}):
        note = folder / f"{stem}.json"
        try:
            with hold(note.with_suffix(".lock"), wait_s=0, busy=StoreSetupBusy):
                _settle(ctx, note)
        except StoreSetupBusy as error:
            if isinstance(error.__cause__, OSError):
                raise


def is_committed(note: SetupNote) -> bool:
    """Whether the files of a setup are in the current commit of its repository."""
    if not note.uses_git or repo.head(note.root) is None:
        return False
    shown = {name: repo.show(note.root, "HEAD", name) for name in note.files}
    return all(
        data is not None and digest(data) == note.files[name] for name, data in shown.items()
    )


def take_back(ctx: Context, path: Path, note: SetupNote) -> None:
    """Take back what a setup made, unless it is committed, and forget its note.

    Errors: recovery_needed, and those of writing files; the note stays for the next command.
    """
    if not is_committed(note):
        recover(journal_of(path), tell=ctx.tell)
        _undo(note)
    remove_file(path)


def _undo(note: SetupNote) -> None:
    """Remove what is still as it was made."""
    git = note.root / ".git"
    if note.uses_git and not note.starts_git and git.exists():
        write.unstage(note.root, list(note.files))
    if note.starts_git and git.exists() and repo.head(note.root) is None:
        remove_tree(git)
    for name, made in note.files.items():
        if digest_of(note.root / name) == made:
            remove_file(note.root / name, expect=made)
    for folder in reversed(note.folders):
        remove_if_empty(folder)


def _settle(ctx: Context, path: Path) -> None:
    """Settle one note, when there is one; its lock is ours."""
    for draft in path.parent.glob(f".{path.name}.*.tmp"):
        remove_file(draft)
    recover(journal_of(path), tell=ctx.tell)
    if not path.exists():
        return
    note = setup_file.parse(read_text(path), file=str(path))
    if is_committed(note) or _is_complete(note):
        _register(ctx, note)
        ctx.note(N_("an interrupted setup of the store at {root} was completed"), root=note.root)
    else:
        _undo(note)
        ctx.note(N_("an interrupted setup of a store at {root} was undone"), root=note.root)
    remove_file(path)


def _is_complete(note: SetupNote) -> bool:
    """Whether a setup without git had made all its files."""
    if note.uses_git or not note.files:
        return False
    return all(digest_of(note.root / name) == made for name, made in note.files.items())


def _register(ctx: Context, note: SetupNote) -> None:
    try:
        metadata = disk.load_metadata(note.root)
        if metadata is None:
            return
        row = registration(note.root, metadata)
        change(ctx, lambda known: enrol(known, row, exists=path_is_there).registry)
    except ToolError as problem:
        ctx.note(
            N_("{root} is complete but not registered: {problem}"), root=note.root, problem=problem
        )
