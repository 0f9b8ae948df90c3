"""Running another program to its end."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from rasen.base.errors import External, ToolError
from rasen.process.command import run, run_attached

HERE = Path(__file__).parent


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def test_status_output_and_the_end_of_stderr_are_told() -> None:
    code = "import sys; print('out'); sys.stderr.write('x' * 9000 + 'end'); sys.exit(3)"

    done = run(python(code), cwd=HERE)

    assert (done.status, done.stdout) == (3, b"out\n")
    assert done.stderr_tail.endswith("xend")
    assert len(done.stderr_tail) == 4096


def test_large_output_on_both_pipes_does_not_block() -> None:
    code = "import sys; sys.stderr.write('e' * 300000); sys.stdout.write('o' * 300000)"

    assert len(run(python(code), cwd=HERE).stdout) == 300_000


def test_the_program_gets_no_input() -> None:
    assert run(python("import sys; print(len(sys.stdin.read()))"), cwd=HERE).stdout == b"0\n"


def test_the_program_reads_what_it_is_given() -> None:
    code = "import sys; print(len(sys.stdin.buffer.read()))"

    assert run(python(code), cwd=HERE, stdin=b"x" * 3_000_000).stdout == b"3000000\n"
    assert run(python(code), cwd=HERE, stdin=b"").stdout == b"0\n"


def test_a_program_that_does_not_read_what_it_is_given_is_not_waited_for() -> None:
    assert run(python("print('done')"), cwd=HERE, stdin=b"x" * 3_000_000).stdout == b"done\n"


def test_the_environment_is_changed_only_as_told(tmp_path: Path) -> None:
    code = "import os; print(os.environ.get('ADDED'), os.environ.get('HOME'), 'PATH' in os.environ)"

    done = run(python(code), cwd=tmp_path, env={"ADDED": "yes", "HOME": None})

    assert done.stdout == b"yes None True\n"
    assert "ADDED" not in os.environ


def test_it_runs_where_it_is_told(tmp_path: Path) -> None:
    done = run(python("import os; print(os.getcwd())"), cwd=tmp_path)

    assert done.stdout.decode().strip() == str(tmp_path.resolve())


def test_a_program_that_is_missing_is_named() -> None:
    with pytest.raises(External) as caught:
        run(["no-such-program-at-all", "x"], cwd=HERE)

    assert caught.value.code == "program_missing"
    assert "no-such-program-at-all" in str(caught.value)
    with pytest.raises(External) as attached:
        run_attached(["no-such-program-at-all"], HERE)
    assert attached.value.code == "program_missing"


def test_a_slow_program_is_stopped_with_what_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time, pathlib\n"
        "child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'])\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(child.pid))\n"
        "time.sleep(60)\n"
    )
    began = time.monotonic()

    with pytest.raises(ToolError) as caught:
        run(python(code), cwd=HERE, timeout_s=2)

    assert caught.value.code == "program_too_slow"
    assert time.monotonic() - began < 30
    _has_ended(int((tmp_path / "pid").read_text()))


def test_a_loud_program_is_stopped() -> None:
    with pytest.raises(ToolError) as caught:
        run(python("while True: print('x' * 1000)"), cwd=HERE, limit_bytes=10_000)

    assert caught.value.code == "program_too_loud"


def test_output_up_to_the_limit_is_fine() -> None:
    done = run(python("import sys; sys.stdout.write('x' * 100)"), cwd=HERE, limit_bytes=100)

    assert len(done.stdout) == 100


def test_a_signal_is_a_negative_status() -> None:
    done = run(python("import os, signal; os.kill(os.getpid(), signal.SIGTERM)"), cwd=HERE)

    assert done.status == -15


def test_an_attached_program_gives_its_status(tmp_path: Path) -> None:
    assert run_attached(python("import sys; sys.exit(7)"), tmp_path) == 7


def _has_ended(pid: int) -> None:
    """Wait until no process with this id runs."""
    deadline = time.monotonic() + 10
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state in "ZX":
            return
        assert time.monotonic() < deadline, f"process {pid} still runs"
        time.sleep(0.01)
