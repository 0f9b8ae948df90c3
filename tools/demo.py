"""Walks through the whole story on a copy of the example, and fails when an answer is not as told.

It runs the installed `rasen` as real processes in a temporary folder, shows every call and its
answer, and checks the JSON documents and the files. `--keep` leaves the folder for a look.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "harbour-bikes-openspec"
STORY = ROOT / "examples" / "lights-after-dark"
CHANGE = "lights-after-dark"
SPEC = Path("rasen/specs/maintenance/spec.md")
_KEPT = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "TERM", "NO_COLOR")


class NotAsTold(Exception):
    """An answer or a file is not what the story says."""


class Stage:
    """A copy of the example in a folder of its own, with an empty home."""

    def __init__(self, base: Path, story: Path = STORY) -> None:
        self._story = story
        self.project = base / "harbour-bikes"
        shutil.copytree(EXAMPLE, self.project)
        self._env = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._env |= {
            "HOME": str(base / "home"),
            "RASEN_HOME": str(base / "home" / ".rasen"),
            "RASEN_LANG": "en",
            "PYTHONIOENCODING": "utf-8",
        }
        (base / "home").mkdir()
        self._program = _program()

    def run(self, *words: str, expect: int = 0) -> str:
        """Run `rasen` with `words`, show what a person would see, and return stdout."""
        print(f"\n$ {shlex.join(('rasen', *words))}")
        done = subprocess.run(
            [*self._program, *words],
            cwd=self.project,
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        _show(done.stdout, at_most=12 if "--json" in words else None)
        _show(done.stderr)
        if done.returncode != expect:
            raise NotAsTold(f"exit code {done.returncode} where {expect} was expected")
        return done.stdout

    def ask(self, *words: str, expect: int = 0) -> Any:
        """Run `rasen` with `words` and `--json`, and return the one document it prints."""
        answer = self.run(*words, "--json", expect=expect)
        try:
            return json.loads(answer)
        except ValueError as problem:
            raise NotAsTold(f"stdout is not one JSON document: {problem}") from problem

    def write(self, relative: str, source: str) -> None:
        """Put a text of the story into the change."""
        target = self.project / "rasen" / "changes" / CHANGE / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (self._story / source).read_bytes()
        target.write_bytes(text)
        print(f"\n# wrote {target.relative_to(self.project)} ({len(text.splitlines())} lines)")

    def digest(self) -> str:
        """A digest of every file of the workspace, to see that nothing changed."""
        total = hashlib.sha256()
        for path in sorted((self.project / "rasen").rglob("*")):
            total.update(f"{path.relative_to(self.project)}\0".encode())
            total.update(path.read_bytes() if path.is_file() else b"folder")
        return total.hexdigest()


def _program() -> list[str]:
    beside = Path(sys.executable).with_name("rasen.exe" if os.name == "nt" else "rasen")
    if not beside.exists():
        raise NotAsTold(f"rasen is not installed beside {sys.executable}; run it as `make demo`")
    return [str(beside)]


def _show(text: str, *, at_most: int | None = None) -> None:
    lines = text.splitlines()
    for line in lines[:at_most]:
        print(f"  {line}")
    if at_most is not None and len(lines) > at_most:
        print(f"  ... ({len(lines) - at_most} more lines)")


def check(is_so: bool, what: str) -> None:
    """Say that `what` holds, or stop the story."""
    if not is_so:
        raise NotAsTold(what)
    print(f"  [ok] {what}")


def chapter(title: str) -> None:
    """Begin a part of the story."""
    print(f"\n\n=== {title} ===")


def migrate(stage: Stage) -> None:
    """An OpenSpec tree becomes a workspace; the tree itself stays as it is."""
    chapter("1. Take over an OpenSpec tree")
    answer = stage.ask("migrate", "--no-interactive")
    ours, theirs = stage.project / "rasen", stage.project / "openspec"
    wanted = sorted(path.relative_to(theirs) for path in theirs.rglob("*") if path.is_file())
    check(bool(answer), "migrate answers with one JSON document")
    check(
        all((ours / path).read_bytes() == (theirs / path).read_bytes() for path in wanted),
        f"all {len(wanted)} files were copied byte for byte",
    )
    stage.run("list")
    specs = stage.ask("list", "--specs")["specs"]
    check(len(specs) == 9, "the workspace has nine specs")
    check(sum(spec["requirementCount"] for spec in specs) == 36, "and 36 requirements")


def propose(stage: Stage) -> None:
    """A change is created, and its artifacts are written as the program says."""
    chapter("2. Propose a change")
    made = stage.ask("new", "change", CHANGE, "--goal", "Nobody rides without lights after dark")
    check(made["change"]["id"] == CHANGE, "the change exists")
    status = stage.ask("status", "--change", CHANGE)
    check(
        "instructions proposal" in status["nextSteps"][0], "the next step is to write the proposal"
    )

    chapter("3. Ask how to write it, then write it")
    text = stage.run("instructions", "proposal", "--change", CHANGE)
    check('<artifact id="proposal"' in text, "the instructions name the artifact")
    check("State what it costs when we do nothing" in text, "and carry our own rules")
    stage.write("proposal.md", "proposal.md")
    for artifact in ("specs", "design", "tasks"):
        told = stage.ask("instructions", artifact, "--change", CHANGE)
        check(told["artifactId"] == artifact and bool(told["template"]), f"{artifact}: told how")
        if artifact != "specs":
            stage.write(f"{artifact}.md", f"{artifact}.md")


def refuse(stage: Stage) -> None:
    """A delta that would lose a scenario is refused by validate and by archive alike."""
    chapter("4. A mistake: the delta drops a scenario")
    stage.write("specs/maintenance/spec.md", "bad-delta.md")
    before = stage.digest()
    report = stage.ask("validate", CHANGE, expect=1)
    errors = [issue for issue in report["items"][0]["issues"] if issue["level"] == "ERROR"]
    check(bool(errors), "validate reports an error")
    check("A worn saddle" in errors[0]["message"], "it names the scenario that would be lost")
    refused = stage.ask("archive", CHANGE, "--yes", expect=1)
    code = refused["status"][0]["code"]
    check(refused["archive"] is None, f"archive refuses with {code}")
    check(
        {issue["code"] for issue in refused["issues"]} >= {issue["code"] for issue in errors},
        "for the same reason, with the same code",
    )
    check(stage.digest() == before, "and not one byte of the workspace has changed")


def repair(stage: Stage) -> None:
    """The delta is put right, the work is done, and the change is ready."""
    chapter("5. Put it right, do the work")
    stage.write("specs/maintenance/spec.md", "delta.md")
    report = stage.ask("validate", CHANGE, "--strict")
    check(report["items"][0]["valid"], "the change is valid, also strictly")
    stage.run("status", "--change", CHANGE)
    status = stage.ask("status", "--change", CHANGE)
    check(status["isComplete"], "every artifact is there")

    blocked = stage.ask("archive", CHANGE, expect=1)
    check(
        blocked["status"][0]["code"] == "archive_tasks_incomplete",
        "archive does not hide open tasks",
    )
    tasks = stage.ask("instructions", "apply", "--change", CHANGE)
    for task in tasks["tasks"]:
        stage.run("task", "done", CHANGE, task["id"])
    after = stage.ask("instructions", "apply", "--change", CHANGE)
    check(after["state"] == "all_done", "every task is done")


def archive(stage: Stage) -> None:
    """The change is merged into the spec and filed away."""
    chapter("6. Archive: merge into the spec, file the change away")
    before = (stage.project / SPEC).read_bytes()
    answer = stage.ask("archive", CHANGE, "--yes")
    done = answer["archive"]
    check(
        done["totals"] == {"added": 1, "modified": 1, "removed": 0, "renamed": 0},
        "one requirement added, one modified",
    )
    filed = stage.project / "rasen" / "changes" / "archive" / done["archivedAs"]
    check((filed / "proposal.md").is_file(), f"the change is now {done['archivedAs']}")
    check(
        not (stage.project / "rasen" / "changes" / CHANGE).exists(), "and no longer among the open"
    )

    after = (stage.project / SPEC).read_bytes()
    stage.run("show", "maintenance", "--type", "spec")
    chapter("7. What changed in the spec")
    changed = _print_diff(before, after)
    check(b"### Requirement: Lights after dark" in after, "the new requirement is in the spec")
    check(
        after.count(b"\n") == after.count(b"\r\n"),
        "its Windows line endings are still the only ones",
    )
    check(changed < 30, f"{changed} lines differ; all others are the same bytes")
    shown = stage.ask("show", "maintenance", "--type", "spec")
    check(shown["requirementCount"] == 5, "the spec has five requirements now")
    report = stage.ask("validate", "--all")
    check(report["summary"]["totals"]["failed"] == 0, "everything in the workspace is valid")


def _print_diff(before: bytes, after: bytes) -> int:
    old, new = (text.decode().splitlines() for text in (before, after))
    lines = list(difflib.unified_diff(old, new, f"a/{SPEC}", f"b/{SPEC}", lineterm="", n=2))
    print()
    _show("\n".join(lines))
    return sum(_is_change(line) for line in lines)


def _is_change(line: str) -> bool:
    return line[:1] in "+-" and line[:3] not in ("+++", "---")


def tell(base: Path, story: Path) -> None:
    """The story, part by part. story: the folder of the texts that get written."""
    stage = Stage(base, story)
    for part in (migrate, propose, refuse, repair, archive):
        try:
            part(stage)
        except (KeyError, IndexError, TypeError) as problem:
            raise NotAsTold(f"the answer has another shape: {problem!r}") from problem


def main(arguments: Iterable[str] | None = None) -> int:
    """Tell the story; 0 when everything was as told, else 1."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--keep", action="store_true", help="leave the temporary folder")
    parser.add_argument("--story", type=Path, default=STORY, help="the folder of the texts")
    options = parser.parse_args(None if arguments is None else list(arguments))
    sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)  # type: ignore[union-attr]
    base = Path(tempfile.mkdtemp(prefix="rasen-demo-")).resolve()
    try:
        tell(base, options.story)
    except NotAsTold as problem:
        print(f"\nNot as told: {problem}", file=sys.stderr)
        return 1
    finally:
        if options.keep:
            print(f"\nThe folder is {base}")
        else:
            shutil.rmtree(base)
    print("\nThe demo ended as told.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
