"""Finds the bases of many changes: what was recorded, then git, then journals of archives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.planning import disk
from rasen.planning.bases import disk as bases_disk
from rasen.planning.bases import model
from rasen.planning.bases.former import Journals, Replaced, Standing, at_the_latest, former
from rasen.planning.bases.from_git import Answer, Question, ask_git
from rasen.planning.bases.journals import RootJournals
from rasen.planning.bases.model import Base, Source
from rasen.planning.changes.choice import read_metadata
from rasen.planning.changes.metadata_file import FORMAT
from rasen.planning.disk import DeltaFile
from rasen.roots.model import Root


@dataclass(frozen=True, slots=True)
class Subject:
    """A change whose bases are wanted. files: by capability, its delta file; None without one.

    commit, created: what its metadata says, None where it does not.
    """

    folder: Path
    files: Mapping[str, str | None]
    commit: str | None = None
    created: str | None = None


def subject(
    folder: Path, files: Iterable[DeltaFile] | None = None, *, more: Iterable[str] = ()
) -> Subject:
    """The change in `folder`; `files` are its delta files, looked up when None.

    more: capabilities that are wanted beside those that have deltas. Unusable metadata says nothing.
    """
    found = disk.delta_files(folder).files if files is None else files
    wanted: dict[str, str | None] = dict.fromkeys(more)
    wanted |= {file.capability: file.relative for file in found}
    try:
        metadata = read_metadata(folder)
    except ToolError:
        metadata = None
    if metadata is None:
        return Subject(folder, wanted)
    return Subject(folder, wanted, metadata.base_commit, metadata.created)


class BaseFinder:
    """Knows the bases of the changes of one root; it only reads, and only when first asked.

    Whatever the number of changes made ready, git is started at most twice: one `log`, one
    `cat-file --batch`; not at all where everything is recorded. A change that was not made ready
    costs a call of its own.
    """

    def __init__(self, root: Root, journals: Journals | None = None) -> None:
        """journals: asked only where git cannot tell; None asks none. See `finder`."""
        self._root = root
        self._journals = journals
        self._waiting: list[Iterable[Subject]] = []
        self._found: dict[tuple[Path, str], Base] = {}

    def prepare(self, subjects: Iterable[Subject]) -> None:
        """Answer for all these changes at once, when the first base is asked for.

        Until then `subjects` is not gone through: a generator costs nothing if none is asked for.
        """
        self._waiting.append(subjects)

    def of(self, folder: Path, capability: str) -> Base:
        """The base of one capability of the change in `folder`."""
        key = folder, capability
        if key not in self._found:
            waiting, self._waiting = self._waiting, []
            self._find(one for subjects in waiting for one in subjects)
        if key not in self._found:
            self._find([subject(folder, more=[capability])])
        return self._found[key]

    def _find(self, subjects: Iterable[Subject]) -> None:
        questions: list[Question] = []
        for one in subjects:
            for capability, file in one.files.items():
                key = one.folder, capability
                if key in self._found:
                    continue
                recorded = bases_disk.recorded(one.folder, capability)
                if recorded is not None:
                    self._found[key] = recorded
                else:
                    questions.append(
                        Question(one.folder, capability, file, one.commit, one.created)
                    )
        if questions:
            self._ask(questions)

    def _ask(self, questions: Sequence[Question]) -> None:
        for question, answer in ask_git(self._root, questions).items():
            base = self._older(question, answer) if _is_rewritten(answer) else None
            base = base or answer.base or self._from_journals(question, answer) or answer.guess
            if base is None:
                base = _unknown(question, answer)
            self._found[question.folder, question.capability] = base

    def _from_journals(self, question: Question, answer: Answer) -> Base | None:
        if question.created is None or not self._replaced:
            return None
        written = _written(question)
        text = former(self._replaced, question.capability, question.created, written=written)
        base = Base(question.capability, Source.JOURNAL, passed=tuple(answer.passed))
        if text is Standing.CURRENT:
            try:
                current = current_text(self._root, question.capability)
            except ToolError:
                return None
            return replace(base, text=current, why=model.NEVER_REPLACED)
        if isinstance(text, Standing):
            return None
        return replace(base, text=text, why=model.JOURNALLED)

    def _older(self, question: Question, answer: Answer) -> Base | None:
        """The text before the first archive that may have come later, where git gives a newer one.

        A delta that was rebased or squashed onto other work is committed after that work, whatever
        its author saw; None where journals do not show that this happened.
        """
        if question.created is None:
            return None
        texts = at_the_latest(self._replaced, question.capability, question.created)
        if not texts or isinstance(texts[0], Standing):
            return None
        told = answer.base or answer.guess
        if told is not None:
            with suppress(ToolError):
                texts.append(current_text(self._root, question.capability))
            if told.text == texts[0] or told.text not in texts:
                return None
        passed = tuple(answer.passed)
        return Base(question.capability, Source.JOURNAL, texts[0], model.JOURNALLED, passed=passed)

    @cached_property
    def _replaced(self) -> tuple[Replaced, ...]:
        return () if self._journals is None else tuple(self._journals.replaced())


def _is_rewritten(answer: Answer) -> bool:
    """True when the commit that the change names is gone: its history was rewritten, or cut off."""
    return model.COMMIT_NOT_HERE in answer.passed


def finder(ctx: Context, root: Root) -> BaseFinder:
    """A finder that asks all sources of `root`."""
    return BaseFinder(root, RootJournals(ctx, root))


def current_text(root: Root, capability: str) -> str | None:
    """The spec of `capability` as it is now; None when there is none. Errors: file_*, path_traversal."""
    path = root.specs_dir / capability / disk.SPEC_FILE
    if not path.exists() and not path.is_symlink():
        return None
    return disk.read_spec(root.specs_dir, capability)


def _written(question: Question) -> datetime | None:
    """When the metadata or the delta was last written, whichever is older.

    A copy or a checkout makes files younger, never older, so an old one is proof and a young one is none.
    """
    paths = [question.folder / FORMAT]
    if question.file is not None:
        paths.append(question.folder / "specs" / question.file)
    found = []
    for path in paths:
        with suppress(OSError):
            found.append(path.stat().st_mtime)
    return datetime.fromtimestamp(min(found), UTC) if found else None


def _unknown(question: Question, answer: Answer) -> Base:
    passed = tuple(answer.passed)
    why = passed[-1] if passed else model.NOTHING
    return Base(question.capability, Source.UNKNOWN, why=why, passed=passed[:-1])
