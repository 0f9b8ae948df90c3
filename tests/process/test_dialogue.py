"""Asking a running program many questions."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil
import pytest

from rasen.process.command import ProgramMissing
from rasen.process.dialogue import Dialogue

ECHO = "import sys\nfor line in sys.stdin:\n    print(len(line) - 1, line, sep='\\n', end='', flush=True)\n"


def python(code: str, folder: Path, *, timeout_s: float = 30) -> Dialogue:
    return Dialogue([sys.executable, "-c", code], cwd=folder, timeout_s=timeout_s)


def test_each_question_has_its_answer(tmp_path: Path) -> None:
    with python(ECHO, tmp_path) as program:
        answers = []
        for number in range(50):
            program.ask(b"x" * number + b"\n")
            answers.append((program.line(), program.take(number + 1)))

    assert answers == [(b"%d" % number, b"x" * number + b"\n") for number in range(50)]


def test_a_program_that_has_ended_answers_nothing(tmp_path: Path) -> None:
    with python("pass", tmp_path) as program:
        assert program.line() == b""
        for _ in range(3):
            program.ask(b"x\n" * 2000)
        assert program.line() == b""
        assert program.take(10) == b""


def test_one_that_never_answers_is_ended_in_time(tmp_path: Path) -> None:
    started = time.monotonic()
    with python("import time\ntime.sleep(60)", tmp_path, timeout_s=0.3) as program:
        program.ask(b"x\n")
        assert program.line() == b""

    assert time.monotonic() - started < 20


def test_leaving_ends_the_program_and_a_second_end_does_no_harm(tmp_path: Path) -> None:
    code = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)"
    program = python(code, tmp_path)

    with program:
        number = int(program.line())
    program.close()

    assert not psutil.pid_exists(number)


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProgramMissing):
        Dialogue(["no-such-program"], cwd=tmp_path)


def test_its_environment_can_be_changed(tmp_path: Path) -> None:
    code = "import os\nprint(os.environ.get('ASKED'), flush=True)"
    argv = [sys.executable, "-c", code]

    with Dialogue(argv, cwd=tmp_path, env={"ASKED": "yes"}) as program:
        assert program.line() == b"yes"
