"""The demo tells its whole story, and notices when an answer is not as told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools import demo

ROOT = Path(__file__).resolve().parents[2]


def test_the_demo_ends_as_told() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "demo.py")],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=90,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert "The demo ended as told." in done.stdout
    assert done.stdout.count("[ok]") >= 25


def test_the_demo_fails_when_the_story_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = tmp_path / "story"
    story.mkdir()
    for text in demo.STORY.iterdir():
        (story / text.name).write_bytes(text.read_bytes())
    (story / "bad-delta.md").write_bytes((story / "delta.md").read_bytes())

    code = demo.main(["--story", str(story)])

    assert code == 1
    assert "Not as told" in capsys.readouterr().err
