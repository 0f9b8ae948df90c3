"""The codes of the findings that may have a remedy; light, for those who only want to know."""

from __future__ import annotations

FIXABLE = frozenset(
    {
        "delta_file_at_root",
        "delta_file_misplaced",
        "delta_heading_malformed",
        "delta_heading_skipped",
        "delta_requirement_unread",
        "delta_scenarios_missing",
        "delta_section_ignored",
        "delta_section_malformed",
        "merge_requirement_missing",
        "merge_scenario_lost",
        "requirement_heading_level",
        "requirement_scenarios_guide",
        "requirement_scenarios_missing",
        "spec_delta_heading",
        "spec_requirement_misplaced",
        "spec_requirements_missing",
        "task_unread",
    }
)
