"""The sealed test world keeps its promises: a test that breaks out fails."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest
from tests.support.world import World

_ROOT = Path(__file__).resolve().parents[2]
_LEAVING = {
    "environment": "import os\ndef test_it(): os.environ['LEFT'] = '1'\n",
    "folder": "import os, tempfile\ndef test_it(): os.chdir(tempfile.gettempdir())\n",
    "process": (
        "import subprocess, sys\n"
        "def test_it(): subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    ),
}


def test_the_real_home_cannot_be_read() -> None:
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)

    with pytest.raises(AssertionError, match="real home"):
        (home / ".no-such-file-of-a-test").open()


@pytest.mark.parametrize("what", _LEAVING)
def test_what_a_test_leaves_behind_fails_it(world: World, what: str) -> None:
    (world.root / "conftest.py").write_text(
        "from tests.conftest import nothing_left_behind, pytest_configure\n"
    )
    (world.root / "test_leaving.py").write_text(_LEAVING[what])

    result = world.python(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_leaving.py",
        env={"PYTHONPATH": f"{_ROOT}{os.pathsep}{_ROOT / 'src'}"},
    )  # fmt: skip

    assert result.code == 1
    assert "the test " in result.out


def test_clock_and_identities_are_fixed(world: World) -> None:
    ctx = world.context()

    assert ctx.clock.today() == "2026-01-31"
    assert ctx.ids.uuid() == "00000000-0000-4000-8000-000000000001"


def test_git_in_the_world_does_not_know_the_user(world: World) -> None:
    world.git("init", "-q")

    assert world.git("config", "--list", "--show-origin").count(str(world.home)) == 0
