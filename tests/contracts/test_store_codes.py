"""Every code about stores, selection and membership is provoked, and told alike to all readers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.source import errors, modules, rules_of
from tests.support.store_provocations import EXEMPT, ROWS, Row
from tests.support.world import World

from rasen.base.errors import ToolError
from rasen.base.findings import Rule

_ABOUT = (
    "rasen.stores.",
    "rasen.projects.",
    "rasen.roots.select",
    "rasen.upkeep.relocate",
    "rasen.surfaces.cli.commands.store.",
)
"""The modules whose codes are meant."""


def _sources() -> dict[tuple[str, str], type[ToolError] | Rule]:
    """What the program says of itself: each code with its severity."""
    found: dict[tuple[str, str], type[ToolError] | Rule] = {}
    for error in errors():
        if error.code and _is_meant(error.__module__):
            found[error.code, error.severity] = error
    for module in modules():
        if _is_meant(module.__name__):
            found |= {(rule.code, rule.level.name.lower()): rule for rule in rules_of(module)}
    return found


def _is_meant(module: str) -> bool:
    return f"{module}.".startswith(_ABOUT)


SOURCES = _sources()


def test_the_table_holds_every_code_and_nothing_else() -> None:
    provoked = {(row.code, row.severity) for row in ROWS}

    assert sorted(provoked | set(EXEMPT)) == sorted(SOURCES)
    assert sorted(provoked & set(EXEMPT)) == []


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.code}-{row.severity}")
def test_a_code_is_told_alike_to_programs_and_people(world: World, row: Row) -> None:
    call = row.prepare(world)
    kept = world.base.with_name(f"{world.base.name}-kept")
    shutil.copytree(world.base, kept, symlinks=True)

    found: dict[str, str] = {}
    if not call.is_for_people:
        program = call.run(world, "--json")
        assert program.code == row.exit, program.out + program.err
        found = next(one for one in _diagnostics(program.json) if one["code"] == row.code)
        assert (found["severity"], found.get("target", "")) == (row.severity, row.target)
        assert found["message"].strip()
        assert bool(found.get("fix")) is bool(SOURCES[row.code, row.severity].fix or row.has_fix)
        _put_back(world, kept)

    person = call.run(world)

    assert person.code == row.exit, person.out + person.err
    told = _even(person.out + person.err)
    for text in (found.get("message", ""), found.get("fix", ""), row.said):
        assert _even(text) in told


def _even(text: str) -> str:
    """`text` with one space between words, and all identities alike: some are minted by the call."""
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uid", " ".join(text.split()))


def _diagnostics(value: Any) -> Iterator[dict[str, str]]:
    """Every diagnostic in a document, wherever it is."""
    if isinstance(value, dict):
        if {"severity", "code", "message"} <= set(value):
            yield value
        for inner in value.values():
            yield from _diagnostics(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _diagnostics(inner)


def _put_back(world: World, kept: Any) -> None:
    """Make the world what it was before the first call."""
    for path in world.base.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.copytree(kept, world.base, symlinks=True, dirs_exist_ok=True)
