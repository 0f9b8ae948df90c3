"""Two people at two machines share a store: a bare remote, two clones, two data folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.world import Result, World

UID = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
HEAD = "# rental\n\n## Purpose\n\nHow bicycles are lent to members of the harbour club.\n\n## Requirements\n\n"
SPEC = "rasen/specs/rental/spec.md"
TASKS = "rasen/changes/bells/tasks.md"
META = "rasen/changes/bells/.openspec.yaml"
CONFIG = "rasen/config.yaml"
NOTES = "rasen/changes/bells/proposal.md"


def requirement(name: str, body: str) -> str:
    return (
        f"### Requirement: {name}\nThe service SHALL {body}.\n\n"
        f"#### Scenario: Usual\n- **WHEN** it is {name.lower()} time\n- **THEN** it happens\n"
    )


LOAN, LOCK = requirement("Loan", "lend a bicycle"), requirement("Lock", "lock a bicycle")


def spec(*blocks: str) -> str:
    return HEAD + "\n".join(blocks)


FILES = {
    SPEC: spec(LOAN, LOCK),
    TASKS: "## 1. Bells\n\n- [ ] 1.1 Buy\n- [ ] 1.2 Mount\n",
    META: "schema: spec-driven\ncreated: 2026-01-31\n",
    CONFIG: "schema: spec-driven\nreferences:\n- docs\n",
    NOTES: "## Why\n\nBells are heard.\n",
    ".rasen-store/store.yaml": f"version: 2\nuid: {UID}\nid: team\n",
}


@dataclass(frozen=True)
class Desk:
    """One person's machine: a checkout of the store, registered in a data folder of its own."""

    world: World
    name: str
    root: Path
    env: Mapping[str, str | None]

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def git(self, *words: str) -> str:
        return self.world.git("-C", str(self.root), *words)

    def read(self, rel: str) -> str:
        return (self.root / rel).read_bytes().decode()

    def write(self, rel: str, text: str | bytes) -> Path:
        path = self.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def commit(self, files: Mapping[str, str | bytes | None], message: str = "Work") -> str:
        """Commit files, None removing one; the new head."""
        for rel, text in files.items():
            if text is None:
                (self.root / rel).unlink()
            else:
                self.write(rel, text)
        self.git("add", "-A")
        self.git(
            "commit",
            "-qm",
            f"{message} of {self.name}",
            "--author",
            f"{self.name} <{self.name}@x.invalid>",
        )
        return self.head

    def cli(self, *words: str, cwd: Path | None = None, **more: Any) -> Result:
        env = {**self.env, **more.pop("env", {})}
        return self.world.cli(*words, cwd=cwd or self.root, env=env, **more)

    def sync(self, *words: str, **more: Any) -> Result:
        """`store sync team --json`."""
        return self.cli("store", "sync", "team", "--json", *words, **more)

    def register(self, root: Path) -> None:
        """Make `root` the checkout that this machine knows as the store."""
        path = Path(str(self.env["XDG_DATA_HOME"])) / "rasen/stores/registry.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"version: 2\nstores:\n  {UID}:\n    id: team\n    backend:\n"
            f"      type: git\n      local_path: {root}\n"
        )


@dataclass(frozen=True)
class Desks:
    """The remote and both machines."""

    remote: Path
    ada: Desk
    bea: Desk


def desks(world: World) -> Desks:
    """A store of two people, both up to date."""
    remote = world.base / "remote.git"
    world.git("init", "-q", "--bare", str(remote))
    ada = _desk(world, "ada", remote)
    ada.commit(FILES, "Start")
    ada.git("push", "-q", "-u", "origin", "main")
    return Desks(remote, ada, _desk(world, "bea", remote))


def _desk(world: World, name: str, remote: Path) -> Desk:
    place = world.base / name
    world.git("clone", "-q", str(remote), str(place / "team"))
    env = {"XDG_DATA_HOME": str(place / "data"), "XDG_CONFIG_HOME": str(place / "config")}
    desk = Desk(world, name, place / "team", env)
    desk.git("config", "user.name", name)
    desk.git("config", "user.email", f"{name}@example.invalid")
    desk.register(desk.root)
    return desk
