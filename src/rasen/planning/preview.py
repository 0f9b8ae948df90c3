"""What a change would do, asked before it is done: line by line, and as a difference of the specs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, ToolError
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.files.atomic import read_bytes
from rasen.files.paths import inside
from rasen.planning import disk
from rasen.planning.change_plan import ChangePlan
from rasen.planning.comparing.diff import spec_diffs
from rasen.planning.comparing.model import SpecDiff
from rasen.planning.explaining import explain as explaining
from rasen.planning.explaining.model import Explanation
from rasen.planning.load import Reader, change_dir
from rasen.planning.planner import plan_change
from rasen.roots.model import Root

_READABLE = frozenset(rule.code for rule in (disk.MISPLACED, disk.ROOT_DELTA, disk.SPECS_NO_FOLDER))


class NothingToCompare(InvalidInput):
    """A change that would be refused has no outcome. findings: as `validate` reports them."""

    code = "diff_change_refused"
    text = N_("{change} would be refused (errors: {count}), so it has no outcome to compare with")
    fix = N_("run `rasen explain {change}{selector}` and correct what it shows")

    def __init__(self, findings: tuple[Finding, ...], **params: object) -> None:
        super().__init__(target="", fix=None, count=len(findings), **params)
        self.findings = findings


def explain(ctx: Context, root: Root, change: str) -> Explanation:
    """The fate of every line of the change's delta files; nothing is written.

    Errors: ChangeNotFound.
    """
    plan = _plan(ctx, root, change)
    return explaining.explain(plan, dict(_unread_texts(plan)))


def diff(ctx: Context, root: Root, change: str) -> tuple[SpecDiff, ...]:
    """The specs after the change minus the specs before it; nothing is written.

    Errors: ChangeNotFound, diff_change_refused.
    """
    plan = _plan(ctx, root, change)
    errors = plan.objections()
    if errors:
        raise NothingToCompare(tuple(errors), change=change, selector=root.selector_text)
    specs = root.specs_dir.relative_to(root.path).as_posix()
    return spec_diffs(plan, specs)


def _plan(ctx: Context, root: Root, change: str) -> ChangePlan:
    change_dir(root, change)
    return plan_change(Reader(ctx, root).change(change))


def _unread_texts(plan: ChangePlan) -> list[tuple[str, str]]:
    """The files among the deltas that the plan does not hold, as far as they can be shown."""
    paths = [str(finding.params["file"]) for finding in plan.general if finding.code in _READABLE]
    paths += [f"specs/{planned.file.relative}" for planned in plan.deltas if planned.delta is None]
    found = []
    for path in paths:
        with suppress(ToolError):
            found.append((path, _text(plan.directory, path)))
    return found


def _text(folder: Path, path: str) -> str:
    """A file as text, whatever bytes it holds. Errors: file_*, path_traversal."""
    return read_bytes(inside(folder, path)).decode("utf-8", "replace")
