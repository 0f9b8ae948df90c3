"""How long `rasen init --tools all` takes, against a process that writes the same files plainly.

`python benchmarks/skills.py` prints the ratio, and fails above its limit.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 9
LIMIT = 3.0

_PLAIN = """
import json, os, sys
with open(sys.argv[1], encoding="utf-8") as file:
    files = json.load(file)
for name, (text, mode) in files.items():
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    if mode & 0o100:
        os.chmod(name, mode)
"""


def main() -> int:
    """Measure both, alternating, each in an empty folder; the least of each counts."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        env = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "LANG": "C.UTF-8"}
        init = [sys.executable, "-m", "rasen", "init", "--tools", "all"]
        _timed(init, base, env)
        listed = base / "files.json"
        count = _list(base / "project", listed)
        ours, plain = [], []
        for _ in range(RUNS):
            ours.append(_timed(init, base, env))
            plain.append(_timed([sys.executable, "-c", _PLAIN, str(listed)], base, env))
    ratio = min(ours) / min(plain)
    print(f"init --tools all: {min(ours) * 1000:.0f} ms")
    print(f"writing the same {count} files plainly: {min(plain) * 1000:.0f} ms")
    print(f"ratio {ratio:.2f}, limit {LIMIT}")
    return 0 if ratio <= LIMIT else 1


def _list(root: Path, target: Path) -> int:
    """Write down every file below `root`, for the plain process; how many there are."""
    files = {
        path.relative_to(root).as_posix(): (path.read_text(encoding="utf-8"), path.stat().st_mode)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    target.write_text(json.dumps(files), encoding="utf-8")
    return len(files)


def _timed(argv: list[str], base: Path, env: dict[str, str]) -> float:
    """Run it in an empty project on a machine that knows none; seconds."""
    root, data = base / "project", base / "data"
    for place in (root, data):
        shutil.rmtree(place, ignore_errors=True)
    root.mkdir()
    began = time.perf_counter()
    done = subprocess.run(
        argv,
        cwd=root,
        env={**env, "RASEN_HOME": str(data)},
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
