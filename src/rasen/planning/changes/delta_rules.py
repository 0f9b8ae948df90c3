"""The findings that reading a delta file can make, one rule each."""

from __future__ import annotations

from rasen.base.findings import Level, Rule
from rasen.base.messages import N_

REQUIREMENT_UNREAD = Rule(
    "delta_requirement_unread",
    Level.ERROR,
    N_('Line {line}: requirement "{name}" stands under {place}, where it has no effect'),
    N_("Put it below `## {wanted} Requirements`"),
)
SECTION_MALFORMED = Rule(
    "delta_section_malformed",
    Level.ERROR,
    N_('Line {line}: "{text}" begins no section: two hashes and a space are needed'),
    N_("Write `{form}`"),
)
ENTRY_UNREAD = Rule(
    "delta_entry_unread",
    Level.ERROR,
    N_('Line {line}: "{text}" is no entry of {section} and has no effect'),
    N_("Write it as {form}"),
)
RENAME_UNPAIRED = Rule(
    "delta_rename_unpaired",
    Level.ERROR,
    N_("Line {line}: {side} without its partner: each FROM is followed by its TO"),
    N_("Write the pairs one after the other: FROM, TO, FROM, TO"),
)
HEADING_SKIPPED = Rule(
    "delta_heading_skipped",
    Level.INFO,
    N_('Line {line}: heading "{title}" is no requirement and begins none'),
)
HEADING_MALFORMED = Rule(
    "delta_heading_malformed",
    Level.WARNING,
    N_('Line {line}: heading "{title}" looks like a requirement but is none'),
    N_("Write `### Requirement: <name>`"),
)
SECTION_IGNORED = Rule(
    "delta_section_ignored",
    Level.INFO,
    N_('Line {line}: section "{title}" is not merged'),
)
TEXT_IGNORED = Rule(
    "delta_text_ignored",
    Level.INFO,
    N_("Lines {line} to {last}: this text stands before any entry and is not merged"),
)
