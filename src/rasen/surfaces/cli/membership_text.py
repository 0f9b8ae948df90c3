"""What membership commands tell a person: files touched, what is to be known, commits to make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rasen.surfaces import present
from rasen.surfaces.cli.run import App

if TYPE_CHECKING:
    from rasen.base.findings import Finding
    from rasen.stores.commits import Commit
    from rasen.stores.membership import Written


def tell_writes(app: App, written: Written, *, is_dry_run: bool) -> None:
    """The files that were written, or would be."""
    template = "  would change {path}" if is_dry_run else "  changed {path}"
    for path in (*written.store_writes, *written.project_writes):
        app.line(template, path=path)


def tell_findings(app: App, findings: Iterable[Finding]) -> None:
    """What is to be known beside the answer, each with its step, on stderr."""
    for finding in findings:
        app.say("{message}", message=app.told(finding))
        step = present.fix(finding, app.translate)
        if step:
            app.say("Fix: {step}", step=step)


def tell_commits(app: App, commits: Iterable[Commit]) -> None:
    """The commits to make, ready to paste."""
    rows = list(commits)
    if not rows:
        return
    app.line()
    app.line("Nothing was committed. To commit it:")
    for commit in rows:
        app.raw(f"  {commit.command}\n")
