"""What else a spec holds when its last requirement goes."""

from __future__ import annotations

from rasen.planning.specs.model import Role
from rasen.planning.specs.spec_file import SpecDocument

_EXPECTED = {
    Role.BLANK,
    Role.TITLE,
    Role.PURPOSE,
    Role.SECTION,
    Role.REQUIREMENT,
    Role.BODY,
    Role.SCENARIO,
    Role.SCENARIO_BODY,
}


def text_lost_by_retiring(spec: SpecDocument) -> int | None:
    """The first line that would go with the spec although no requirement holds it; None without one.

    Title, purpose and requirements may go; a preamble, other sections and foreign headings inside
    requirements may not. Source: planning §6.5.
    """
    for line, role in enumerate(spec.roles()):
        if role not in _EXPECTED:
            return line
    return None
