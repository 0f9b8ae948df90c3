"""Real workspaces: everything is read, nothing crashes, and no merge loses a requirement."""

from __future__ import annotations

import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.world import World

from rasen.planning import disk
from rasen.planning.change_plan import ChangePlan, PlannedDelta
from rasen.planning.changes.delta_file import Delta
from rasen.planning.changes.proposal_file import Proposal, advise
from rasen.planning.changes.tasks_file import parse
from rasen.planning.load import Reader
from rasen.planning.planner import plan_change
from rasen.planning.specs.rules import check_spec
from rasen.planning.specs.spec_file import SpecDocument
from rasen.roots.model import SOURCE_NEAREST, Root
from rasen.syntax.markdown import Markdown

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
ARCHIVES = sorted(CORPORA.glob("*.tar.xz"))
pytestmark = pytest.mark.skipif(not ARCHIVES, reason="no ../shared/corpora beside the project")


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All archives, unpacked into one temporary folder."""
    target = tmp_path_factory.mktemp("corpora")
    for archive in ARCHIVES:
        with tarfile.open(archive) as packed:
            packed.extractall(target / archive.name.partition(".")[0], filter="data")
    return target


def texts(corpora: Path, pattern: str) -> Iterator[str]:
    """The distinct texts of the files that `pattern` names."""
    seen: set[str] = set()
    for path in sorted(corpora.glob(pattern)):
        text = path.read_bytes().decode("utf-8")
        if path.is_file() and text not in seen:
            seen.add(text)
            yield text


def test_every_markdown_file_is_given_back_exactly(corpora: Path) -> None:
    count = 0
    for text in texts(corpora, "**/*.md"):
        assert Markdown(text).text() == text
        count += 1
    assert count > 500


def test_every_spec_is_read_with_a_role_for_each_line(corpora: Path) -> None:
    sound = count = 0
    for text in texts(corpora, "**/specs/*/spec.md"):
        spec = SpecDocument(text)
        assert len(spec.roles()) == len(spec.markdown.lines)
        findings = check_spec(spec)
        assert all(finding.message for finding in findings)
        sound += not findings
        count += 1
    assert count > 300
    assert sound > 20


def test_every_delta_is_read_with_a_role_for_each_line(corpora: Path) -> None:
    operations: Counter[str] = Counter()
    for text in texts(corpora, "**/changes/**/specs/**/spec.md"):
        delta = Delta(text)
        assert len(delta.roles) == len(delta.markdown.lines)
        assert all(finding.message for finding in delta.findings)
        operations.update(
            added=len(delta.added),
            modified=len(delta.modified),
            removed=len(delta.removed),
            renamed=len(delta.renamed),
        )
    assert min(operations.values()) > 0


def test_every_proposal_and_task_list_is_read(corpora: Path) -> None:
    advised = sum(1 for text in texts(corpora, "**/proposal.md") if advise(Proposal(text), []))
    tasks = sum(parse(text).total for text in texts(corpora, "**/tasks.md"))

    assert advised > 0
    assert tasks > 1000


def test_every_open_change_has_a_plan(corpora: Path, world: World) -> None:
    count = 0
    for workspace in sorted(corpora.glob("*/*/openspec")):
        root = Root(workspace.parent, SOURCE_NEAREST, "openspec")
        reader = Reader(world.context(), root)
        for name in disk.change_names(root.changes_dir):
            check_plan(plan_change(reader.change(name)))
            count += 1
    assert count > 20


def test_replayed_changes_lose_no_requirement(corpora: Path, world: World) -> None:
    merged = count = 0
    for case in sorted(corpora.glob("replay-*/*/*/case.json")):
        name = json.loads(case.read_text("utf-8"))["change"]
        root = Root(case.parent / "ws", SOURCE_NEAREST, "openspec")
        plan = plan_change(Reader(world.context(), root).change(name))
        check_plan(plan)
        merged += sum(1 for one in plan.deltas if one.merged and one.merged.text is not None)
        count += 1
    assert count > 90
    assert merged > 60


def check_plan(plan: ChangePlan) -> None:
    for finding in plan.findings:
        assert finding.message
        assert finding.path
    for planned in plan.deltas:
        if planned.merged is not None and planned.merged.text is not None:
            check_merge(planned, planned.merged.text)


def check_merge(planned: PlannedDelta, text: str) -> None:
    """The merged spec holds what it should, each once, and what was not named byte for byte."""
    delta, target = planned.delta, planned.target.spec
    assert delta is not None
    new = SpecDocument(text)
    names = [block.name for block in new.blocks]
    assert len(names) == len(set(names))
    renames = {rename.old: rename.new for rename in delta.renamed}
    removed = {removal.name for removal in delta.removed}
    changed = {block.name for block in delta.modified}
    after = blocks(new)
    for name, raw in blocks(target).items() if target else ():
        kept = renames.get(name, name)
        if name in removed:
            continue
        assert kept in after
        if kept not in changed:
            heading, _, body = after[kept].partition("\n")
            assert body == raw.partition("\n")[2]
            assert kept != name or heading == raw.partition("\n")[0]
    wanted = blocks_of(delta)
    assert {name: after[name] for name in wanted} == wanted


def blocks(spec: SpecDocument) -> dict[str, str]:
    return {one.name: spec.markdown.raw(one.start, one.end).rstrip("\r\n") for one in spec.blocks}


def blocks_of(delta: Delta) -> dict[str, str]:
    return {
        one.name: delta.markdown.raw(one.start, one.end).rstrip("\r\n")
        for one in [*delta.added, *delta.modified]
    }
