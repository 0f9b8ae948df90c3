"""Planning what happens to generated files, and doing it: one way for everything we generate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rasen import __version__
from rasen.base.context import Context
from rasen.files.atomic import ABSENT, digest, read_optional
from rasen.files.batch import Batch
from rasen.files.errors import FileChanged
from rasen.files.staging import TreeFile
from rasen.ownership import disk, parts, plan
from rasen.ownership.artifact_ledger_file import DIGEST as WORKFLOW_DIGEST
from rasen.ownership.disk import Reader
from rasen.ownership.ledger_file import FilesLedgerInvalid
from rasen.ownership.model import (
    BASE,
    Action,
    Desired,
    Kind,
    Ledger,
    Owner,
    Plan,
    Row,
    Site,
    Step,
)
from rasen.ownership.plan import BESIDE

__all__ = [
    "WORKFLOW_DIGEST",
    "Action",
    "Choice",
    "Desired",
    "FilesLedgerInvalid",
    "Kind",
    "Owner",
    "Plan",
    "Reader",
    "Row",
    "Site",
    "Step",
    "apply",
    "ledger",
    "plan_site",
    "reader",
]

_WRITES = (Action.CREATE, Action.UPDATE, Action.TAKE_OVER)


@dataclass(frozen=True)
class Choice:
    """How a plan is made.

    concerns: which owners this run decides about; what they own and nothing wants any more goes.
    is_forced: edited files are replaced. adopts: unrecorded files of earlier versions are taken over.
    is_inherited, is_committed: asked about a file that is there, unrecorded: whether some version
    of ours made it, and whether git has just these bytes.
    """

    concerns: Callable[[Owner], bool]
    is_forced: bool = False
    adopts: bool = False
    is_inherited: Callable[[str], bool] = lambda _path: False
    is_committed: Callable[[str], bool] = lambda _path: False


def ledger(site: Site) -> Ledger:
    """What is recorded at a site. Errors: files_ledger_invalid, ledger_invalid, ledger_unreadable, file_*."""
    return disk.load(site)[0]


def plan_site(site: Site, desired: Iterable[Desired], choice: Choice) -> Plan:
    """What to do at a site so that what is wanted is there; nothing is written.

    Errors: files_ledger_invalid, ledger_invalid, ledger_unreadable, file_*.
    """
    known, _ = disk.load(site)
    look = Reader(site.base)
    wanted, steps = plan.combined(desired)
    steps += [
        _decided(ones, known.rows.get(key), look, choice) for key, ones in sorted(wanted.items())
    ]
    steps = [
        _settled(step, wanted[step.path, step.part], known, look)
        if step.action is Action.BESIDE
        else step
        for step in steps
    ]
    beside = {
        (f"{step.path}{BESIDE}", ""): [_twin(one) for one in wanted[step.path, step.part]]
        for step in steps
        if step.action is Action.BESIDE
    }
    steps += [
        _decided(ones, known.rows.get(key), look, choice) for key, ones in sorted(beside.items())
    ]
    for key, row in sorted(known.rows.items()):
        if key not in wanted and key not in beside:
            step = _left_over(row, look, choice, can_be_ours=site.can_hold(row.path))
            steps += [] if step is None else [step]
    return Plan(site, known, tuple(sorted(steps, key=lambda one: (one.path, one.part))))


def apply(
    ctx: Context,
    made: Plan,
    *,
    purpose: str,
    also: Callable[[Batch], bool] | None = None,
) -> bool:
    """Do what a plan says, all of it or nothing, with the ledger in the same write.

    also: adds further steps to that write; True when it added any.
    False when there was nothing to do. Errors: file_changed, file_not_writable, disk_full, busy,
    recovery_needed, files_ledger_invalid.
    """
    current, expect = disk.load(made.site)
    writer = _Writer(ctx, made, purpose)
    after = writer.ledger_after(current)
    before_text = None if expect == ABSENT else disk.render(made.site, current)
    text = disk.render(made.site, after) if disk.is_needed(made.site, after) else None
    if text != before_text:
        kept = disk.aside(made.site)
        if kept is not None:
            writer.batch.write(kept[0], kept[1], expect=ABSENT)
        if text is None:
            writer.batch.remove(made.site.ledger, expect=expect)
        else:
            writer.batch.write(made.site.ledger, text.encode(), expect=expect)
    more = also is not None and also(writer.batch)
    if text == before_text and not writer.changes and not more:
        return False
    writer.batch.commit()
    return True


def reader(site: Site) -> Reader:
    """What looks at the places of a site, each folder once."""
    return Reader(site.base)


def _decided(ones: list[Desired], row: Row | None, look: Reader, choice: Choice) -> Step:
    first = ones[0]
    actual = look.actual(first.path, first.kind, first.part)
    if row is None and actual.digest != ABSENT and first.is_known:
        inherited = choice.is_inherited(first.path)
        committed = inherited and choice.is_committed(first.path)
        actual = actual._replace(is_inherited=inherited, is_committed=committed)
    if row is not None:
        staying = [one for one in row.owners if not choice.concerns(one)]
        row = replace(row, owners=tuple(staying))
    step = plan.decide(
        first,
        row,
        actual,
        version=__version__,
        is_forced=choice.is_forced,
        adopts=choice.adopts,
    )
    if step.row is None:
        return step
    owners = plan.merged((*step.row.owners, *(one.owner for one in ones)))
    extra = {**step.row.extra, **first.extra}
    return step._replace(row=replace(step.row, owners=owners, extra=extra))


def _settled(step: Step, ones: list[Desired], known: Ledger, look: Reader) -> Step:
    """`step`, or what is left to do when the new version lay beside the file and was taken away."""
    place = f"{step.path}{BESIDE}"
    row = known.rows.get((place, ""))
    if row is None or row.digest != digest(ones[0].data):
        return step
    actual = look.actual(place)
    if actual.digest != ABSENT or actual.blocked is not None:
        return step
    return plan.merged_by_hand(step, tuple(one.owner for one in ones), __version__)


def _left_over(row: Row, look: Reader, choice: Choice, *, can_be_ours: bool) -> Step | None:
    leaving = [one for one in row.owners if choice.concerns(one)]
    if not leaving:
        return None
    if not can_be_ours:
        return plan.outside(row)
    actual = look.actual(row.path, row.kind, row.part)
    fewer = plan.without_owners(row, leaving)
    if fewer.owners:
        return Step(Action.KEEP, row.path, row.part, None, fewer, actual)
    return plan.decide(None, row, actual, version=__version__)


def _twin(one: Desired) -> Desired:
    """The new version of a file, to lie beside the edited one."""
    return replace(one, path=f"{one.path}{BESIDE}", is_known=False)


class _Writer:
    """Turns the steps of a plan into a batch and the ledger that belongs to it."""

    def __init__(self, ctx: Context, made: Plan, purpose: str) -> None:
        self.plan, self.base = made, made.site.base
        self.batch = Batch(made.site.journal, purpose=purpose, tell=ctx.tell)
        self.changes = False
        self._reader = Reader(self.base)
        self._made: set[str] = set()
        self._trees: dict[str, dict[str, TreeFile]] = {}
        self._made_for: dict[parts.Key, str | None] = {}
        self._fill()

    def ledger_after(self, current: Ledger) -> Ledger:
        """The ledger once the batch is done."""
        rows, gone = dict(current.rows), []
        for step in self.plan.steps:
            key = (step.path, step.part)
            if step.row is not None:
                made = self._made_for.get(key, step.row.made)
                rows[key] = replace(step.row, made=made) if step.part else step.row
            elif step.action in (Action.REMOVE, Action.FORGET, Action.RELEASE) and key in rows:
                gone.append(rows.pop(key))
        rows |= parts.inherited(rows, [row for row in gone if row.part])
        folders = {*current.folders, *self._made}
        top = {one for one in folders if not any(_is_below(one, other) for other in folders)}
        used = {one for one in top if any(_is_below(path, one) for path, _ in rows)}
        self._prune(top, used)
        return Ledger(rows, tuple(sorted(used)), current.extra)

    def _fill(self) -> None:
        going = self.plan.by(Action.REMOVE)
        for step in self.plan.by(*_WRITES):
            if step.desired is None or step.actual.digest == digest(step.desired.data):
                continue
            self.changes = True
            if step.part:
                going.append(step)
            else:
                data, mode = step.desired.data, step.desired.mode
                self._write(step.path, TreeFile(data, mode), expect=step.actual.digest)
        for path in sorted({step.path for step in going if step.part}):
            self._edit(path, [step for step in going if step.part and step.path == path])
        for top, files in sorted(self._trees.items()):
            self.batch.new_tree(self.base / top, files)
        for step in self.plan.by(Action.TAKE_OVER):
            self._made.add(step.path.rpartition("/")[0])
        for step in going:
            self.changes = True
            if not step.part:
                self.batch.remove(self.base / step.path, expect=step.actual.digest)

    def _write(self, path: str, file: TreeFile, *, expect: str) -> None:
        top = self._reader.missing_from(path)
        if not self.base.is_dir():
            self._made.add(BASE)
        if top is None:
            self.batch.write(self.base / path, file.data, expect=expect, mode=file.mode)
        else:
            self._trees.setdefault(top, {})[path[len(top) + 1 :]] = file
            self._made.add(top)

    def _edit(self, path: str, steps: list[Step]) -> None:
        """Put parts into a file, and take parts out of it."""
        data = read_optional(self.base / path)
        text = None if data is None else data.decode("utf-8")
        rows = self.plan.ledger.rows.items()
        known = {part: row for (place, part), row in rows if place == path and part}
        for step in steps:
            kind = step.desired.kind if step.desired is not None else known[step.part].kind
            if self._reader.actual(path, kind, step.part).digest != step.actual.digest:
                raise FileChanged(file=str(self.base / path))
        after, made = parts.edited(text, steps, known.values())
        self._made_for |= made
        expect = ABSENT if data is None else digest(data)
        if after is not None:
            self._write(path, TreeFile(after.encode(), None), expect=expect)
        elif data is not None:
            self.batch.remove(self.base / path, expect=expect)

    def _prune(self, top: set[str], used: set[str]) -> None:
        """Take away the folders that we made and that are empty now, innermost first."""
        gone = [step.path for step in self.plan.by(Action.REMOVE, Action.FORGET, Action.RELEASE)]
        folders = {
            folder
            for path in gone
            for folder in _parents(path)
            if any(folder == one or _is_below(folder, one) for one in top)
        }
        folders |= {one for one in top - used if (self.base / one).is_dir()}
        for folder in sorted(folders, key=lambda one: (one == BASE, -one.count("/"), one)):
            self.batch.remove_empty_dir(self.base / folder)


def _parents(path: str) -> list[str]:
    steps = path.split("/")[:-1]
    return ["/".join(steps[:depth]) for depth in range(len(steps), 0, -1)]


def _is_below(path: str, folder: str) -> bool:
    return path != BASE if folder == BASE else path.startswith(f"{folder}/")
