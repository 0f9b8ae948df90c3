"""Random histories: whatever valid changes are archived in a row, the specs hold what they should.

A model keeps, in plain lists, what each spec ought to say. Every step draws a valid delta, archives
it through the command line, and compares the files with the model by a reader of its own.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.world import World

CAPABILITIES = ("tolls", "locks", "pilots", "桥梁")
PURPOSE = "What the canal office promises to everybody who passes, by day and by night."
NAMES = st.sampled_from(
    [
        "Opening",
        "Opening hours",
        "Toll: by length",
        "夜间通行",
        "A `quoted` name",
        "Café",
        "#1",
    ]
)
BODIES = st.sampled_from(
    [
        "The office SHALL answer within 5 minutes.",
        "A keeper MUST\nopen both gates,\n\none after the other.",
        "The fare SHALL be printed:\n\n```text\n### Requirement: not one\n## ADDED Requirements\n```",
        "船闸必须在十分钟内开启。",
        "It SHALL hold - even with trailing text | and * marks.",
    ]
)
SCENARIOS = st.lists(
    st.sampled_from(["By day", "By night", "Ice", "高水位", "Two boats"]),
    min_size=1, max_size=3, unique=True,
)  # fmt: skip


@dataclass(frozen=True)
class Requirement:
    """One requirement as the model knows it."""

    name: str
    body: str
    scenarios: tuple[str, ...]

    def render(self) -> str:
        """The block as a person would write it."""
        cases = "".join(
            f"\n#### Scenario: {case}\n- **WHEN** a boat comes\n- **THEN** {case} holds\n"
            for case in self.scenarios
        )
        return f"### Requirement: {self.name}\n{self.body}\n{cases}"


@dataclass
class Delta:
    """What one step does to one capability, and what it leads to."""

    added: list[Requirement] = field(default_factory=list)
    modified: list[Requirement] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)

    def render(self, *, is_new: bool) -> str:
        """The delta file."""
        parts = [f"## Purpose\n{PURPOSE}\n"] if is_new else []
        for title, blocks in (("ADDED", self.added), ("MODIFIED", self.modified)):
            if blocks:
                text = "\n".join(block.render() for block in blocks)
                parts.append(f"## {title} Requirements\n\n{text}")
        if self.removed:
            names = "\n".join(
                f"### Requirement: {name}\n**Reason**: gone." for name in self.removed
            )
            parts.append(f"## REMOVED Requirements\n\n{names}\n")
        if self.renamed:
            pairs = "\n".join(
                f"- FROM: `### Requirement: {old}`\n- TO: `### Requirement: {new}`"
                for old, new in self.renamed
            )
            parts.append(f"## RENAMED Requirements\n\n{pairs}\n")
        return "\n".join(parts)

    def apply(self, spec: list[Requirement]) -> list[Requirement]:
        """What the spec says afterwards."""
        names = dict(self.renamed)
        new = {block.name: block for block in self.modified}
        kept = [
            Requirement(names.get(one.name, one.name), one.body, one.scenarios)
            for one in spec
            if one.name not in self.removed
        ]
        return [new.get(one.name, one) for one in kept] + self.added


@st.composite
def deltas(draw: st.DrawFn, spec: list[Requirement]) -> Delta:
    """A valid delta for a spec that holds these requirements."""
    delta = Delta()
    taken = {one.name for one in spec}
    for one in spec:
        action = draw(st.sampled_from(["keep", "keep", "modify", "remove", "rename", "both"]))
        name = one.name
        if action in ("rename", "both"):
            name = draw(NAMES)
            if name in taken:
                continue
            taken.add(name)
            delta.renamed.append((one.name, name))
        if action in ("modify", "both"):
            more = tuple(case for case in draw(SCENARIOS) if case not in one.scenarios)
            delta.modified.append(Requirement(name, draw(BODIES), one.scenarios + more))
        if action == "remove":
            delta.removed.append(one.name)
    for name in draw(st.lists(NAMES, max_size=3, unique=True)):
        if name not in taken:
            delta.added.append(Requirement(name, draw(BODIES), tuple(draw(SCENARIOS))))
    return delta


def read(path: Path) -> list[Requirement]:
    """What a spec says, by a reader that shares nothing with the program's."""
    text = path.read_bytes().decode().replace("\r\n", "\n")
    text = text.split("\n## Requirements\n", 1)[1]
    fences = re.findall(r"^```.*?^```$", text, re.M | re.S)
    for number, fence in enumerate(fences):
        text = text.replace(fence, f"\0{number}\0")
    found = []
    for block in re.split(r"^### Requirement: ", text, flags=re.M)[1:]:
        head, *cases = re.split(r"^#### Scenario: ", block, flags=re.M)
        name, body = head.split("\n", 1)
        body = re.sub(r"\0(\d+)\0", lambda at: fences[int(at[1])], body.strip())
        found.append(Requirement(name, body, tuple(case.split("\n", 1)[0] for case in cases)))
    return found


def live_through(data: st.DataObject, world: World, steps: int) -> None:
    """Archive one drawn change after the other, and compare after each."""
    world.workspace()
    model: dict[str, list[Requirement]] = {}
    for number in range(steps):
        touched = data.draw(
            st.lists(st.sampled_from(CAPABILITIES), min_size=1, max_size=2, unique=True)
        )
        change = f"step-{number}"
        expected = dict(model)
        for name in touched:
            delta = data.draw(deltas(model.get(name, [])))
            if delta != Delta():
                text = delta.render(is_new=name not in model)
                world.write(f"rasen/changes/{change}/specs/{name}/spec.md", text)
                expected[name] = delta.apply(model.get(name, []))
        if not (world.root / "rasen/changes" / change).exists():
            continue
        others = _bytes_of(world, set(model) - set(touched))

        checked = world.cli("validate", change, "--json")
        archived = world.cli("archive", change, "--yes", "--json")

        assert checked.code == 0, checked.out
        assert archived.code == 0, archived.out
        model = {name: spec for name, spec in expected.items() if spec}
        _compare(world, model)
        assert _bytes_of(world, set(others)) == others
        _turn_some_to_windows(data, world, model)


def _compare(world: World, model: dict[str, list[Requirement]]) -> None:
    specs = world.root / "rasen/specs"
    there = {path.parent.name for path in specs.glob("*/spec.md")}
    assert there == set(model)
    for name, spec in model.items():
        path = specs / name / "spec.md"
        assert read(path) == spec
        content = path.read_bytes()
        assert content.count(b"\r\n") in (0, content.count(b"\n"))
    report = world.cli("validate", "--all", "--strict", "--json")
    assert report.code == 0, report.out


def _bytes_of(world: World, names: set[str]) -> dict[str, bytes]:
    return {name: (world.root / f"rasen/specs/{name}/spec.md").read_bytes() for name in names}


def _turn_some_to_windows(
    data: st.DataObject, world: World, model: dict[str, list[Requirement]]
) -> None:
    if model and data.draw(st.integers(0, 4)) == 0:
        path = world.root / "rasen/specs" / sorted(model)[0] / "spec.md"
        text = path.read_bytes().replace(b"\r\n", b"\n")
        path.write_bytes(text.replace(b"\n", b"\r\n"))


def _in_a_world(data: st.DataObject, steps: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        live_through(data, World(Path(folder)), steps)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_short_history_leaves_what_it_should(data: st.DataObject) -> None:
    _in_a_world(data, steps=5)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_long_history_leaves_what_it_should(data: st.DataObject) -> None:
    _in_a_world(data, steps=25)
