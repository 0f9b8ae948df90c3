"""Which test holds us to which requirement: the marks `@pytest.mark.requirement` of the suite, read from its source."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"

_RANGES = {
    "SP": "1-8 20-24 30 31 40 41 43 50-52",
    "WF": "1-16 20-35 40-44 50-57 60-65 70-74 80-84",
    "PK": "1-12 20-25 30-34 40-50 60-73 80-87 100-107",
    "WC": "1-7 10-19",
    "PR": "1-17 20-22 30-35 40-45 50-52",
    "RT": "1-7 11-13 17",
    "PL": "10-16",
    "GN": "1-13",
    "BI": "1-5",
}
_LATER_RANGES = {
    "SP": {"32 42": "learned skills"},
    "RT": {"9 10 14-16": "running pipelines", "20-25": "learned skills"},
    "PL": {"7 42": "running pipelines", "44-46": "`rasen pipeline import`, `export` and `save`"},
}

_NOTE = "<!-- Made by `make docs`; edit the source, not this page. -->\n\n"
_INTRO = """\
The requirements of the installable library (workflows, packages, profiles, generation, pipelines as definitions), and the
tests that hold the program to them. A test says so itself, with `@pytest.mark.requirement`. What the program does not have yet
says what it comes with.

"""
_AREAS = {
    "SP": "Paths, names, digests, locks, strict parsing",
    "WF": "Workflows",
    "PK": "Packages",
    "WC": "`rasen workflow`",
    "PR": "Profiles",
    "RT": "Retention",
    "PL": "Pipelines",
    "GN": "Generated files",
    "BI": "Experts for authors",
}


def wanted() -> list[str]:
    """The ids that have to have a test, in the order of the page."""
    return [f"{area}-{number:03}" for area, text in _RANGES.items() for number in _numbers(text)]


def later() -> Mapping[str, str]:
    """The ids that have no test yet, with what each waits for."""
    return {
        f"{area}-{number:03}": what
        for area, parts in _LATER_RANGES.items()
        for text, what in parts.items()
        for number in _numbers(text)
    }


def marked() -> dict[str, list[str]]:
    """The tests of each id, as `tests/…/test_x.py::test_y`, sorted."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text("utf-8")
        if "mark.requirement" not in text:
            continue
        where = path.relative_to(ROOT).as_posix()
        for name, ids in _marks(ast.parse(text)):
            for one in ids:
                found[one].add(f"{where}::{name}")
    return {one: sorted(tests) for one, tests in found.items()}


def missing() -> list[str]:
    """The wanted ids that no test carries."""
    has = marked()
    return [one for one in wanted() if one not in has]


def page() -> str:
    """The table as a page."""
    has, waiting = marked(), later()
    text = "# Requirements and their tests\n\n" + _NOTE + _INTRO
    by_area: dict[str, list[str]] = defaultdict(list)
    for one in {*wanted(), *has, *waiting}:
        by_area[one.split("-")[0]].append(one)
    for area in dict.fromkeys([*_RANGES, *sorted(by_area)]):
        text += f"## {_AREAS.get(area, area)}\n\n| Requirement | Test |\n| --- | --- |\n"
        for one in sorted(by_area[area]):
            tests = [f"`{test.removeprefix('tests/')}`" for test in has.get(one, ())]
            told = "<br>".join(tests) or f"comes later, with {waiting[one]}"
            text += f"| {one} | {told} |\n"
        text += "\n"
    return text.rstrip("\n") + "\n"


def _numbers(text: str) -> Iterator[int]:
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _marks(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """The functions that carry marks, with their ids; a mark of the module counts for all of them."""
    shared = _module_ids(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        ids = [*shared]
        for mark in node.decorator_list:
            for call in ast.walk(mark):
                ids += _ids(call)
        if ids:
            yield node.name, ids


def _module_ids(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id == "pytestmark" for one in node.targets
        ):
            return [one for call in ast.walk(node.value) for one in _ids(call)]
    return []


def _ids(node: ast.AST) -> list[str]:
    is_mark = (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "requirement"
    )
    if not is_mark:
        return []
    assert isinstance(node, ast.Call)
    return [str(one.value) for one in node.args if isinstance(one, ast.Constant)]
