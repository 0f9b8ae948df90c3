"""Where the program may touch the disk, processes, the environment and the terminal."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
SOURCE = REPO / "src" / "rasen"

_WRITERS = {
    "os": [
        "open",
        "chmod",
        "chown",
        "fchmod",
        "fchown",
        "lchown",
        "link",
        "symlink",
        "mkdir",
        "makedirs",
        "mkfifo",
        "mknod",
        "remove",
        "removedirs",
        "rename",
        "renames",
        "replace",
        "rmdir",
        "unlink",
        "truncate",
        "ftruncate",
        "utime",
        "write",
        "pwrite",
        "setxattr",
        "removexattr",
    ],
    "io": ["open", "open_code"],
    "tempfile": ["*"],
    "shutil": ["*"],
}
_PATH_WRITERS = frozenset(
    [
        "write_text",
        "write_bytes",
        "touch",
        "mkdir",
        "rmdir",
        "unlink",
        "rename",
        "symlink_to",
        "hardlink_to",
        "chmod",
        "lchmod",
    ]
)
_READ_ONLY = frozenset({"shutil.which", "shutil.get_terminal_size"})
_SUBPROCESS = frozenset({"subprocess", "signal", "pty", "multiprocessing"})
_PROCESS_CALLS = frozenset(
    {"os.fork", "os.kill", "os.killpg", "os.system", "os.popen", "os.execv", "os.spawnv"}
)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the program: its path below `rasen`, and its tree."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text("utf-8"))


def violations(find: Callable[[ast.Module], Iterator[tuple[int, str]]], *allowed: str) -> list[str]:
    """`file:line: what` for everything that `find` finds outside the allowed folders and files."""
    return [
        f"{name}:{line}: {what}"
        for name, tree in modules()
        if not name.startswith(allowed or ("\0",))
        for line, what in find(tree)
    ]


def names_of(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for, in full."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return known


def dotted(node: ast.expr, known: dict[str, str]) -> str:
    """The full name that an expression spells, empty when it is not a plain name."""
    if isinstance(node, ast.Name):
        return known.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        before = dotted(node.value, known)
        return f"{before}.{node.attr}" if before else ""
    return ""


def writing_calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Calls that write, rename or delete."""
    known = names_of(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = dotted(node.func, known)
        module, _, function = name.rpartition(".")
        listed = _WRITERS.get(module, [])
        if name in _READ_ONLY or _opens_nothing(node, known):
            continue
        if function in listed or "*" in listed:
            yield node.lineno, name
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _PATH_WRITERS:
            is_ours = module.endswith("fsio")
            is_other = node.func.attr == "rename" and len(node.args) != 1
            if not is_ours and not is_other:
                yield node.lineno, f".{node.func.attr}()"
        elif _is_writing_open(node, name):
            yield node.lineno, "open for writing"


def _opens_nothing(node: ast.Call, known: dict[str, str]) -> bool:
    """True for the null device, which takes everything and keeps nothing."""
    return bool(node.args) and dotted(node.args[0], known) == "os.devnull"


def _is_writing_open(node: ast.Call, name: str) -> bool:
    is_builtin = name == "open"
    if not is_builtin and not (isinstance(node.func, ast.Attribute) and node.func.attr == "open"):
        return False
    place = 1 if is_builtin else 0
    mode = node.args[place] if len(node.args) > place else None
    mode = next((word.value for word in node.keywords if word.arg == "mode"), mode)
    if mode is None:
        return False
    return not (isinstance(mode, ast.Constant) and set(str(mode.value)) <= set("rbt"))


def process_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Imports of, and calls to, what starts or signals processes."""
    known = names_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and not _is_for_types_only(node, tree):
            module = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in module or [alias.name for alias in node.names]:
                if name.partition(".")[0] in _SUBPROCESS:
                    yield node.lineno, f"import {name}"
        elif isinstance(node, ast.Call) and dotted(node.func, known) in _PROCESS_CALLS:
            yield node.lineno, dotted(node.func, known)


def _is_for_types_only(node: ast.AST, tree: ast.Module) -> bool:
    guarded = [
        inner
        for block in tree.body
        if isinstance(block, ast.If) and ast.unparse(block.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(block)
    ]
    return any(node is inner for inner in guarded)


def world_reads(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Uses of the environment, the arguments and the terminal of this process."""
    known = names_of(tree)
    watched = {"os.environ", "os.getenv", "os.environb", "os.putenv", "sys.argv", "Path.home"}
    watched |= {"pathlib.Path.home", "os.path.expanduser", "sys.stdout", "sys.stdin", "sys.stderr"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and dotted(node, known) in watched:
            yield node.lineno, dotted(node, known)
        elif isinstance(node, ast.Call) and dotted(node.func, known) in ("print", "input"):
            yield node.lineno, f"{dotted(node.func, known)}()"


def moves(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Changes of the working folder of this process."""
    known = names_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and dotted(node.func, known) in (
            "os.chdir",
            "os.fchdir",
            "contextlib.chdir",
        ):
            yield node.lineno, dotted(node.func, known)


def mocks(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Imports of a mocking library, and fixtures that replace attributes of modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith(("unittest.mock", "mock.", "pytest_mock")) or name == "mock":
                yield node.lineno, name


def test_only_the_safe_files_layer_writes() -> None:
    assert violations(writing_calls, "files/") == []


def test_within_it_one_module_holds_every_writing_call() -> None:
    """So that a crash test can stop the program at each of them; three calls there only read."""
    found = violations(writing_calls, "files/fsio.py")
    reading = ("files/atomic.py", "files/lock.py", "files/steady.py")

    inside = [row for row in found if row.startswith("files/")]

    assert all(row.startswith(reading) and row.endswith(": os.open") for row in inside), inside
    assert len(inside) == 3


def test_only_the_process_folder_starts_and_signals_programs() -> None:
    assert violations(process_imports, "process/") == []


def test_only_git_runs_git() -> None:
    found = [
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == "git" and _is_in_argv(node, tree)
    ]

    assert [name for name in found if not name.startswith("git/")] == []


def _is_in_argv(constant: ast.Constant, tree: ast.Module) -> bool:
    """True when the text is the first word of the first argument of a call named `run…`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = node.func.id if isinstance(node.func, ast.Name) else called
        words = node.args[0]
        is_argv = called.startswith("run") and isinstance(words, ast.List | ast.Tuple)
        if is_argv and list(ast.iter_child_nodes(words))[:1] == [constant]:
            return True
    return False


def test_only_the_edges_read_the_environment_and_speak() -> None:
    """`process/command.py` hands the environment on to children, and looks at it for that only."""
    assert violations(world_reads, "surfaces/", "bootstrap.py", "process/command.py") == []


def test_nobody_changes_the_working_folder() -> None:
    assert violations(moves) == []


def test_nothing_is_mocked() -> None:
    found = [
        f"{path.relative_to(REPO)}:{line}: {what}"
        for path in sorted((REPO / "tests").rglob("*.py"))
        for line, what in mocks(ast.parse(path.read_text("utf-8")))
    ]

    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.replace(a, b)",
        "from os import unlink as gone\ngone(a)",
        "import shutil\nshutil.rmtree(a)",
        "open(a, 'w')",
        "open(a, mode=m)",
        "path.open('ab')",
        "path.write_text('x')",
        "import tempfile; tempfile.mkdtemp()",
    ],
)
def test_the_check_sees_writing_calls(code: str) -> None:
    assert list(writing_calls(ast.parse(code)))


@pytest.mark.parametrize(
    "code", ["open(a)", "path.open('rb')", "import shutil; shutil.which('x')", "text.replace(a, b)"]
)
def test_the_check_lets_reading_pass(code: str) -> None:
    assert not list(writing_calls(ast.parse(code)))


@pytest.mark.parametrize(
    ("find", "code"),
    [
        (process_imports, "def f():\n    import subprocess"),
        (process_imports, "from signal import SIGINT"),
        (process_imports, "import os; os.kill(1, 2)"),
        (world_reads, "import os; os.environ['X']"),
        (world_reads, "from os import environ\nenviron"),
        (world_reads, "print('x')"),
        (world_reads, "import sys; sys.argv"),
        (moves, "import os; os.chdir('x')"),
        (mocks, "from unittest import mock"),
    ],
)
def test_the_other_checks_see_too(
    find: Callable[[ast.Module], Iterator[tuple[int, str]]], code: str
) -> None:
    assert list(find(ast.parse(code)))
