"""Everything that can be wrong with a schema, as rules."""

from __future__ import annotations

from rasen.base.findings import Level, Rule
from rasen.base.messages import N_


def _error(code: str, text: str, fix: str = "") -> Rule:
    return Rule(code, Level.ERROR, text, fix)


NOT_A_MAP = _error(
    "schema_not_a_map", N_("the file has to be a map with name, version and artifacts")
)
MISSING = _error("schema_value_missing", N_("{place}: missing; it has to be {expected}"))
WRONG_TYPE = _error("schema_value_type", N_("{place}: has to be {expected}, not {actual}"))
DUPLICATE_ID = _error(
    "schema_id_duplicate",
    N_("{place}: the artifact id '{id}' is used twice"),
    N_("rename one of them"),
)
UNKNOWN_REQUIRES = _error(
    "schema_requires_unknown",
    N_("artifact '{artifact}' requires '{id}', which is no artifact of this schema"),
)
UNKNOWN_APPLY = _error(
    "schema_apply_requires_unknown",
    N_("apply requires '{id}', which is no artifact of this schema"),
)
DID_YOU_MEAN = N_("did you mean '{nearest}'?")
UNKNOWN_CONTEXT = _error(
    "schema_context_from_unknown",
    N_("artifact '{artifact}' takes context from '{id}', which is no artifact of this schema"),
)
LOOSE_CONTEXT = _error(
    "schema_context_from_not_required",
    N_("artifact '{artifact}' takes context from '{id}' but does not require it"),
    N_("add '{id}' to its requires"),
)
CYCLE = _error(
    "schema_cycle",
    N_("artifacts wait for one another: {cycle}"),
    N_("remove one of these requirements"),
)
SAME_OUTPUT = _error(
    "schema_generates_duplicate",
    N_("artifacts '{first}' and '{artifact}' both generate {generates}"),
    N_("give each artifact a file of its own"),
)
UNSAFE_PATH = _error(
    "schema_path_unsafe",
    N_("{place}: '{value}' is no path inside its folder"),
    N_("use a relative path with `/` and without `..`"),
)
OVERLAP = Rule(
    "schema_generates_overlap",
    Level.WARNING,
    N_("{generates} of artifact '{artifact}' is also matched by {pattern} of artifact '{first}'"),
    N_("one file then makes both count as done; move it out of the pattern"),
)
UNTRACKED = Rule(
    "schema_tracks_unknown",
    Level.WARNING,
    N_("apply tracks '{tracks}', which no artifact generates; tasks are then read from tasks.md"),
    N_("name the `generates` of one artifact"),
)
TEMPLATE_MISSING = _error(
    "schema_template_missing",
    N_("artifact '{artifact}': there is no template {template}"),
    N_("create templates/{template} beside schema.yaml"),
)
