"""Bases that git remembers: at the commit a change names, or where its delta was committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rasen.git.history import Event, Missing, Objects, comings_and_goings, has_history
from rasen.planning.bases import model
from rasen.planning.bases.introduction import DeltaPlace, introduction, touching
from rasen.planning.bases.model import Base, Source
from rasen.planning.disk import SPEC_FILE
from rasen.roots.model import Root


@dataclass(frozen=True, slots=True)
class Question:
    """Whose base is wanted. file: the delta file below the change's `specs/`, None without one.

    commit, created: what the change's metadata says, None where it does not.
    """

    folder: Path
    capability: str
    file: str | None
    commit: str | None = None
    created: str | None = None


@dataclass(slots=True)
class Answer:
    """What git says. base: None when it cannot tell. guess: what to take where nobody can.

    passed: why it gave nothing better.
    """

    base: Base | None = None
    guess: Base | None = None
    passed: list[str] = field(default_factory=list)


def ask_git(root: Root, questions: Sequence[Question]) -> dict[Question, Answer]:
    """An answer to each question, from at most one `git log` and one `git cat-file`."""
    answers = {question: Answer() for question in questions}
    if not has_history(root.path):
        for answer in answers.values():
            answer.passed.append(model.NO_GIT)
        return answers
    with Objects(root.path) as objects:
        reader = _Reader(root, objects)
        for question, answer in answers.items():
            reader.noted(question, answer)
        rest = {one: answer for one, answer in answers.items() if answer.base is None}
        if rest:
            reader.introduced(rest)
    return answers


class _Reader:
    def __init__(self, root: Root, objects: Objects) -> None:
        self._root, self._objects = root, objects

    def noted(self, question: Question, answer: Answer) -> None:
        """The spec at the commit that the change names."""
        if question.commit is None:
            return
        commit = self._objects.full_id(question.commit)
        if commit is None:
            answer.passed.append(model.COMMIT_NOT_HERE)
            return
        found = self._objects.read(commit, self._spec(question))
        if found is Missing.ABSENT and not self._has_specs(commit):
            answer.passed.append(model.COMMIT_WITHOUT_SPECS)
            return
        answer.base = _base(question, answer, found, (Source.COMMIT, commit, model.COMMIT_NOTED))

    def introduced(self, answers: Mapping[Question, Answer]) -> None:
        """The spec as it was when each delta was committed."""
        places = {
            question: place for question in answers if (place := self._place(question)) is not None
        }
        events: tuple[Event, ...] | None = None
        if places:
            changes = f"{self._root.workspace}/changes"
            events = comings_and_goings(self._root.path, changes)
        by_path = touching(events or (), {place.path for place in places.values()})
        for question, answer in answers.items():
            place = places.get(question)
            if place is None:
                answer.passed.append(model.NO_DELTA)
            elif events is None:
                answer.passed.append(model.NO_GIT)
            else:
                self._began(question, answer, introduction(by_path[place.path], place))

    def _began(self, question: Question, answer: Answer, commit: str | None) -> None:
        if commit is None:
            self._uncommitted(question, answer)
        elif self._objects.is_boundary(commit):
            answer.passed.append(model.SHALLOW)
        else:
            self._around(question, answer, commit)

    def _around(self, question: Question, answer: Answer, commit: str) -> None:
        """The spec just before `commit`; where there was none, as in `commit`.

        What is older than what the author saw can at worst report a conflict that is none; what is
        newer could undo somebody's work in silence.
        """
        parent = self._objects.parent(commit)
        if parent is not None:
            found = self._objects.read(parent, self._spec(question))
            if found is not Missing.ABSENT:
                how = (Source.INTRODUCED, parent, model.BEFORE_DELTA)
                answer.base = _base(question, answer, found, how)
                return
        found = self._objects.read(commit, self._spec(question))
        how = (Source.INTRODUCED, commit, model.WITH_DELTA)
        answer.base = _base(question, answer, found, how)

    def _uncommitted(self, question: Question, answer: Answer) -> None:
        """What would be the base if the delta were committed now."""
        head = self._objects.full_id("HEAD")
        if head is None:
            answer.passed.append(model.NO_GIT)
            return
        spec = self._spec(question)
        found = self._objects.read(head, spec)
        if found is Missing.ABSENT and (self._root.path / spec).exists():
            answer.passed.append(model.SPEC_UNTRACKED)
            return
        how = (Source.INTRODUCED, head, model.DELTA_UNCOMMITTED)
        answer.guess = _base(question, answer, found, how)

    def _spec(self, question: Question) -> str:
        return f"{self._root.workspace}/specs/{question.capability}/{SPEC_FILE}"

    def _has_specs(self, revision: str) -> bool:
        return self._objects.has_folder(revision, f"{self._root.workspace}/specs")

    def _place(self, question: Question) -> DeltaPlace | None:
        """Where git has the delta; None without one, and outside of the root's open changes."""
        if question.file is None or question.folder.parent != self._root.changes_dir:
            return None
        changes = f"{self._root.workspace}/changes"
        return DeltaPlace(changes, question.folder.name, f"specs/{question.file}")


def _base(
    question: Question, answer: Answer, found: bytes | Missing, how: tuple[Source, str, str]
) -> Base | None:
    source, revision, why = how
    if found is Missing.UNREACHABLE:
        answer.passed.append(model.OBJECT_NOT_HERE)
        return None
    text = None
    if not isinstance(found, Missing):
        try:
            text = found.decode("utf-8")
        except UnicodeDecodeError:
            answer.passed.append(model.NOT_TEXT)
            return None
    passed = tuple(answer.passed)
    return Base(question.capability, source, text, why, revision, passed)
