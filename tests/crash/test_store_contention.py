"""Two processes that register at once, killed now and then: nothing is lost and nothing blocks."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.world import World

ROUNDS = 100
_WORKER = """
import os, sys
from pathlib import Path
from rasen.bootstrap import build
from rasen.stores.register import Request, register

folder, done = Path(sys.argv[1]), Path(sys.argv[2])
known = set(done.read_text().split()) if done.exists() else set()
ctx = build(os.environ, folder, tell=lambda note: None)
with done.open("a") as log:
    for root in sorted(folder.iterdir()):
        if root.name in known:
            continue
        register(ctx, Request(str(root), yes=True))
        log.write(root.name + "\\n")
        log.flush()
        print(root.name, flush=True)
"""


class Writer:
    """A process that registers every checkout of a folder, and is started again after a kill.

    done: the file that names what it has registered, written after each.
    """

    def __init__(self, world: World, folder: Path) -> None:
        self._world = world
        self._folder = folder
        self.done = folder.with_suffix(".done")
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _WORKER, str(self._folder), str(self.done)],
            env={**self._world.environ(), "PYTHONPATH": _source()},
            stdout=subprocess.PIPE,
            text=True,
        )

    def kill_after(self, lines: int) -> None:
        """Let it register that many more, then kill it in the middle of the next, and start anew."""
        assert self.process.stdout is not None
        for _ in range(lines):
            if not self.process.stdout.readline():
                break
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.process = self._start()

    def finish(self) -> None:
        """Let it come to its end."""
        out, _ = self.process.communicate(timeout=90)
        assert self.process.returncode == 0, out


def _source() -> str:
    import rasen

    return str(Path(rasen.__file__).parents[1])


def checkouts(world: World, name: str) -> Path:
    folder = world.base / name
    for number in range(ROUNDS):
        root = folder / f"{name}-{number}"
        (root / "rasen").mkdir(parents=True)
        (root / "rasen" / "config.yaml").write_text("schema: spec-driven\n")
    return folder


def test_nothing_is_lost_and_no_lock_is_left(world: World) -> None:
    chance = random.Random(7)
    writers = [Writer(world, checkouts(world, name)) for name in ("left", "right")]

    for _ in range(4):
        for writer in writers:
            writer.kill_after(chance.randrange(3, 15))
    for writer in writers:
        writer.finish()

    rows = world.cli("store", "list", "--json").json["stores"]
    expected = {f"{name}-{number}" for name in ("left", "right") for number in range(ROUNDS)}
    assert {row["id"] for row in rows} == expected
    assert len(rows) == len(expected)
    assert len({row["uid"] for row in rows}) == len(rows)
    left = {path.name for path in (world.data_dir / "stores").iterdir()}
    assert {name for name in left if ".lock." not in name} == {"registry.yaml"}
