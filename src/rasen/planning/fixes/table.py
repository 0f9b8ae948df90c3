"""Which remedy goes with which code."""

from __future__ import annotations

from collections.abc import Mapping

from rasen.planning.fixes import headings, names, placing, scenarios, tasks
from rasen.planning.fixes.model import Remedy

IN_DELTA: Mapping[str, Remedy] = {
    "delta_heading_malformed": headings.requirement_form,
    "delta_heading_skipped": headings.scenario_level,
    "delta_requirement_unread": placing.unread_in_delta,
    "delta_scenarios_missing": headings.scenario_levels,
    "delta_section_ignored": headings.scenario_level,
    "delta_section_malformed": headings.malformed_section,
    "merge_requirement_missing": names.near_name,
    "merge_scenario_lost": scenarios.lost_scenarios,
    "requirement_heading_level": headings.requirement_level,
}
IN_TASKS: Mapping[str, Remedy] = {"task_unread": tasks.readable_task}
IN_SPEC: Mapping[str, Remedy] = {
    "requirement_heading_level": headings.requirement_level,
    "requirement_scenarios_guide": headings.scenario_levels,
    "requirement_scenarios_missing": headings.scenario_levels,
    "spec_delta_heading": placing.delta_heading_in_spec,
    "spec_requirement_misplaced": placing.stray_in_spec,
    "spec_requirements_missing": placing.requirements_heading,
}
OF_PLACES = frozenset({"delta_file_at_root", "delta_file_misplaced"})
"""Findings about where a file lies; those are mended by moving it."""
