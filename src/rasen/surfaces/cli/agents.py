"""Agents on the command line: which are meant, and what became of their skills."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.surfaces import present
from rasen.surfaces.cli.prompts import Box

if TYPE_CHECKING:
    from pathlib import Path

    from rasen.base.findings import Finding
    from rasen.hosts.model import Host
    from rasen.surfaces.cli.run import App
    from rasen.upkeep.refreshed import Report, Tool

_QUESTION = N_("Which agents do you work with here?")
_OUTCOMES = {
    "created": N_("Created: {tools}"),
    "refreshed": N_("Refreshed: {tools}"),
    "unchanged": N_("Unchanged: {tools}"),
    "failed": N_("Incomplete: {tools}"),
}
_FORESEEN = {
    "created": N_("Would be created: {tools}"),
    "refreshed": N_("Would be refreshed: {tools}"),
    "unchanged": N_("Unchanged: {tools}"),
    "failed": N_("Would be incomplete: {tools}"),
}


def wanted(app: App, root: Path, given: str | None) -> tuple[Host, ...]:
    """The agents that `--tools` names; without it those a person ticks, or those found here.

    Those that serve the whole machine are found only when they are named.
    Errors: usage_error, tool_unknown. Source: planning §8.4, 8.
    """
    from rasen.hosts import ops as hosts

    if given is not None:
        return hosts.chosen(given)
    found = [one for one in hosts.detected(app.ctx, root) if not one.is_machine_wide]
    known = [one for one in hosts.configured(app.ctx, root) if not one.is_machine_wide]
    if app.interactive:
        return _ticked(app, found, known)
    return tuple(one for one in hosts.HOSTS if one in found or one in known)


def _ticked(app: App, found: Sequence[Host], known: Sequence[Host]) -> tuple[Host, ...]:
    """What a person ticks; before the first time, what is found here is ticked already."""
    from rasen.hosts import ops as hosts

    ticked = known or found
    first = [one for one in hosts.HOSTS if one in found or one in known]
    rest = [one for one in hosts.HOSTS if one not in first and hosts.is_selectable(one)]
    boxes = [Box(one.id, f"{one.name} ({one.id})", one in ticked) for one in (*first, *rest)]
    ids = app.tick(_QUESTION, boxes, rerun="--tools <ids>") or []
    return tuple(hosts.host(id) for id in ids)


def tick_through(app: App, label: str) -> Any:
    """What passes agents on with a bar on stderr, where a person looks."""
    return lambda members: app.progress(list(members), label)


def members(report: Report) -> dict[str, object]:
    """The members of a document about skills: `profile` and `tools`."""
    chosen = report.selection
    profile = {
        "name": chosen.name,
        "source": chosen.source.value,
        "workflows": list(chosen.workflows),
    }
    return {"profile": profile, "tools": [one.to_json() for one in report.tools]}


def statuses(app: App, report: Report) -> list[dict[str, str]]:
    """What is to be known, each with the agent that it is about as target."""
    told = [_status(app, one, "") for one in report.findings]
    return told + [
        _status(app, one, tool.host.id) for tool in report.tools for one in tool.problems
    ]


def tell(app: App, report: Report) -> None:
    """Say what became of the agents: the outcome on stdout, what is to be known on stderr."""
    words = _FORESEEN if report.is_dry else _OUTCOMES
    for outcome, template in words.items():
        tools = [one for one in report.tools if one.outcome == outcome]
        if tools:
            names = ", ".join(f"{one.host.name} ({one.home})" for one in tools)
            app.line(template, tools=names)
    app.line(
        "Skills: {count} for each, by the profile {profile}",
        count=report.skills,
        profile=report.selection.name,
    )
    if report.is_dry:
        for tool in report.tools:
            _foretell(app, tool)
    tell_problems(app, report)
    if not report.is_dry and any(one.written or one.removed for one in report.tools):
        app.line("Restart your agent if it does not see its new skills.")


def tell_problems(app: App, report: Report) -> None:
    """Say on stderr what is to be known, of all agents and of each."""
    for one in report.findings:
        say(app, one)
    for tool in report.tools:
        for problem in tool.problems:
            say(app, problem, about=tool.host.name)


def say(app: App, problem: Finding | ToolError, *, about: str = "") -> None:
    """Say one problem and its fix on stderr. about: the agent that has it."""
    message = app.told(problem)
    if about:
        app.say("{about}: {message}", about=about, message=message)
    else:
        app.say("{message}", message=message)
    step = present.fix(problem, app.translate)
    if step:
        app.say("Fix: {step}", step=step)


def _foretell(app: App, tool: Tool) -> None:
    _list(app, N_("  would write {path}"), tool.written)
    _list(app, N_("  would write {path}"), tool.beside)
    _list(app, N_("  would remove {path}"), tool.removed)


def _list(app: App, template: str, paths: Iterable[str]) -> None:
    for path in paths:
        app.line(template, path=path)


def _status(app: App, problem: Finding | ToolError, target: str) -> dict[str, str]:
    answer = app.diagnostic(problem)
    if target:
        fix = answer.pop("fix", None)
        answer["target"] = target
        if fix:
            answer["fix"] = fix
    return answer
