"""What the source defines: its modules, errors and rules."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType

import rasen
from rasen.base.errors import ToolError
from rasen.base.findings import Rule


@functools.cache
def modules() -> tuple[ModuleType, ...]:
    """Every module of the program, imported."""
    names = [info.name for info in pkgutil.walk_packages(rasen.__path__, "rasen.")]
    return tuple(importlib.import_module(name) for name in names if name != "rasen.__main__")


def errors() -> list[type[ToolError]]:
    """Every class of refusal below ToolError that the program defines, by code."""
    modules()
    found: set[type[ToolError]] = set()
    waiting = [ToolError]
    while waiting:
        for child in waiting.pop().__subclasses__():
            waiting.append(child)
            if child.__module__.startswith("rasen."):
                found.add(child)
    return sorted(found, key=lambda error: (error.code, error.__qualname__))


def rules() -> list[Rule]:
    """Every rule that the program defines as a constant, by code."""
    modules()
    found = {id(rule): rule for module in modules() for rule in _held(vars(module).values())}
    return sorted(found.values(), key=lambda rule: rule.code)


def rules_of(module: ModuleType) -> list[Rule]:
    """Every rule that one module holds as a constant."""
    return _held(vars(module).values())


def _held(values: object) -> list[Rule]:
    found: list[Rule] = []
    for value in list(values):  # type: ignore[call-overload]
        if isinstance(value, Rule):
            found.append(value)
        elif isinstance(value, dict):
            found += _held(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)) and not isinstance(value, str):
            found += [item for item in value if isinstance(item, Rule)]
    return found
