"""Many files as one transaction, and the recovery of one that was interrupted."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from rasen.base.context import Note
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.files import atomic, fsio, journal_file, plan, settle
from rasen.files.errors import JournalBusy, RecoveryNeeded, from_os
from rasen.files.journal_file import Journal, JournalInvalid, Layout, Step
from rasen.files.lock import hold
from rasen.files.paths import resolve_link
from rasen.files.perform import perform
from rasen.files.staging import TreeFile, stage_tree
from rasen.files.tree import tree_digest


class Batch:
    """Changes to many files that all happen or none.

    Killed at any moment, it leaves a journal from which `recover` completes or undoes it.
    Source: planning §6.7; product.md, "interrupted writers".
    """

    def __init__(
        self, journal: Path, *, purpose: str, tell: Callable[[Note], None] | None = None
    ) -> None:
        """journal: the folder `.journal` of the workspace, present only while a batch runs.

        purpose: what is done, in a few English words, for whoever finds it interrupted.
        tell: hears whom we wait for, and of an interrupted batch that was settled first.
        """
        self._folder = _absolute(journal)
        self._purpose = purpose
        self._tell = tell
        self._steps: list[Step] = []
        self._contents: dict[str, bytes] = {}  # by digest
        self._modes: dict[Path, int] = {}
        self._trees: dict[Path, Mapping[str, TreeFile]] = {}
        self._laid: dict[Path, Path] = {}

    def write(self, path: Path, data: bytes, *, expect: str, mode: int | None = None) -> None:
        """Make `path` hold `data`; its permission bits stay. Missing parent folders are made.

        expect: the digest last read, or ABSENT; compared again right before the change.
        mode: the permission bits of a new file; None takes the usual ones.
        Errors: path_traversal for a link that leads out of its folder.
        """
        real = resolve_link(_absolute(path))
        new = atomic.digest(data)
        self._contents[new] = data
        if mode is not None:
            self._modes[real] = mode
        self._steps.append(Step("write", real, old=expect, new=new))

    def new_tree(self, path: Path, files: Mapping[str, TreeFile]) -> None:
        """Make the folder `path`, which must be free, with these files; parents are made.

        files: by their path below it, with `/`. Hundreds of files cost about what writing them
        plainly costs, since they are made aside and take their place in one rename. No other step
        may concern anything inside.
        """
        real = _absolute(path)
        self._trees[real] = files
        self._steps.append(Step("new_tree", real))

    def place_tree(self, path: Path, laid: Path) -> None:
        """Make the folder `laid` the folder `path`, which must be free; parents are made.

        laid: on the disk already, on the journal's file system. It is given away: when nothing comes
        of the batch, it is gone. No other step may concern anything inside.
        """
        real = _absolute(path)
        self._laid[real] = _absolute(laid)
        self._steps.append(Step("new_tree", real))

    def remove(self, path: Path, *, expect: str) -> None:
        """Make sure no file is at `path`; `expect` as in `write`."""
        self._steps.append(Step("remove", _absolute(path), old=expect))

    def make_dir(self, path: Path) -> None:
        """Make sure `path` is a folder, with its parents."""
        self._steps.append(Step("make_dir", _absolute(path)))

    def remove_empty_dir(self, path: Path) -> None:
        """Remove the folder `path` if it is empty by then."""
        self._steps.append(Step("remove_dir", _absolute(path)))

    def move(self, source: Path, target: Path) -> None:
        """Move a file, a folder or a link; `target` must be free, its missing parents are made.

        Between file systems it is copied, compared, and only then removed.
        """
        self._steps.append(Step("move", _absolute(target), source=_absolute(source)))

    def remove_tree(self, path: Path) -> None:
        """Make sure nothing is at `path`, whatever it holds; links in it are not followed."""
        self._steps.append(Step("remove_tree", _absolute(path)))

    def commit(self) -> None:
        """Do all steps in their order; on any error everything is as before, and the error raised.

        Errors: those of the steps (file_changed, file_missing, target_exists, special_file,
        not_a_file, file_not_writable, disk_full); busy; recovery_needed when someone changed files
        while we undid, or the disk did not let us.
        """
        if not self._steps:
            return
        with _denial_translated(self._folder), _locked(self._folder, tell=self._tell, create=True):
            _settle_former(self._folder, self._tell)
            steps = plan.complete(self._steps)
            plan.check(steps)
            self._run(Journal(os.urandom(4).hex(), self._purpose, steps))

    def _run(self, journal: Journal) -> None:
        try:
            with _translating(self._folder):
                journal = self._stage(journal)
                journal_file.save(self._folder, journal)
            layout = Layout(self._folder, journal)
            for number, step in enumerate(journal.steps):
                with _translating(step.path):
                    perform(layout, number)
            with _translating(self._folder):
                journal_file.save(self._folder, replace(journal, is_committed=True))
        except BaseException as error:
            is_committed = _undone(self._folder, error)
            if not is_committed or not isinstance(error, ToolError):
                raise
        else:
            _finished(self._folder)

    def _stage(self, journal: Journal) -> Journal:
        """Lay everything new into the journal's folder; the journal with the digests of trees."""
        layout, steps = Layout(self._folder, journal), list(journal.steps)
        for number, step in enumerate(journal.steps):
            if step.kind == "write" and step.old != step.new:
                mode = self._modes.get(step.path)
                atomic.write_new(layout.staged(number), self._contents[step.new], mode=mode)
            elif step.kind == "new_tree":
                digest = self._stage_tree(step.path, layout.staged(number))
                steps[number] = replace(step, new=digest)
        if self._trees:
            fsio.sync_everything()
        fsio.fsync_dir(self._folder)
        return replace(journal, steps=tuple(steps))

    def _stage_tree(self, path: Path, staged: Path) -> str:
        if path not in self._laid:
            return stage_tree(staged, self._trees[path])
        fsio.rename(self._laid[path], staged)
        return tree_digest(staged)


