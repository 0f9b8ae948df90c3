"""A project's configuration with what it leaves open taken from the store it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rasen.config.model import ProjectConfig

INHERITED = ("schema", "autopilot", "archive", "handoff", "models", "pipelines")
"""The first words of the keys that a store may set. Source: planning §1.8, scope s."""


def layered(project: ProjectConfig, store: ProjectConfig | None) -> ProjectConfig:
    """`project`, with the inheritable keys that it does not set taken from `store`."""
    if store is None:
        return project
    offered = {key: store.values[key] for key in INHERITED if key in store.values}
    return replace(project, values=_filled(project.values, offered))


def _filled(own: Mapping[str, object], offered: Mapping[str, object]) -> dict[str, object]:
    """`own`, completed leaf by leaf; what `own` says is never changed."""
    filled = dict(own)
    for key, value in offered.items():
        mine = own.get(key)
        if key not in own:
            filled[key] = value
        elif _is_group(mine) and _is_group(value):
            assert isinstance(mine, Mapping)
            assert isinstance(value, Mapping)
            filled[key] = _filled(mine, value)
    return filled


def _is_group(value: object) -> bool:
    """A map of settings, in contrast to a setting whose value is a map (a token threshold)."""
    return isinstance(value, Mapping) and "remainingTokens" not in value
