"""What can be wrong with a pipeline; all structural faults share the code `pipeline_invalid`."""

from __future__ import annotations

from rasen.base.findings import Level, Rule
from rasen.base.messages import N_, Phrase

_CODE = "pipeline_invalid"
NOT_A_MAP = Rule(_CODE, Level.ERROR, N_("{place} has to be a map"))
MISSING = Rule(_CODE, Level.ERROR, N_("{place} is missing"), N_("add it"))
WRONG = Rule(_CODE, Level.ERROR, N_("{place} has to be {expected}"))
UNKNOWN_KEY = Rule(
    _CODE, Level.ERROR, N_("{place} is not known here; known are {known}"), N_("remove it")
)
DUPLICATE = Rule(_CODE, Level.ERROR, N_("two stages are called {stage}"), N_("rename one of them"))
REQUIRES_UNKNOWN = Rule(
    _CODE,
    Level.ERROR,
    N_("stage {stage} requires {need}, which is no stage"),
    N_("name one of: {known}"),
)
CYCLE = Rule(_CODE, Level.ERROR, N_("stages require each other in a circle: {path}"))
GROUP_ORDER = Rule(
    _CODE,
    Level.ERROR,
    N_("{stage} requires {need}, and both are in the parallel group {group}"),
    N_("take one of them out of the group"),
)
DECOMPOSE_MANY = Rule(_CODE, Level.ERROR, N_("more than one stage decomposes: {stages}"))
DECOMPOSE_ROOT = Rule(
    _CODE,
    Level.ERROR,
    N_("{stage} decomposes, so it has to be the one stage that requires nothing"),
)
CHILD_UNKNOWN = Rule(
    _CODE,
    Level.ERROR,
    N_("{stage} decomposes into {child}, which cannot be used: {problem}"),
    N_("name one of: {known}"),
)
CHILD_DECOMPOSES = Rule(
    _CODE, Level.ERROR, N_("{stage} decomposes into {child}, which decomposes itself")
)
FLOOR_REVIEWER = Rule(
    _CODE,
    Level.ERROR,
    N_("a composed pipeline needs a stage with the role reviewer"),
    N_("add one, such as a review of the change"),
)
FLOOR_LOOP = Rule(
    _CODE,
    Level.ERROR,
    N_("a composed pipeline needs a stage with a review-cycle loop"),
    N_("give one stage `loop: {{kind: review-cycle}}`"),
)
MEASURE_OPEN = Rule(
    _CODE,
    Level.ERROR,
    N_("the measure gate of {stage} has a command and nothing to compare its answer with"),
    N_("add a threshold or a target"),
)
FIELD_IGNORED = Rule("pipeline_field_ignored", Level.WARNING, N_("{place} means nothing here"))
VET = Rule(
    "pipeline_gate_vet",
    Level.WARNING,
    N_("stage {stage} has the gate `vet`: a gate that no setting can approve"),
)
VET_OFF = Rule(
    "pipeline_gate_kept",
    Level.WARNING,
    N_("the settings switch the gate of {stage} off; it is a vet gate, so it stays"),
)
LEGACY_SKILL = Rule(
    "pipeline_skill_legacy",
    Level.WARNING,
    N_("stage {stage} calls {skill}, which is called {name} now"),
    N_("write {name}"),
)
SKILL_UNKNOWN = Rule(
    "pipeline_skill_unknown",
    Level.ERROR,
    N_("stage {stage} calls {skill}, and nothing has that name"),
    N_("run `rasen workflow list --all` for the names there are"),
)
SKILL_DISABLED = Rule(
    "pipeline_skill_disabled",
    Level.ERROR,
    N_("stage {stage} calls {skill}: {reason}"),
    N_("add its workflow to the profile, then run `rasen update`"),
)
SKILL_LATER = SKILL_DISABLED._replace(fix=N_("choose a pipeline without it: `rasen pipeline list`"))
LEFT_OUT = Phrase(N_("the active profile leaves it out"))
COMES_LATER = Phrase(N_("it comes with a later version"))
"""Why a skill is not there."""
RUNTIME_UNAVAILABLE = Rule(
    "pipeline_runtime_unavailable",
    Level.ERROR,
    N_("stages {stages} run on codex, and `codex --version` does not answer"),
    N_("install it, or set another runtime for these roles"),
)
