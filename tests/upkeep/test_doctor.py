"""A doctor's look costs what reading the files costs: each file once, none that says nothing."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from tests.support.world import World

_MACHINE = Path(__file__).parents[2] / "benchmarks" / "many_stores.py"
_COUNTING = """
import json, os, sys
opened = []
def watch(event, args):
    if event == "open" and isinstance(args[0], str):
        opened.append(args[0])
sys.addaudithook(watch)
from rasen.surfaces.cli.main import run
code = run(["doctor", "--json"], os.environ)
print(json.dumps([code, opened]), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def machine() -> ModuleType:
    """The maker of machines that the benchmark uses."""
    spec = importlib.util.spec_from_file_location("many_stores", _MACHINE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("stores", "projects"), [(3, 5), (200, 500)])
def test_every_file_is_read_once_and_no_other(
    world: World, machine: ModuleType, stores: int, projects: int
) -> None:
    base = world.base / "machine"
    root, files = machine.build(base, stores=stores, projects=projects)

    result = world.python("-c", _COUNTING, cwd=root, env={"RASEN_HOME": str(base / "data")})

    code, opened = json.loads(result.err.splitlines()[-1])
    read = Counter(path for path in opened if path.startswith(str(base)))
    assert code == 0
    assert set(read) == set(map(str, files))
    own = str(root / "rasen" / "config.yaml")  # selecting the root looks into it too
    assert [path for path, times in read.items() if times > 1 and path != own] == []
    found = json.loads(result.out)
    assert len(found["membership"]["stores"]) == stores
    assert len(found["status"]) == stores  # each record has no locator


def test_stores_that_have_nothing_to_do_with_the_project_are_not_read(
    world: World, machine: ModuleType
) -> None:
    base = world.base / "machine"
    root, files = machine.build(base, stores=20, projects=5)
    for file in files:
        if file.parent.name == "projects" and file.suffix == ".yaml":
            file.unlink()

    result = world.python("-c", _COUNTING, cwd=root, env={"RASEN_HOME": str(base / "data")})

    opened = json.loads(result.err.splitlines()[-1])[1]
    assert {Path(path).name for path in opened if path.startswith(str(base))} == {
        "config.yaml", "registry.yaml", "registry.json"
    }  # fmt: skip
