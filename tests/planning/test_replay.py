"""Changes that real teams archived, merged anew: where we refuse, a finding says why.

The trees are those just before each archive. Their tools merged by simpler rules, and their authors
often mended the specs by hand afterwards; each difference is one of the reasons below.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.histories.texts import read
from tests.support.corpora import unpacked
from tests.support.world import World

from rasen.base.findings import Level
from rasen.planning.bases.disk import NO_SPEC, place
from rasen.planning.change_plan import NO_DELTAS, ChangePlan
from rasen.planning.load import Reader
from rasen.planning.planner import plan_change
from rasen.roots.model import SOURCE_NEAREST, Root

CORPORA = ("replay-custom-schemas", "replay-modulus-zh", "replay-openspec-self")
REASONS = {
    "delta_file_misplaced": "the delta lies where no tool reads it; it was filed away unmerged",
    "delta_sections_missing": "the file is a whole spec to be, from before deltas had sections; it was copied by hand",
    "delta_requirement_unread": "requirements stand below a heading that is no section of a delta",
    "merge_requirement_exists": "an agent had put the requirement into the spec before the archive, in other words",
    "merge_requirement_missing": "the spec has no requirement of that name; it was edited by hand",
    "merge_scenario_lost": "MODIFIED leaves out scenarios that the spec has; the tool dropped them, or people put them back",
    "merge_spec_missing": "REMOVED names a spec that was deleted before the archive",
    "merge_spec_unsound": "the spec holds requirements, or headings of deltas, where a merge does not see them",
    "requirement_body_empty": "the requirement has scenarios and no text",
    "change_deltas_missing": "nothing of the change is a delta",
}
MISPLACED = ("change_deltas_missing", "delta_file_misplaced")
BEFORE_DELTAS = ("change_deltas_missing", "delta_sections_missing")
LOST, MISSING, UNSOUND = "merge_scenario_lost", "merge_requirement_missing", "merge_spec_unsound"
EXISTS, UNREAD, EMPTY = (
    "merge_requirement_exists",
    "delta_requirement_unread",
    "requirement_body_empty",
)
DIFFERENCES: dict[str, dict[str, tuple[str, ...]]] = {
    "replay-custom-schemas": {
        "003-update-minimalist-schema": MISPLACED,
        "004-add-mermaid-color-coding-event-driven": MISPLACED,
        "005-add-event-driven-schema": BEFORE_DELTAS,
        "006-schema-authoring-skill-contributing": MISPLACED,
        "008-improve-readme-agent-install-instructions": MISPLACED,
        "010-remove-adr-folder-parameter": BEFORE_DELTAS,
        "012-fix-adr-artifact-completion": (MISSING, LOST),
        "013-replace-linearized-schema-with-skill": (EXISTS, MISSING, "merge_spec_missing"),
        "014-align-intent-driven-adr-completion": (MISSING,),
    },
    "replay-modulus-zh": {
        "016-refactor-module-menu-source": (EXISTS, MISSING, LOST),
        "017-add-view-level-menus": (MISSING, LOST),
    },
    "replay-openspec-self": {
        "002-adopt-future-state-storage": BEFORE_DELTAS,
        "003-add-init-command": BEFORE_DELTAS,
        "004-add-update-command": BEFORE_DELTAS,
        "005-add-complexity-guidelines": MISPLACED,
        "006-add-list-command": BEFORE_DELTAS,
        "007-add-diff-command": BEFORE_DELTAS,
        "008-add-archive-command": BEFORE_DELTAS,
        "009-add-change-commands": (MISSING,),
        "011-add-skip-specs-archive-option": (UNREAD,),
        "013-add-zod-validation": (MISSING,),
        "014-adopt-delta-based-changes": (MISSING, LOST, UNSOUND),
        "016-fix-update-tool-selection": (UNSOUND,),
        "018-structured-spec-format": (UNREAD, UNSOUND),
        "019-add-agents-md-config": (UNSOUND,),
        "020-add-multi-agent-init": (LOST,),
        "021-add-slash-command-support": (UNSOUND,),
        "026-sort-active-changes-by-progress": (LOST,),
        "027-update-agent-file-name": (LOST, UNSOUND, EMPTY),
        "030-add-codex-slash-command-support": (UNSOUND,),
        "031-add-github-copilot-prompts": (UNSOUND,),
        "032-add-kilocode-workflows": (LOST, UNSOUND),
        "034-add-windsurf-workflows": (LOST, UNSOUND),
        "039-update-cli-init-root-agents": (LOST, UNSOUND),
        "041-add-archive-command-arguments": (UNSOUND,),
        "044-add-factory-slash-commands": (UNSOUND,),
        "049-add-antigravity-support": (LOST, UNSOUND),
        "050-fix-cline-workflows-implementation": (LOST, EMPTY),
        "052-add-per-change-schema-metadata": (UNSOUND,),
        "053-add-specs-apply-command": (EXISTS,),
        "059-merge-init-experimental": (MISSING, LOST),
        "060-multi-provider-skill-generation": (UNSOUND,),
        "065-workspace-create-and-register-repos": (LOST,),
    },
}


class Case(NamedTuple):
    """One archive: its number and name, the tree before it, and the folder of the change."""

    name: str
    root: Root
    folder: Path


@pytest.mark.parametrize("base", ["no-base", "recorded-base"])
@pytest.mark.parametrize("corpus", CORPORA)
def test_what_its_authors_archived_merges_or_is_explained(
    corpus: str, base: str, world: World, tmp_path: Path
) -> None:
    refused: dict[str, tuple[str, ...]] = {}
    count = 0
    for case in _cases(unpacked(corpus, tmp_path / "unpacked")):
        count += 1
        if base == "recorded-base":
            _record(case)
        plan = plan_change(Reader(world.context(), case.root).change(case.folder.name))
        codes = {one.code for one in plan.findings if one.level is Level.ERROR}
        if codes - {NO_DELTAS.code}:
            refused[case.name] = tuple(sorted(codes))
        else:
            _check_the_rest(plan)

    wanted = {name: tuple(sorted(codes)) for name, codes in DIFFERENCES[corpus].items()}
    assert refused == wanted
    assert count > len(refused)


def test_every_difference_has_its_reason() -> None:
    used = {code for cases in DIFFERENCES.values() for codes in cases.values() for code in codes}

    assert used == set(REASONS)


def _cases(folder: Path) -> Iterator[Case]:
    for file in sorted(folder.glob("*/case.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        root = Root(file.parent / "ws", SOURCE_NEAREST, case["root"])
        change = root.changes_dir / case["change"]
        assert change.is_dir(), file.parent.name
        yield Case(file.parent.name, root, change)


def _record(case: Case) -> None:
    """Let the change carry the specs as they are: its authors saw them so."""
    for delta in (case.folder / "specs").glob("**/spec.md"):
        capability = delta.parent.relative_to(case.folder / "specs").as_posix()
        spec = case.root.specs_dir / capability / "spec.md"
        target = place(case.folder, capability)
        target.parent.mkdir(parents=True, exist_ok=True)
        if spec.exists():
            shutil.copy(spec, target)
        else:
            target.with_name(NO_SPEC).touch()


def _check_the_rest(plan: ChangePlan) -> None:
    """What the change does not name stays byte for byte, and what it writes is there."""
    for one in plan.deltas:
        assert one.delta is not None
        assert one.merged is not None
        if one.merged.text is None:
            continue
        after = read(one.merged.text)
        named = {block.name for block in (*one.delta.added, *one.delta.modified)}
        gone = {removal.name for removal in one.delta.removed}
        gone |= {rename.old for rename in one.delta.renamed}
        for block in (*one.delta.added, *one.delta.modified):
            lines = one.delta.markdown.lines[block.start : block.end]
            assert after.raw[block.name].splitlines() == lines
        before = {} if one.target.spec is None else read(one.target.spec.markdown.text()).raw
        for name in before.keys() - named - gone:
            assert after.raw[name] == before[name]
