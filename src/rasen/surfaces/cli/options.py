"""Options that many commands take, worn as decorators."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from rasen.base.messages import N_

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """Add `--json`, received as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=N_("Print one JSON document"))(
        command
    )


def no_interactive_option(command: F) -> F:
    """Add `--no-interactive`, received as `no_interactive`; the App then never asks."""
    return click.option("--no-interactive", is_flag=True, help=N_("Never ask a question"))(command)


def root_options(command: F) -> F:
    """Add `--store`, `--project` and the retired `--store-path`, received as `selector`."""

    @functools.wraps(command)
    def collect(
        *args: Any, store: str | None, project: str | None, store_path: str | None, **params: Any
    ) -> Any:
        from rasen.roots.model import RootRequest

        selector = RootRequest(store=store, project=project, store_path=store_path)
        return command(*args, selector=selector, **params)

    options = (
        click.option("--store", metavar="ID", help=N_("Work in this registered store")),
        click.option("--project", metavar="ID", help=N_("Work in this registered project")),
        click.option("--store-path", hidden=True),
    )
    decorated: Any = collect
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]
