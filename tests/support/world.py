"""A sealed world for tests: its own home, fixed clock and identities, real files, git and processes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rasen.surfaces.cli.main import run

NOW = datetime(2026, 1, 31, 12, 0, 0, tzinfo=UTC)
_IDENTITY = {
    "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@example.invalid",
    "GIT_COMMITTER_NAME": "Test",
    "GIT_COMMITTER_EMAIL": "test@example.invalid",
    "GIT_AUTHOR_DATE": "2026-01-31T12:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-31T12:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class FixedClock:
    """It is always noon on 31 January 2026."""

    def now(self) -> datetime:
        return NOW

    def today(self) -> str:
        return NOW.date().isoformat()


class CountedIds:
    """Identities 1, 2, 3 … in the shape of UUIDs."""

    def __init__(self) -> None:
        self._count = 0

    def uuid(self) -> str:
        self._count += 1
        return f"00000000-0000-4000-8000-{self._count:012d}"


@dataclass(frozen=True)
class Result:
    """What one run of the program answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout; fails when stdout holds anything else."""
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The code of the first diagnostic of the JSON document."""
        return str(self.json["status"][0]["code"])


class _Stream(io.TextIOWrapper):
    """A text stream in memory that may claim to be a terminal."""

    def __init__(self, content: bytes = b"", *, tty: bool = False) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8", newline="\n", write_through=True)
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    def text(self) -> str:
        self.flush()
        return bytes(self.buffer.getvalue()).decode("utf-8")  # type: ignore[attr-defined]


class World:
    """Folders `project`, `home`, `config` and `data` under one temporary folder.

    root: the project folder, where commands run unless `cwd` says otherwise.
    """

    def __init__(self, base: Path) -> None:
        self.base = base.resolve()
        self.root = self._folder("project")
        self.home = self._folder("home")
        self.config_dir = self.base / "config" / "rasen"
        self.data_dir = self.base / "data" / "rasen"
        self.clock = FixedClock()
        self.ids = CountedIds()
        self.env: dict[str, str] = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.base / "config"),
            "XDG_DATA_HOME": str(self.base / "data"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            **_IDENTITY,
        }

    def cli(
        self,
        *args: str,
        cwd: Path | None = None,
        env: Mapping[str, str | None] | None = None,
        input: str | bytes | None = None,
        tty: bool = False,
    ) -> Result:
        """Run the program in this process. `env` adds to the world's (None removes a variable).

        `tty` makes all three streams look like terminals; prompts then read lines from `input`.
        """
        content = input.encode() if isinstance(input, str) else input or b""
        streams = _Stream(content, tty=tty), _Stream(tty=tty), _Stream(tty=tty)
        with _streams(*streams):
            code = run(
                list(args),
                self.environ(env),
                str(cwd or self.root),
                clock=self.clock,
                ids=self.ids,
            )
        return Result(code, streams[1].text(), streams[2].text())

    def process(
        self,
        *args: str,
        cwd: Path | None = None,
        env: Mapping[str, str | None] | None = None,
        input: str | bytes | None = None,
        timeout_s: float = 60,
    ) -> Result:
        """Run the program as a real process."""
        return self.python("-m", "rasen", *args, cwd=cwd, env=env, input=input, timeout_s=timeout_s)

    def python(
        self,
        *args: str,
        cwd: Path | None = None,
        env: Mapping[str, str | None] | None = None,
        input: str | bytes | None = None,
        timeout_s: float = 60,
    ) -> Result:
        """Run this interpreter as a real process."""
        content = input.encode() if isinstance(input, str) else input or b""
        done = subprocess.run(
            [sys.executable, *args],
            cwd=cwd or self.root,
            env=self.environ(env),
            input=content,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def shell(self, program: str, script: str, *, timeout_s: float = 60) -> Result:
        """Run a script in a real shell, in the project folder."""
        done = subprocess.run(
            [program, "-c", script],
            cwd=self.root,
            env=self.environ(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def environ(self, more: Mapping[str, str | None] | None = None) -> dict[str, str]:
        """The world's environment with `more` laid over it."""
        merged: dict[str, str | None] = {**self.env, **(more or {})}
        return {name: value for name, value in merged.items() if value is not None}

    def path(self, rel: str) -> Path:
        """The place of `rel` in the project folder."""
        return self.root / rel

    def write(self, rel: str, text: str | bytes) -> Path:
        """Write a file of the project, making its folders; text is written as UTF-8, as given."""
        path = self.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, rel: str) -> str:
        """The text of a file of the project, line endings as they are."""
        return (self.root / rel).read_bytes().decode()

    def git(self, *args: str, cwd: Path | None = None) -> str:
        """Run git in the project folder and give its stdout; a failure raises."""
        done = subprocess.run(
            ["git", "-c", "init.defaultBranch=main", *args],
            cwd=cwd or self.root,
            env=self.environ(),
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()

    def workspace(self, name: str = "rasen", config: str = "schema: spec-driven\n") -> Path:
        """Make a minimal workspace in the project folder and give its folder."""
        self.write(f"{name}/config.yaml", config)
        for folder in ("specs", "changes/archive"):
            (self.root / name / folder).mkdir(parents=True, exist_ok=True)
        return self.root / name

    def context(self, **changes: Any) -> Any:
        """A Context of this world for calling use cases directly; `changes` replace its fields."""
        from dataclasses import replace

        from rasen.bootstrap import build

        built = build(
            self.environ(), self.root, tell=lambda _: None, clock=self.clock, ids=self.ids
        )
        return replace(built, **changes)

    def _folder(self, name: str) -> Path:
        path = self.base / name
        path.mkdir()
        return path


@contextmanager
def _streams(stdin: Any, stdout: Any, stderr: Any) -> Iterator[None]:
    former = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = stdin, stdout, stderr
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = former