def recover(journal: Path, *, tell: Callable[[Note], None]) -> list[str]:
    """Complete or undo what a dead writer left; the purposes of what was settled, usually none.

    Without a journal folder this is one look at the disk. A live writer is waited for.
    Errors: busy after 5 s; recovery_needed when the folder cannot be written, when its journal is
    not ours, or (once) when files were left alone because someone changed them since.
    """
    folder = _absolute(journal)
    try:
        is_folder = stat.S_ISDIR(folder.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return []
    if not is_folder:
        raise _needed(folder, N_("it is not a folder"), [])
    try:
        with _locked(folder, tell=tell, create=False):
            outcome = _settle_former(folder, tell)
    except FileNotFoundError:  # the writer finished while we looked
        return []
    except JournalBusy as error:
        if not isinstance(error.__cause__, OSError):
            raise
        if not (folder / journal_file.NAME).exists():  # nothing had begun: nothing to recover
            return []
        raise _needed(folder, str(error.__cause__.strerror), []) from error
    return [] if outcome is None else [outcome.purpose]


def _settle_former(folder: Path, tell: Callable[[Note], None] | None) -> settle.Outcome | None:
    """Settle what a dead writer left, and say so. Errors: recovery_needed."""
    try:
        outcome = settle.settle(folder)
    except JournalInvalid as error:
        raise _needed(folder, str(error), []) from error
    except (OSError, ToolError) as error:
        raise _needed(folder, _reason(error), []) from error
    if outcome is None:
        return None
    if tell is not None:
        done = N_("an interrupted write was completed: {purpose}")
        undone = N_("an interrupted write was undone: {purpose}")
        tell(Note(done if outcome.is_committed else undone, {"purpose": outcome.purpose}))
    if outcome.left:
        raise _left(folder, outcome)
    return outcome


def _undone(folder: Path, error: BaseException) -> bool:
    """Undo after `error`; True when it came after the commit and there is nothing to undo."""
    try:
        outcome = settle.settle(folder)
    except (OSError, ToolError, JournalInvalid) as second:
        raise _needed(folder, _reason(second), []) from error
    if outcome is not None and outcome.left:
        raise _left(folder, outcome) from error
    return outcome is not None and outcome.is_committed


def _finished(folder: Path) -> None:
    """Tidy up after the commit; what cannot be tidied now is left to the next command."""
    with suppress(OSError):
        outcome = settle.settle(folder)
        if outcome is not None and outcome.left:
            raise _left(folder, outcome)


@contextmanager
def _locked(folder: Path, *, tell: Callable[[Note], None] | None, create: bool) -> Iterator[None]:
    """Hold the journal's lock; afterwards the folder is gone unless something is left in it."""
    made: list[Path] = []
    try:
        while True:
            if create:
                with _translating(folder):
                    _make_folder(folder, made)
            held = hold(folder / settle.LOCK, busy=JournalBusy, tell=tell)
            try:
                held.__enter__()
            except FileNotFoundError:
                if not create:
                    raise
                continue
            break
        try:
            yield
        finally:
            held.__exit__(None, None, None)
    finally:
        with suppress(OSError):  # not empty when another writer is at work, or something is left
            fsio.rmdir(folder)
            fsio.fsync_dir(folder.parent)
        for parent in reversed(made):  # empty only when the batch came to nothing
            with suppress(OSError):
                fsio.rmdir(parent)


def _make_folder(folder: Path, made: list[Path]) -> None:
    """Make the journal's folder; the folders above it that had to be made are added to `made`, outermost first."""
    with suppress(FileExistsError):
        made += atomic.make_dirs(folder.parent)
        fsio.mkdir(folder)
    if folder.is_symlink() or not folder.is_dir():
        raise _needed(folder, N_("it is not a folder"), [])


@contextmanager
def _translating(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise from_os(error, path) from error


@contextmanager
def _denial_translated(folder: Path) -> Iterator[None]:
    """A lock that could not even be created is a matter of rights or room, not of waiting."""
    try:
        yield
    except JournalBusy as error:
        if isinstance(error.__cause__, OSError):
            raise from_os(error.__cause__, folder) from error
        raise


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror}: {error.filename}" if error.filename else str(error.strerror)
    return str(error)


def _needed(folder: Path, reason: str, paths: list[str]) -> RecoveryNeeded:
    return RecoveryNeeded(folder=str(folder), reason=reason, paths=paths)


def _left(folder: Path, outcome: settle.Outcome) -> RecoveryNeeded:
    paths = [str(path) for path in outcome.left]
    return RecoveryNeeded(
        folder=str(folder),
        reason=N_("someone changed files of it meanwhile; they were left alone"),
        paths=paths,
        files=", ".join(paths),
        fix=N_(
            "look at {files}; an earlier version, if any, lies beside with `.kept-` in its name"
        ),
    )


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - without resolving links
