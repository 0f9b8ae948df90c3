"""Owns `pipeline.yaml`: its structure, its defaults and where each fault stands.

Fields we do not know are ignored with a warning at the top and in stages, and refused elsewhere.
Source: library §21.1, PL-001.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rasen.base.errors import InvalidInput
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, Phrase
from rasen.config.keys import ROLES, is_text, is_threshold, is_whole
from rasen.pipelines import rules
from rasen.pipelines.model import (
    CHILD,
    COMPOSED,
    DECOMPOSE,
    GOAL,
    PACKAGE,
    REVIEW_CYCLE,
    RUNTIMES,
    STANDARD,
    UI,
    Agent,
    Handoff,
    Pipeline,
    Reuse,
    Stage,
    Threshold,
)

FORMAT = "pipeline.yaml"
Steps = tuple[str | int, ...]
Where = Callable[[Steps], tuple[int, int] | None]

_TEXT = Phrase(N_("text that is not empty"))
_FLAG = Phrase(N_("true or false"))
_POSITIVE = Phrase(N_("a whole number above 0"))
_SHARE = Phrase(
    N_("a number above 0 and at most 1, or a map with remainingTokens, a positive number")
)
_NUMBER = Phrase(N_("a number"))
_TEXTS = Phrase(N_("a list of texts"))

_REUSES = ("none", "stage", "run-planner", "review-thread")
_SANDBOXES = ("read-only", "workspace-write")
_POLICIES = ("adaptive", "standard", "light")
_TOP = ("name", "description", "agents", "handoff", "reuse", "origin", "stages")
_STAGE = (
    "id", "kind", "skill", "childPipeline", "role", "requires", "gate", "loop", "parallelGroup",
    "condition", "leadReview", "verifyPolicy", "runtime", "sessionReuse", "sandbox", "model",
    "effort", "handoff",
)  # fmt: skip
_AGENT = ("runtime", "sessionReuse", "sandbox", "model", "effort")
_GOAL = ("kind", "gate", "maxRounds", "loopStallLimit", "blockedThreshold", "runArtifact")
_MEASURE = ("kind", "command", "threshold", "target", "direction", "timeoutSec")
_EVALUATE = ("kind", "goal", "rubric")


_UNKNOWN: Mapping[object, object] = {}
"""Stands for what should have been a map; nothing more is said about it."""


class PipelineInvalid(InvalidInput):
    """A pipeline that cannot be used; `findings` says everything that is wrong with it."""

    code = "pipeline_invalid"
    text = N_("the pipeline {file} cannot be used: {problems}")
    fix = N_("correct {file}; `rasen pipeline validate {name}` lists every problem")

    def __init__(self, *, file: str, name: str, findings: Iterable[Finding]) -> None:
        self.findings = [one for one in findings if one.level is Level.ERROR]
        told = "; ".join(map(_sentence, self.findings))
        super().__init__(file=file, name=name, problems=told)


def _sentence(finding: Finding) -> str:
    return f"line {finding.line}: {finding.message}" if finding.line else finding.message


def read(
    value: object, where: Where, *, source: str = PACKAGE, place: Path | None = None
) -> tuple[Pipeline, list[Finding]]:
    """The pipeline in a parsed document, with everything that is wrong with its fields.

    Use it only when no finding is an error. What stages mean together is checked in `sense`.
    """
    reader = _Reader(where)
    return reader.pipeline(value, source, place), reader.findings


class _Reader:
    """Takes a document apart; every field that is wrong counts as not given."""

    def __init__(self, where: Where) -> None:
        self.where = where
        self.findings: list[Finding] = []

    def report(self, rule: Rule, at: Steps, **params: object) -> None:
        line, column = self.where(at) or self.where(at[:-1]) or (None, None)
        place = _shown(at)
        self.findings.append(Finding(rule, place, {"place": place, **params}, line, column))

    def pipeline(self, value: object, source: str, place: Path | None) -> Pipeline:
        top = self.map(value, ())
        self.fields(top, _TOP, (), is_strict=False)
        self.needed(top, ("name", "stages"), ())
        return Pipeline(
            name=self.text(top, "name", ()) or "",
            description=self.string(top, "description", ()) or "",
            stages=tuple(self.stages(top)),
            agents=self.agents(top),
            handoff=self.handoff(top, ()) or Handoff(),
            reuse=self.reuse(top),
            origin=self.choice(top, "origin", (), (COMPOSED, UI)),
            source=source,
            place=place,
        )

    def agents(self, top: Mapping[object, object]) -> dict[str, Agent]:
        given = self.inner(top, "agents", ())
        self.fields(given, ROLES, ("agents",))
        found = {}
        for role in ROLES:
            agent = self.agent(given[role], ("agents", role)) if role in given else None
            if agent is not None:
                found[role] = agent
        return found

    def agent(self, value: object, at: Steps) -> Agent | None:
        if isinstance(value, str):
            value = {"runtime": value}
            shorthand = True
        else:
            shorthand = False
        given = self.map(value, at)
        self.fields(given, _AGENT, at)
        self.needed(given, ("runtime",), at)
        runtime = self.choice(given, "runtime", at, RUNTIMES)
        if runtime is None:
            return None
        return Agent(
            runtime,
            session_reuse=self.choice(given, "sessionReuse", at, _REUSES),
            sandbox=self.choice(given, "sandbox", at, _SANDBOXES),
            model=self.text(given, "model", at),
            effort=self.text(given, "effort", at),
            given=runtime if shorthand else dict(given),
        )

    def handoff(self, above: Mapping[object, object], at: Steps) -> Handoff | None:
        if "handoff" not in above:
            return None
        here = (*at, "handoff")
        given = self.inner(above, "handoff", at)
        known = ("threshold", "maxRelays", "stallLimit")
        self.fields(given, known if at else (*known, "roles"), here)
        return Handoff(
            self.threshold(given, "threshold", here),
            self.positive(given, "maxRelays", here),
            self.positive(given, "stallLimit", here),
            {} if at else self.thresholds(given, ROLES, here),
        )

    def reuse(self, top: Mapping[object, object]) -> Reuse:
        given, at = self.inner(top, "reuse", ()), ("reuse",)
        self.fields(given, ("planner", "implementer", "threshold", "roles"), at)
        modes = ("auto", "never")
        return Reuse(
            self.choice(given, "planner", at, modes) or "auto",
            self.choice(given, "implementer", at, modes) or "auto",
            self.threshold(given, "threshold", at),
            self.thresholds(given, ("planner", "implementer"), at),
        )

    def stages(self, top: Mapping[object, object]) -> Iterable[Stage]:
        if "stages" not in top:
            return
        value = top["stages"]
        if not isinstance(value, list) or not value:
            expected = Phrase(N_("a list with at least one stage"))
            self.report(rules.WRONG, ("stages",), expected=expected)
            return
        for number, item in enumerate(value):
            yield self.stage(item, ("stages", number))

    def stage(self, value: object, at: Steps) -> Stage:
        given = self.map(value, at)
        self.fields(given, _STAGE, at, is_strict=False)
        kind = self.choice(given, "kind", at, (STANDARD, DECOMPOSE)) or STANDARD
        self.needed(given, ("id",) if kind == DECOMPOSE else ("id", "skill"), at)
        child = self.text(given, "childPipeline", at)
        is_vet = given.get("gate") == "vet"
        name = self.text(given, "id", at) or ""
        if is_vet:
            self.report(rules.VET, (*at, "gate"), stage=name)
        return Stage(
            name,
            kind,
            skill=self.text(given, "skill", at),
            child=(child or CHILD) if kind == DECOMPOSE else None,
            role=self.choice(given, "role", at, ROLES),
            requires=self.texts(given, "requires", at),
            gate=is_vet or self.flag(given, "gate", at),
            is_vet=is_vet,
            loop=self.loop(given, at),
            parallel_group=self.text(given, "parallelGroup", at),
            condition=self.text(given, "condition", at),
            lead_review=self.flag(given, "leadReview", at),
            verify_policy=self.choice(given, "verifyPolicy", at, _POLICIES),
            runtime=self.choice(given, "runtime", at, RUNTIMES),
            session_reuse=self.choice(given, "sessionReuse", at, _REUSES),
            sandbox=self.choice(given, "sandbox", at, _SANDBOXES),
            model=self.text(given, "model", at),
            effort=self.text(given, "effort", at),
            handoff=self.handoff(given, at),
        )

    def loop(self, stage: Mapping[object, object], at: Steps) -> Mapping[str, object] | None:
        if "loop" not in stage:
            return None
        here = (*at, "loop")
        given = self.inner(stage, "loop", at)
        self.needed(given, ("kind",), here)
        kind = self.choice(given, "kind", here, (REVIEW_CYCLE, GOAL))
        if kind == REVIEW_CYCLE:
            self.fields(given, ("kind", "maxRounds"), here)
            return {"kind": kind, "maxRounds": self.positive(given, "maxRounds", here) or 3}
        if kind is None:
            return None
        self.fields(given, _GOAL, here)
        self.needed(given, ("gate",), here)
        return {
            "kind": kind,
            "gate": self.gate(given, here),
            "maxRounds": self.positive(given, "maxRounds", here) or 5,
            "loopStallLimit": self.positive(given, "loopStallLimit", here) or 2,
            "blockedThreshold": self.positive(given, "blockedThreshold", here) or 3,
            "runArtifact": self.text(given, "runArtifact", here) or "goal-run.json",
        }

    def gate(self, loop: Mapping[object, object], at: Steps) -> Mapping[str, object]:
        here = (*at, "gate")
        given = self.inner(loop, "gate", at) if "gate" in loop else _UNKNOWN
        self.needed(given, ("kind",), here)
        kind = self.choice(given, "kind", here, ("measure", "evaluate"))
        answer: dict[str, object] = {"kind": kind}
        if kind == "evaluate":
            self.fields(given, _EVALUATE, here)
            answer |= {name: self.text(given, name, here) for name in ("goal", "rubric")}
        elif kind == "measure":
            self.fields(given, _MEASURE, here)
            answer["command"] = self.text(given, "command", here)
            answer |= {name: self.number(given, name, here) for name in ("threshold", "target")}
            answer["direction"] = self.choice(given, "direction", here, ("gte", "lte")) or "gte"
            answer["timeoutSec"] = self.positive(given, "timeoutSec", here) or 120
        return {name: one for name, one in answer.items() if one is not None}

    # One field of a map; None (or empty) when it is not given or wrong.

    def map(self, value: object, at: Steps) -> Mapping[object, object]:
        if isinstance(value, Mapping):
            return value
        self.report(rules.NOT_A_MAP, at)
        return _UNKNOWN

    def inner(
        self, above: Mapping[object, object], name: str, at: Steps
    ) -> Mapping[object, object]:
        return self.map(above[name], (*at, name)) if name in above else {}

    def fields(
        self,
        given: Mapping[object, object],
        known: tuple[str, ...],
        at: Steps,
        *,
        is_strict: bool = True,
    ) -> None:
        for key in given:
            if key not in known:
                rule = rules.UNKNOWN_KEY if is_strict else rules.FIELD_IGNORED
                self.report(rule, (*at, str(key)), known=", ".join(known))

    def needed(self, given: Mapping[object, object], names: tuple[str, ...], at: Steps) -> None:
        for name in names if given is not _UNKNOWN else ():
            if name not in given:
                self.report(rules.MISSING, (*at, name))

    def checked(
        self,
        given: Mapping[object, object],
        name: str,
        at: Steps,
        takes: Callable[[object], bool],
        expected: str,
    ) -> object:
        if name not in given:
            return None
        value = given[name]
        if takes(value):
            return value
        self.report(rules.WRONG, (*at, name), expected=expected)
        return None

    def text(self, given: Mapping[object, object], name: str, at: Steps) -> str | None:
        value = self.checked(given, name, at, is_text, _TEXT)
        return value if isinstance(value, str) else None

    def string(self, given: Mapping[object, object], name: str, at: Steps) -> str | None:
        value = self.checked(given, name, at, lambda one: isinstance(one, str), Phrase(N_("text")))
        return value if isinstance(value, str) else None

    def choice(
        self, given: Mapping[object, object], name: str, at: Steps, choices: tuple[str, ...]
    ) -> str | None:
        value = self.checked(given, name, at, choices.__contains__, " | ".join(choices))
        return value if isinstance(value, str) else None

    def flag(self, given: Mapping[object, object], name: str, at: Steps) -> bool:
        return self.checked(given, name, at, lambda one: isinstance(one, bool), _FLAG) is True

    def positive(self, given: Mapping[object, object], name: str, at: Steps) -> int | None:
        value = self.checked(given, name, at, _is_positive, _POSITIVE)
        return value if isinstance(value, int) else None

    def number(self, given: Mapping[object, object], name: str, at: Steps) -> float | None:
        value = self.checked(given, name, at, _is_number, _NUMBER)
        return value if isinstance(value, int | float) else None

    def threshold(self, given: Mapping[object, object], name: str, at: Steps) -> Threshold | None:
        value = self.checked(given, name, at, is_threshold, _SHARE)
        return value if isinstance(value, int | float | Mapping) else None

    def thresholds(
        self, given: Mapping[object, object], roles: tuple[str, ...], at: Steps
    ) -> dict[str, Threshold]:
        inner, here = self.inner(given, "roles", at), (*at, "roles")
        self.fields(inner, roles, here)
        found = {role: self.threshold(inner, role, here) for role in roles}
        return {role: value for role, value in found.items() if value is not None}

    def texts(self, given: Mapping[object, object], name: str, at: Steps) -> tuple[str, ...]:
        value = self.checked(
            given, name, at, lambda one: isinstance(one, list) and all(map(is_text, one)), _TEXTS
        )
        return tuple(value) if isinstance(value, list) else ()


def _is_positive(value: object) -> bool:
    return isinstance(value, int) and is_whole(value) and value > 0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(at: Steps) -> str:
    """`at` as people write it: `stages[2].loop`."""
    text = ""
    for step in at:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or FORMAT
