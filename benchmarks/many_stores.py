"""A machine with many stores and projects, and how long `doctor --json` takes on it.

Compared with a process that reads the same files plainly: `python benchmarks/many_stores.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STORES = 200
PROJECTS = 500
RUNS = 10
PROJECT_ID = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
LIMIT = 2.0
LOADERS = ("SafeLoader", "CSafeLoader")
"""PyYAML's own, which `safe_load` uses, and the one in C where it was built."""

_PLAIN = """
import json, sys
import yaml
loader = getattr(yaml, sys.argv[1])
for name in sys.stdin.read().splitlines():
    with open(name, encoding="utf-8") as file:
        text = file.read()
    json.loads(text) if name.endswith(".json") else yaml.load(text, Loader=loader)
"""


def uid(number: int) -> str:
    """The identity of a store."""
    return f"00000000-0000-4000-8000-{number:012d}"


def build(base: Path, *, stores: int = STORES, projects: int = PROJECTS) -> tuple[Path, list[Path]]:
    """Make the machine below `base`: the folder to start in, and every file a look has to read.

    The data folder is `base/data`. The project in it is a member of every store.
    """
    data, root = base / "data", base / "projects" / "p0"
    read = [_project(root), _registry(data, base, stores), _projects(data, base, projects)]
    for number in range(stores):
        read += _store(base / "stores" / f"s{number}", number)
    return root, read


def _project(root: Path) -> Path:
    (root / "rasen" / "specs").mkdir(parents=True)
    config = root / "rasen" / "config.yaml"
    config.write_text(f"schema: spec-driven\nprojectId: {PROJECT_ID}\n")
    return config


def _registry(data: Path, base: Path, stores: int) -> Path:
    lines = ["version: 2", "stores:"]
    for number in range(stores):
        lines += [
            f"  {uid(number)}:",
            "    type: store",
            f"    id: s{number}",
            "    backend:",
            "      type: git",
            f"      local_path: {base / 'stores' / f's{number}'}",
        ]
    path = data / "stores" / "registry.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def _projects(data: Path, base: Path, projects: int) -> Path:
    rows = {}
    for number in range(projects):
        place = base / "projects" / f"p{number}"
        place.mkdir(parents=True, exist_ok=True)
        rows[str(place)] = {
            "projectId": PROJECT_ID if number == 0 else uid(1000 + number),
            "name": f"p{number}",
            "mode": "in-repo",
            "home": f"p{number}-12345678",
            "lastSeen": "2026-01-31T12:00:00.000Z",
        }
    path = data / "projects" / "registry.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": 1, "projects": rows}, indent=2))
    return path


def _store(root: Path, number: int) -> list[Path]:
    (root / "rasen" / "specs").mkdir(parents=True)
    (root / "rasen" / "config.yaml").write_text("schema: spec-driven\n")
    metadata = root / ".rasen-store" / "store.yaml"
    record = metadata.parent / "projects" / f"{PROJECT_ID}.yaml"
    record.parent.mkdir(parents=True)
    metadata.write_text(f"version: 2\nuid: {uid(number)}\nid: s{number}\n")
    record.write_text(
        f"version: 1\nprojectId: {PROJECT_ID}\nroles:\n  planning: false\n  knowledge: true\n"
    )
    return [metadata, record]


def main() -> int:
    """Measure both, alternating; the least of each counts."""
    with tempfile.TemporaryDirectory() as folder:
        root, files = build(Path(folder).resolve())
        env = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": folder,
            "RASEN_HOME": f"{folder}/data",
            "LANG": "C.UTF-8",
        }
        names = "\n".join(map(str, files))
        ours: list[float] = []
        plain: dict[str, list[float]] = {loader: [] for loader in LOADERS}
        for _ in range(RUNS):
            ours.append(_timed([sys.executable, "-m", "rasen", "doctor", "--json"], root, env, ""))
            for loader, times in plain.items():
                times.append(_timed([sys.executable, "-c", _PLAIN, loader], root, env, names))
    print(f"doctor, {STORES} stores and {PROJECTS} projects: {min(ours) * 1000:.0f} ms")
    for loader, times in plain.items():
        told = f"{min(times) * 1000:.0f} ms, ratio {min(ours) / min(times):.2f}"
        print(f"reading the same {len(files)} files with {loader}: {told}")
    ratio = min(ours) / min(plain[LOADERS[0]])
    print(f"limit of the first ratio: {LIMIT}")
    return 0 if ratio < LIMIT else 1


def _timed(argv: list[str], cwd: Path, env: dict[str, str], given: str) -> float:
    began = time.perf_counter()
    done = subprocess.run(
        argv, cwd=cwd, env=env, input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
