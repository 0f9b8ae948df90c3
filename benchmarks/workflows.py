"""How long `rasen workflow list` takes with 64 installed workflows, against none.

`python benchmarks/workflows.py` prints the ratio, and fails above its limit.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 15
LIMIT = 2.0
INSTALLED = 64

_MANIFEST = """\
version: 1
id: {id}
skill: {{name: A title, category: Work, tags: [one, two]}}
files:
  sidecars: [references/a.md, references/b.md]
requires:
  workflows: [apply]
  skills: [rasen-review]
"""
_SKILL = "---\nname: {id}\ndescription: Use it for {id}.\n---\n\n" + "See `references/a.md`.\n" * 60


def main() -> int:
    """Measure both, alternating; the least of each counts."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        _install(base / "full" / "workflows")
        for more in ([], ["--json"]):
            argv = [sys.executable, "-m", "rasen", "workflow", "list", *more]
            full, none = [], []
            for _ in range(RUNS):
                none.append(_timed(argv, base, "none"))
                full.append(_timed(argv, base, "full"))
            ratio = min(full) / min(none)
            failed = failed or ratio > LIMIT
            times = (
                f"{min(none) * 1000:.0f} ms with none, {min(full) * 1000:.0f} ms with {INSTALLED}"
            )
            print(f"{' '.join(argv[2:])}: {times}; ratio {ratio:.2f}, limit {LIMIT}")
    return 1 if failed else 0


def _install(library: Path) -> None:
    for number in range(INSTALLED):
        id = f"flow-{number:02}"
        place = library / id / "references"
        place.mkdir(parents=True)
        (place / "a.md").write_text("x\n" * 2000)
        (place / "b.md").write_text("y\n" * 2000)
        (place.parent / "workflow.yaml").write_text(_MANIFEST.format(id=id))
        (place.parent / "SKILL.md").write_text(_SKILL.format(id=id))


def _timed(argv: list[str], base: Path, data: str) -> float:
    """Run it on a machine with that data; seconds."""
    env = {"PATH": os.environ.get("PATH", ""), "HOME": str(base), "LANG": "C.UTF-8"}
    began = time.perf_counter()
    done = subprocess.run(
        argv,
        cwd=base,
        env={**env, "RASEN_HOME": str(base / data)},
        capture_output=True,
        text=True,
        check=False,
    )
    took = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return took


if __name__ == "__main__":
    sys.exit(main())
