"""Reads a change and the specs it means from disk, once, into values."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.context import Context
from rasen.base.errors import NotFound, ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, NONE
from rasen.files.atomic import ABSENT, digest, read_bytes, read_optional
from rasen.files.errors import FileMissing, FileNotUtf8, NotAFolder
from rasen.files.paths import canonical, inside, is_plain_name
from rasen.planning import disk
from rasen.planning.change_plan import LoadedChange, LoadedDelta, Target
from rasen.planning.changes import metadata_file, tasks_file
from rasen.planning.changes.choice import Chooser, read_metadata
from rasen.planning.changes.metadata_file import Metadata
from rasen.planning.changes.tracked import tracked_files
from rasen.planning.merging.synced import Synced, synced_of
from rasen.planning.schemas.model import DEFAULT_SCHEMA, PACKAGE
from rasen.planning.specs.spec_file import SpecDocument
from rasen.roots.model import Root
from rasen.syntax.markdown import Markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rasen.planning.bases.find import BaseFinder, Subject


class ChangeNotFound(NotFound):
    """No change goes by that name. It has no code of its own: the command's applies."""

    text = N_('no change "{change}"; open changes: {known}')
    fix = N_("Run `rasen list{selector}` to see them")


SYNC_FILE = ".sync.json"
TASK_UNREAD = Rule(
    "task_unread",
    Level.WARNING,
    N_("Line {line} looks like a task but is none: {text}"),
    N_("Write `- [ ] 1.1 <what to do>`"),
)
TASK_GROUP = Rule(
    "task_group_mismatch",
    Level.WARNING,
    N_("Line {line}: task {number} stands in group {group}"),
    N_("Give it a number that begins with {group}"),
)
TASK_DUPLICATE = Rule(
    "task_number_duplicate",
    Level.WARNING,
    N_("Line {line}: task number {number} stands twice (first in line {first})"),
    N_("Renumber one of the two"),
)
METADATA_UNUSABLE = Rule("change_metadata_unusable", Level.ERROR, N_("{problem}"))
SYNC_UNUSABLE = Rule("change_sync_unusable", Level.ERROR, N_("{problem}"))
SCHEMA_UNUSABLE = Rule("change_schema_unusable", Level.WARNING, N_("{problem}"))


def change_dir(root: Root, name: str) -> Path:
    """Where the open change `name` lies. Errors: ChangeNotFound, also for names with separators."""
    folder = root.changes_dir / name
    if not is_plain_name(name) or name == disk.ARCHIVE or not folder.is_dir():
        known = ", ".join(disk.change_names(root.changes_dir)) or NONE
        raise ChangeNotFound(change=name, known=known, selector=root.selector_text)
    return folder


