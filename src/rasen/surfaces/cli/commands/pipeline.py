"""`rasen pipeline`: which pipelines there are, what is in them, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.packages.model import ENDING
from rasen.surfaces import present
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from rasen.base.findings import Finding
    from rasen.pipelines.ops import Check, View
    from rasen.roots.model import RootRequest

_FALLBACK = "pipeline_command_error"
_DESCRIPTIONS = {
    "auto-decompose": N_(
        "Splits work that is too large into changes, each of which goes through small-feature"
    ),
    "bug-fix": N_("A short proposal, the fix, a check as deep as the fix is risky, and delivery"),
    "full-feature": N_(
        "From a question about the need to a retained lesson; for work that shapes the product"
    ),
    "goal-loop-evaluate": N_(
        "Works in rounds until a judgement by a rubric says that the goal is reached"
    ),
    "goal-loop-measure": N_("Works in rounds until a command measures that the goal is reached"),
    "goal-loop-research": N_(
        "Looks into a question in rounds until the rubric is met, then reports"
    ),
    "small-feature": N_("A proposal, the work, one review with its fixes, and delivery"),
}
"""What our own pipelines say of themselves, to be translated. Source: library PL-047."""


@click.command(name="list", help=N_("List the pipelines: the project's, yours, and our own."))
@json_option
@root_options
@guarded(fallback=_FALLBACK, null={"pipelines": []})
def list_pipelines(app: App, *, selector: RootRequest, as_json: bool) -> None:
    from rasen.pipelines import ops

    found = ops.listing(app.ctx, app.root(selector))
    if as_json:
        rows = [
            {
                "name": one.name,
                "description": one.description,
                "stages": list(one.ids),
                "source": one.source,
            }
            for one in found
        ]
        app.document({"pipelines": rows})
        return
    from rasen.surfaces.cli.columns import column, padded, row

    width = column(one.name for one in found)
    for one in found:
        text = _described(app, one.name, one.description, one.source)
        where = "" if one.source == "package" else f" ({one.source})"
        app.raw(row(padded(one.name, width), text + where))


def _described(app: App, name: str, description: str, source: str) -> str:
    from rasen.base.text import without_controls

    if source == "package" and description == _DESCRIPTIONS.get(name):
        return app.t(description)
    return without_controls(" ".join(description.split()))


@click.command(
    name="show",
    help=N_(
        "Show the stages of a pipeline, with what counts for each: gates, models, runtimes, "
        "handoffs, and where each value comes from."
    ),
)
@click.argument("name")
@click.option(
    "--for-execution",
    is_flag=True,
    help=N_("Check too that every skill and program that it calls is there"),
)
@json_option
@root_options
@guarded(fallback=_FALLBACK)
def show(app: App, *, selector: RootRequest, as_json: bool, name: str, for_execution: bool) -> None:
    from rasen.pipelines import ops

    view = ops.show(app.ctx, app.root(selector), name, for_execution=for_execution)
    if as_json:
        app.document(view.to_json())
        return
    _tell(app, view)
    say_findings(app, view.warnings)


def _tell(app: App, view: View) -> None:
    one = view.pipeline
    app.line(N_("Pipeline: {name} ({source})"), name=one.name, source=one.source)
    app.line("{text}", text=_described(app, one.name, one.description, one.source))
    app.line()
    for number, stage in enumerate(view.in_order(), start=1):
        what = stage["skill"] or f"→ {stage['childPipeline']}"
        app.line("{number}. {id}: {skill}", number=number, id=stage["id"], skill=what)
        for text in _details(app, stage):
            app.line("   {text}", text=text)


def _details(app: App, stage: Mapping[str, Any]) -> Iterator[str]:
    if stage["requires"]:
        yield app.t(N_("after: {names}"), names=", ".join(stage["requires"]))
    if stage["condition"]:
        yield app.t(N_("when: {condition}"), condition=stage["condition"])
    if stage["role"]:
        model = stage["model"] or app.t(N_("the usual model"))
        yield app.t(
            N_("role: {role}, in {runtime} with {model}"),
            role=stage["role"],
            runtime=stage["runtime"],
            model=model,
        )
    if stage["effectiveGate"]:
        yield app.t(N_("waits for a yes"))
    elif stage["gate"]:
        yield app.t(N_("does not wait for a yes ({source})"), source=stage["gateSource"])
    loop = stage["loop"]
    if loop:
        text = N_("repeats as {kind}, at most {most} rounds")
        yield app.t(text, kind=loop["kind"], most=loop["maxRounds"])


@click.command(
    name="validate",
    help=N_(
        "Check a pipeline, by its name or by the folder it lies in, or a package of pipelines. "
        "Nothing is changed."
    ),
)
@click.argument("target", metavar="NAME-OR-PATH")
@json_option
@root_options
@guarded(fallback=_FALLBACK, null={"validation": None})
def validate(app: App, *, selector: RootRequest, as_json: bool, target: str) -> int:
    from rasen.pipelines import ops

    if target.endswith(ENDING):
        return _validate_package(app, target, as_json=as_json)
    check = ops.validate(app.ctx, app.root(selector), target)
    if as_json:
        app.document({"validation": _validation(check), "status": []})
    elif check.is_valid:
        app.line(N_("Pipeline '{name}' is valid"), name=check.name)
        say_findings(app, check.findings)
    else:
        app.say(N_("Pipeline '{name}' has issues"), name=check.name)
        say_findings(app, check.findings)
    return EXIT_OK if check.is_valid else EXIT_FAILED


def _validate_package(app: App, target: str, *, as_json: bool) -> int:
    from rasen.packages import ops
    from rasen.packages.model import Kind

    check = ops.check_package(app.ctx, target, expected=Kind.PIPELINE)
    if as_json:
        answer: dict[str, object] = {"valid": check.is_valid, "kind": "package"}
        if check.package is not None:
            answer["name"] = ", ".join(check.package.roots)
            answer["packageKind"] = check.package.kind.value
        answer["diagnostics"] = diagnostics(check.found)
        app.document({"validation": answer, "status": []})
    elif check.is_valid:
        app.line(N_("Package '{file}' is valid"), file=target)
    else:
        app.say(N_("Package '{file}' has issues"), file=target)
        say_findings(app, check.found)
    return EXIT_OK if check.is_valid else EXIT_FAILED


def _validation(check: Check) -> dict[str, object]:
    return {
        "valid": check.is_valid,
        "kind": check.kind,
        "name": check.name,
        "diagnostics": diagnostics(check.findings),
    }


def diagnostics(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """`{code, severity, message, path?, line?}` of each. Source: library §21.5."""
    answer = []
    for one in findings:
        row: dict[str, object] = {
            "code": one.code,
            "severity": present.diagnostic(one)["severity"],
            "message": one.message,
        }
        if one.path:
            row["path"] = one.path
        if one.line is not None:
            row["line"] = one.line
        answer.append(row)
    return answer


@click.command(
    name="classify",
    help=N_("Suggest a pipeline for a task, by the words of the task. Only advice."),
)
@click.argument("task")
@json_option
@root_options
@guarded(fallback=_FALLBACK)
def classify(app: App, *, selector: RootRequest, as_json: bool, task: str) -> None:
    from rasen.pipelines import ops

    found = ops.classify(app.ctx, app.root(selector), task)
    if as_json:
        app.document(found.to_json())
        return
    app.line("{name}", name=found.suggested)
    if found.matched:
        app.line(N_("because of: {words}"), words=", ".join(found.matched))
    else:
        app.line(N_("no word says that it is a defect or a large feature"))
