"""The refusals and warnings of a merge, one rule each."""

from __future__ import annotations

from rasen.base.findings import Level, Rule
from rasen.base.messages import N_

DUPLICATE = Rule(
    "delta_duplicate",
    Level.ERROR,
    N_('Line {line}: {section} names "{name}" a second time (first in line {first})'),
    N_("Keep one of the two"),
)
CONTRADICTION = Rule(
    "delta_contradiction",
    Level.ERROR,
    N_('Line {line}: "{name}" stands in {one} and in {other}'),
    N_(
        "Keep one of the two; to rename and change a requirement, use RENAMED, and the new name in MODIFIED"
    ),
)
OLD_NAME = Rule(
    "delta_old_name",
    Level.ERROR,
    N_('Line {line}: MODIFIED uses "{name}", which RENAMED changes to "{new}"'),
    N_("Use the new name in MODIFIED"),
)
EMPTY_SECTIONS = Rule(
    "delta_empty",
    Level.ERROR,
    N_("The sections {sections} hold no entry"),
    N_("Add `### Requirement: <name>` below the heading, or delete the heading"),
)
NO_SECTION = Rule(
    "delta_sections_missing",
    Level.ERROR,
    N_("The file has no delta section"),
    N_(
        "Start with `## ADDED Requirements`, `## MODIFIED Requirements`, `## REMOVED Requirements` or `## RENAMED Requirements`"
    ),
)
SPEC_MISSING = Rule(
    "merge_spec_missing",
    Level.ERROR,
    N_('Line {line}: {section} names "{name}", but there is no spec {spec} yet'),
    N_("A new capability takes ADDED requirements only"),
)
REQUIREMENT_MISSING = Rule(
    "merge_requirement_missing",
    Level.ERROR,
    N_(
        'Line {line}: {section} names "{name}", but {spec} has no such requirement; nearest: {nearest}'
    ),
    N_("Write the name exactly as the spec has it"),
)
ALREADY_GONE = Rule(
    "merge_requirement_gone",
    Level.WARNING,
    N_('Line {line}: {section} names "{name}", which {spec} no longer has; nothing to do'),
)
REQUIREMENT_EXISTS = Rule(
    "merge_requirement_exists",
    Level.ERROR,
    N_(
        'Line {line}: ADDED "{name}" stands in {spec} already (line {at}) with other text.\n--- in the spec\n{current}\n--- in the change\n{wanted}'
    ),
    N_("Use MODIFIED to change it, or another name"),
)
NAME_TAKEN = Rule(
    "merge_name_taken",
    Level.ERROR,
    N_('Line {line}: RENAMED to "{name}", but {spec} has a requirement of that name (line {at})'),
    N_("Choose another name"),
)
SCENARIO_LOST = Rule(
    "merge_scenario_lost",
    Level.ERROR,
    N_(
        'Line {line}: MODIFIED "{name}" leaves out the scenarios {scenarios} that {spec} has (line {at})'
    ),
    N_(
        "Repeat them in the block, or say that they go: `<!-- removed: <scenario> -->`, or `<!-- was: <scenario> -->` below the heading that replaces one"
    ),
)
CONFLICT = Rule(
    "merge_conflict",
    Level.ERROR,
    N_(
        'Line {line}: "{name}", {place}: {spec} changed since the change was written, and the change has it otherwise.\n'
        "--- base\n{base}\n--- in the spec now\n{theirs}\n--- in the change\n{mine}"
    ),
    N_(
        "Edit the delta so that it says what is meant now, then run `rasen change base {change} --rebase`"
    ),
)
INTENT_IDLE = Rule(
    "merge_intent_idle",
    Level.WARNING,
    N_(
        'Line {line}: MODIFIED "{name}" speaks of scenario "{scenario}", which {spec} does not have'
    ),
    N_("Write the name as the spec has it"),
)
BASE_UNKNOWN = Rule(
    "base_unknown",
    Level.INFO,
    N_("Nobody knows what {spec} said when this delta was written: {why}"),
    N_("Record it with `rasen change base {change} --record`"),
)
HEADING_LOST = Rule(
    "merge_heading_lost",
    Level.WARNING,
    N_(
        'Line {line}: heading "{title}" inside requirement "{name}" of {spec} (line {at}) goes with it'
    ),
)
SPEC_UNSOUND = Rule(
    "merge_spec_unsound",
    Level.ERROR,
    N_("{spec} cannot be merged into: {problem}"),
    N_("Mend the spec first; `rasen validate {capability} --type spec` shows all of it"),
)
MERGED_INVALID = Rule(
    "merged_spec_invalid",
    Level.ERROR,
    N_("{spec} would not be valid after the merge: {place}: {problem}"),
)
RETIRE_LOSES_TEXT = Rule(
    "merge_retire_loses_text",
    Level.ERROR,
    N_("The last requirement of {spec} goes, but the file holds other text (line {at}: {text})"),
    N_(
        "Move that text elsewhere, or set `retire_capabilities: true` in the change's .openspec.yaml"
    ),
)
PURPOSE_IGNORED = Rule(
    "merge_purpose_ignored",
    Level.WARNING,
    N_("Line {line}: {spec} has a Purpose of its own; the one in the change is not merged"),
)
PURPOSE_UNUSABLE = Rule(
    "merge_purpose_unusable",
    Level.WARNING,
    N_("Line {line}: this Purpose cannot stand in a spec as it is; {spec} gets a placeholder"),
    N_("Write plain sentences without headings, and close code fences"),
)
RENAME_SAME = Rule(
    "delta_rename_same",
    Level.WARNING,
    N_('Line {line}: RENAMED gives "{name}" the name it has; nothing to do'),
    N_("Delete the pair"),
)
FENCE_SWALLOWS = Rule(
    "merge_fence_unclosed",
    Level.ERROR,
    N_("Line {line}: this code fence is never closed; in {spec} it would hide what follows it"),
    N_("Close the fence with a line of the same mark"),
)