@dataclass(frozen=True)
class Reader:
    """Reads changes of one root; a spec that several changes mean is read once."""

    ctx: Context
    root: Root
    _targets: dict[str, Target] = field(default_factory=dict)
    _discoveries: dict[Path, disk.Discovery] = field(default_factory=dict)

    @cached_property
    def _chooser(self) -> Chooser:
        return Chooser(self.ctx, self.root)

    @cached_property
    def _bases(self) -> BaseFinder:
        from rasen.planning.bases.find import finder

        return finder(self.ctx, self.root)

    def prepare(self, names: Iterable[str]) -> None:
        """Find the bases of all these changes at once, if one is needed; git is then asked once."""
        self._bases.prepare(self._subjects(names))

    def _subjects(self, names: Iterable[str]) -> Iterator[Subject]:
        from rasen.planning.bases.find import subject

        for name in names:
            folder = self.root.changes_dir / name
            with suppress(ToolError):  # told when that change is read
                yield subject(folder, self._discovered(folder).files)

    def _discovered(self, folder: Path) -> disk.Discovery:
        """The delta files of the change in `folder`, looked for once."""
        if folder not in self._discoveries:
            self._discoveries[folder] = disk.delta_files(folder)
        return self._discoveries[folder]

    def change(self, name: str, *, with_tasks: bool = True) -> LoadedChange:
        """All that the plan of change `name` needs; the folder must exist."""
        return self.change_at(self.root.changes_dir / name, with_tasks=with_tasks)

    def change_at(self, folder: Path, *, with_tasks: bool = True) -> LoadedChange:
        """The change in `folder`, wherever it lies."""
        found = self._discovered(folder)
        metadata, problems = self._metadata(folder)
        synced, unusable = _synced(folder)
        problems += unusable
        if metadata is not None and metadata.lane is not None:
            problems += self._lane(folder, metadata)
        extra = [*problems, *(self._tasks(folder, told=metadata is None) if with_tasks else ())]
        return LoadedChange(
            folder.name,
            folder,
            found,
            tuple(_delta(file) for file in found.files),
            self.target,
            lambda capability: self._bases.of(folder, capability),
            skip_specs=metadata is not None and metadata.touches_no_spec,
            may_retire=metadata is not None and metadata.retire_capabilities,
            lane=metadata.lane if metadata else None,
            nested=tuple(disk.nested_changes(folder)) if disk.is_grouping(folder) else (),
            extra=tuple(extra),
            synced=synced,
        )

    def target(self, capability: str) -> Target:
        """The spec of `capability` as it is now."""
        if capability not in self._targets:
            self._targets[capability] = self._target(capability)
        return self._targets[capability]

    def spec(self, capability: str) -> SpecDocument:
        """The spec of `capability`, which exists. Errors: file_*, path_traversal."""
        known = self._targets.get(capability)
        if known is not None and known.spec is not None:
            return known.spec
        return SpecDocument(disk.read_spec(self.root.specs_dir, capability))

    def _target(self, capability: str) -> Target:
        shown = f"specs/{capability}/{disk.SPEC_FILE}"
        path = self.root.specs_dir / capability / disk.SPEC_FILE
        try:
            path = inside(self.root.specs_dir, f"{capability}/{disk.SPEC_FILE}")
            data = read_optional(path)
            if data is None:
                _must_be_free(path)
                return Target(path, shown, ABSENT, None)
            return Target(path, shown, digest(data), SpecDocument(decode(data, path)))
        except ToolError as problem:
            return Target(path, shown, ABSENT, None, problem)

    def _metadata(self, folder: Path) -> tuple[Metadata | None, list[Finding]]:
        try:
            return read_metadata(folder), []
        except ToolError as problem:
            line = problem.params.get("line")
            place = line if isinstance(line, int) else None
            found = Finding(METADATA_UNUSABLE, metadata_file.FORMAT, {"problem": problem}, place)
            return None, [found]

    def _lane(self, folder: Path, metadata: Metadata) -> list[Finding]:
        from rasen.planning.lane_findings import lane_findings

        with suppress(ToolError):  # an unusable schema is told with the tasks
            return lane_findings(folder, metadata, self._chooser.schema(folder))
        return []

    def _tasks(self, folder: Path, *, told: bool) -> list[Finding]:
        """Findings about the task files; `told` when the metadata's own problem is one already."""
        found: list[Finding] = []
        try:
            schema = self._chooser.schema(folder)
            numbered = schema.source == PACKAGE and schema.name == DEFAULT_SCHEMA
        except ToolError as problem:
            numbered = False
            if not told:
                found.append(Finding(SCHEMA_UNUSABLE, metadata_file.FORMAT, {"problem": problem}))
        for path in tracked_files(self.ctx, self.root, folder, chooser=self._chooser):
            try:
                text = decode(read_bytes(path), path)
            except ToolError:
                continue  # an unreadable task file counts as none, as specified (planning §3.7)
            shown = path.relative_to(canonical(folder)).as_posix()
            found += _task_findings(text, shown, numbered)
            if "[repo:" in text.lower():
                from rasen.planning.task_targets import unknown_targets

                found += unknown_targets(self.ctx, self.root, text, shown)
        return found


def _must_be_free(path: Path) -> None:
    """Pass only when a file can come to be at `path`, where nothing can be read.

    Errors: file_missing for a link that leads nowhere, not_a_folder for a file on the way.
    """
    if path.is_symlink():
        raise FileMissing(file=str(path))
    there = next(one for one in path.parents if one.exists() or one.is_symlink())
    if not there.is_dir():
        raise NotAFolder(file=str(there))


def decode(data: bytes, path: Path) -> str:
    """`data` as UTF-8 text. Errors: file_not_utf8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileNotUtf8(file=str(path), line=line) from error


def _synced(folder: Path) -> tuple[dict[str, Synced], list[Finding]]:
    """What syncs of the change have merged, by capability; usually there were none."""
    if not os.path.lexists(folder / SYNC_FILE):
        return {}, []
    from rasen.planning.journal import disk as journals

    try:
        records = journals.syncs_of(folder)
    except ToolError as problem:
        return {}, [Finding(SYNC_UNUSABLE, SYNC_FILE, {"problem": problem})]
    deltas: dict[str, list[str]] = {}
    for step in (step for record in records for step in record.specs):
        if step.delta is not None:
            deltas.setdefault(step.capability, []).append(step.delta)
    return {capability: synced_of(texts) for capability, texts in deltas.items()}, []


def _delta(file: disk.DeltaFile) -> LoadedDelta:
    try:
        data = read_bytes(file.path)
        return LoadedDelta(file, decode(data, file.path), digest(data))
    except ToolError as problem:
        return LoadedDelta(file, None, ABSENT, problem)


def _task_findings(text: str, path: str, is_numbered: bool) -> list[Finding]:
    tasks = tasks_file.parse(text)
    lines = Markdown(text).lines
    found = [
        Finding(TASK_UNREAD, path, {"line": at + 1, "text": lines[at].strip()[:80]}, at + 1)
        for at in tasks.suspicious
    ]
    return found + (_numbering(tasks, path) if is_numbered else [])


def _numbering(tasks: tasks_file.TaskList, path: str) -> list[Finding]:
    found: list[Finding] = []
    first: dict[str, int] = {}
    for task in tasks.tasks:
        if not task.number:
            continue
        line = task.line + 1
        group = task.number.partition(".")[0]
        if task.group and "." in task.number and group != task.group:
            params: dict[str, object] = {"line": line, "number": task.number, "group": task.group}
            found.append(Finding(TASK_GROUP, path, params, line))
        if task.number in first:
            params = {"line": line, "number": task.number, "first": first[task.number]}
            found.append(Finding(TASK_DUPLICATE, path, params, line))
        first.setdefault(task.number, line)
    return found
