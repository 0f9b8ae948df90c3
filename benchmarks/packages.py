"""How long the largest package takes to import, export and validate, against hashing and writing its files.

`python benchmarks/packages.py` prints the ratios, and fails above the limit. Everything happens in one
process; each figure is the least of its runs.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rasen.base.context import Context
from rasen.bootstrap import build
from rasen.packages import encode, ops
from rasen.packages.model import Kind

RUNS = 7
LIMIT = 20.0
WORKFLOWS = 64
FILES = 256
CONTENT_BYTES = 12 * 1024 * 1024
_LINE = "Look at what changed, write down what it means, and go on with the next file.\n"


def main() -> int:
    """Measure all of them; the least of each counts."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        ctx = _context(base)
        trees = _trees()
        entries = [encode.entry(Kind.WORKFLOW, name, files) for name, files in trees.items()]
        package = encode.workflow_package(trees, entries)
        place = base / "largest.rasenpkg"
        place.write_bytes(encode.encode(package, ops.known(), file="largest"))
        print(f"{WORKFLOWS} workflows, {FILES} files, {place.stat().st_size:,} bytes")
        root = _one_that_needs_all(base, trees)
        plain = _least(lambda: _plainly(base / "plain", trees), lambda: _clear(base / "plain"))
        ratios = {
            "validate": _least(lambda: _sound(ctx, place), lambda: None) / plain,
            "import": _least(
                lambda: ops.import_workflows(ctx, str(place)), lambda: _clear(ctx.data_dir)
            )
            / plain,
        }
        ops.import_workflows(ctx, str(root))
        target = base / "out.rasenpkg"
        ratios["export"] = (
            _least(
                lambda: ops.export_workflow(ctx, "all", str(target)),
                lambda: target.unlink(missing_ok=True),
            )
            / plain
        )
    print(f"hashing and writing the same files: {plain * 1000:.0f} ms")
    for name, ratio in ratios.items():
        print(f"{name}: {ratio * plain * 1000:.0f} ms, ratio {ratio:.1f}, limit {LIMIT:.0f}")
    return 0 if max(ratios.values()) <= LIMIT else 1


def _context(base: Path) -> Context:
    env = {
        "HOME": str(base),
        "XDG_DATA_HOME": str(base / "data"),
        "XDG_CONFIG_HOME": str(base / "config"),
    }
    return build(env, base, tell=lambda _: None)


def _trees() -> dict[str, dict[str, bytes]]:
    """The files of all workflows, together exactly at the limits."""
    names = [f"w{number:02}" for number in range(WORKFLOWS)]
    trees = {name: _tree(name, 0) for name in names}
    rest = CONTENT_BYTES - sum(len(data) for files in trees.values() for data in files.values())
    share, more = divmod(rest, WORKFLOWS)
    return {name: _tree(name, share + (more if name == names[-1] else 0)) for name in names}


def _tree(name: str, size: int) -> dict[str, bytes]:
    sidecars = [f"references/{number}.md" for number in range(FILES // WORKFLOWS - 2)]
    manifest = f"version: 1\nid: {name}\nfiles:\n  sidecars: {json.dumps(sidecars)}\n"
    text = (_LINE * (size // len(_LINE) + 1))[:size].encode()
    step = size // len(sidecars)
    cuts = [*(at * step for at in range(len(sidecars))), size]
    return {
        "workflow.yaml": manifest.encode(),
        "SKILL.md": f"---\nname: {name}\ndescription: Does it.\n---\nDo it.\n".encode(),
        **{path: text[cuts[at] : cuts[at + 1]] for at, path in enumerate(sidecars)},
    }


def _one_that_needs_all(base: Path, trees: dict[str, dict[str, bytes]]) -> Path:
    """A package about one workflow that requires the others, so that its export holds them all."""
    names = sorted(trees)[:-1]
    trees = {name: trees[name] for name in names}
    manifest = f"version: 1\nid: all\nrequires:\n  workflows: {json.dumps(names)}\n"
    skill = b"---\nname: all\ndescription: Needs them.\n---\nDo it.\n"
    trees["all"] = {"workflow.yaml": manifest.encode(), "SKILL.md": skill}
    entries = [encode.entry(Kind.WORKFLOW, name, files) for name, files in trees.items()]
    place = base / "all.rasenpkg"
    made = encode.workflow_package(["all"], entries)
    place.write_bytes(encode.encode(made, ops.known(), file="all"))
    return place


def _plainly(target: Path, trees: dict[str, dict[str, bytes]]) -> None:
    for name, files in trees.items():
        for path, data in files.items():
            hashlib.sha256(data).hexdigest()
            place = target / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)


def _sound(ctx: Context, place: Path) -> None:
    found = ops.check_package(ctx, str(place))
    assert found.is_valid, found.found


def _clear(place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)


def _least(work: Callable[[], object], prepare: Callable[[], object]) -> float:
    least = float("inf")
    for _ in range(RUNS):
        prepare()
        begun = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - begun)
    return least


if __name__ == "__main__":
    raise SystemExit(main())
