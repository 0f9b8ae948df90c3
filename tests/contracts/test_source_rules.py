"""Rules of the source that no linter knows: what explains itself, and how large things may grow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "rasen"
MODULES = sorted(SOURCE.rglob("*.py"))
MOST_LINES = 400
MOST_FUNCTION_LINES = 60
MOST_POSITIONAL = 5
DATA_TABLES = {"surfaces/table.py"}
_EXPLAINED = ("base/", "files/")


def _name(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        "command" in _dotted(d.func if isinstance(d, ast.Call) else d)
        for d in function.decorator_list
    )


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_says_what_it_owns_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())

    assert not text.strip() or ast.get_docstring(_tree(path)), "it needs a docstring"
    assert lines <= MOST_LINES or _name(path) in DATA_TABLES, f"{lines} lines"


def test_functions_stay_small() -> None:
    found = [
        f"{_name(path)}:{function.lineno}: {function.name}, {size} lines"
        for path in MODULES
        for function in _functions(path)
        if (size := (function.end_lineno or 0) - function.lineno + 1) > MOST_FUNCTION_LINES
    ]

    assert found == []


def test_functions_take_few_arguments_by_position() -> None:
    found = []
    for path in MODULES:
        for function in _functions(path):
            names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
            count = len(names) - (names[:1] in (["self"], ["cls"]))
            if count > MOST_POSITIONAL and not _is_command(function):
                found.append(f"{_name(path)}:{function.lineno}: {function.name} takes {count}")

    assert found == []


def test_the_doors_say_what_they_promise() -> None:
    found = [
        f"{_name(path)}:{node.lineno}: {node.name}"
        for path in MODULES
        if path.name == "ops.py" or _name(path).startswith(_EXPLAINED)
        for node in _tree(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]

    assert found == []
