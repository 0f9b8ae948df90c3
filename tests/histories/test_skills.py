"""Random histories of a project's skills: what a person wrote is never lost, and all of ours can go."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from tests.support.skill_sets import Set, definition
from tests.support.world import World

from rasen.ownership import ops as ownership
from rasen.upkeep.remove import plan_removal, remove
from rasen.upkeep.sites import project_site
from rasen.workflows.model import Kind

SHORT, LONG = 40, 1_000
HOSTS = ("claude", "codex")
NAMES = ("SKILL.md", "SKILL.md.new", "notes.md", "scripts/run.sh")


class Life:
    """One project. mine: the files of the person, by path, as they were left."""

    def __init__(self, world: World, rng: Random) -> None:
        self.world, self.rng = world, rng
        self.mine: dict[Path, bytes] = {}
        self.came: Counter[str] = Counter()
        self.number = 0
        (world.root / "rasen").mkdir(exist_ok=True)

    def step(self) -> None:
        """Something happens."""
        deed = self.rng.choice((self.update, self.update, self.edit, self.create, self.delete))
        deed()
        self.came[deed.__name__] += 1

    def update(self) -> None:
        """The program runs, with some selection and some version of the texts."""
        ids = self.rng.sample(["a", "b", "c"], self.rng.randint(1, 3))
        kinds = {"c": Kind.EXPERT}
        version = self.rng.randint(1, 3)
        skills = Set(
            self.world,
            definitions=[
                definition(one, f"Version {version}.\n", kind=kinds.get(one, Kind.TASK))
                for one in sorted(ids)
            ],
        )
        hosts = self.rng.sample(HOSTS, self.rng.randint(1, 2))
        is_forced = self.rng.random() < 0.15
        owned = self.owned()
        for tool in skills.write(*hosts, is_forced=is_forced):
            self.came[tool.outcome.value] += 1
            self.came.update(str(one.code) for one in tool.problems)
        for path, text in list(self.mine.items()):
            left = path.read_bytes() if path.is_file() else None
            if left != text:
                assert is_forced, f"{path} lost what a person wrote"
                assert path in owned, f"{path} was never ours"
                del self.mine[path]
                self.came["replaced by force"] += 1

    def edit(self) -> None:
        """The person changes a file of a skill, whoever wrote it."""
        there = self.files()
        if there:
            self.put(self.rng.choice(there))

    def create(self) -> None:
        """The person writes a file where one of ours could be, or beside."""
        host = self.rng.choice((".claude", ".codex"))
        name = f"rasen-{self.rng.choice('abc')}/{self.rng.choice(NAMES)}"
        self.put(self.world.root / host / "skills" / name)

    def delete(self) -> None:
        """The person deletes a file."""
        there = self.files()
        if there:
            path = self.rng.choice(there)
            path.unlink()
            self.mine.pop(path, None)

    def put(self, path: Path) -> None:
        self.number += 1
        self.mine[path] = f"Mine, {self.number}.\n".encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.mine[path])

    def files(self) -> list[Path]:
        places = [self.world.root / host for host in (".claude", ".codex")]
        return sorted(one for place in places for one in place.rglob("*") if one.is_file())

    def owned(self) -> set[Path]:
        site = project_site(self.world.context(), self.world.root)
        return {site.base / path for path, _ in ownership.ledger(site).rows}

    def end(self) -> None:
        """Everything of ours goes; what is left is the person's."""
        ctx = self.world.context()
        remove(ctx, plan_removal(ctx, self.world.root))
        assert {path: path.read_bytes() for path in self.files()} == self.mine
        assert not (self.world.root / "rasen/.rasen-files.json").exists()


def live(base: Path, seed: int) -> Counter[str]:
    """One history, from an empty project to its end."""
    place = base / str(seed)
    place.mkdir()
    life = Life(World(place), Random(seed))
    for _ in range(12):
        life.step()
    life.end()
    return life.came


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("count", [SHORT, pytest.param(LONG, marks=pytest.mark.soak)])
def test_what_a_person_wrote_is_never_lost(tmp_path: Path, count: int) -> None:
    came: Counter[str] = Counter()

    for seed in range(count):
        came += live(tmp_path, seed)

    for sight in (
        "owned_path_edited",
        "owned_path_edited_new_version",
        "owned_path_released",
        "owned_path_foreign",
        "replaced by force",
        "created",
        "refreshed",
        "unchanged",
        "failed",
    ):
        assert came[sight] > 0, f"never seen: {sight}; only {came}"
