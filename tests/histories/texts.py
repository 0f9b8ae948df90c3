"""Specs of random histories as plain values, with a reader that shares nothing with the program's."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

TOKEN = re.compile(r"⟨(?!all-)[^⟩]+⟩")
HEAD = "# canal Specification\n\n## Purpose\nWhat the canal office promises to everybody who passes, by day and night.\n\n## Requirements\n\n"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BLANK_END = re.compile(r"(?:\r?\n[ \t]*)+\Z")
_REQUIREMENT = "### Requirement: "
_SCENARIO = "#### Scenario: "


@dataclass(frozen=True)
class Scenario:
    """A scenario. was: the former name that a delta gives; None without one."""

    name: str
    lines: tuple[str, ...]
    was: str | None = None

    def render(self) -> list[str]:
        mark = [] if self.was is None else [f"<!-- was: {self.was} -->"]
        return [_SCENARIO + self.name, *mark, *self.lines]


@dataclass(frozen=True)
class Requirement:
    """A requirement. removed: the scenarios that a delta says go."""

    name: str
    body: tuple[str, ...]
    scenarios: tuple[Scenario, ...] = ()
    removed: tuple[str, ...] = ()

    def render(self) -> list[str]:
        """The lines of the block."""
        lines = [_REQUIREMENT + self.name, *self.body]
        lines += [f"<!-- removed: {name} -->" for name in self.removed]
        for scenario in self.scenarios:
            lines += ["", *scenario.render()]
        return lines

    def content(self) -> Counter[tuple[str, ...]]:
        """All there is to it but its name and the order of its scenarios."""
        parts = Counter([("", *self.body)])
        parts.update((one.name, *one.lines) for one in self.scenarios)
        return parts

    def settled(self) -> Requirement:
        """The requirement without words that only deltas have."""
        scenarios = tuple(replace(one, was=None) for one in self.scenarios)
        return Requirement(self.name, self.body, scenarios)


@dataclass(frozen=True)
class Spec:
    """A spec as read. raw: of each requirement its text, line endings included, blank ends apart.

    head, tail: what stands before and behind the requirements.
    """

    head: str
    requirements: tuple[Requirement, ...]
    tail: str
    raw: dict[str, str]


def spec_text(requirements: list[Requirement]) -> str:
    """A spec that holds these requirements."""
    return HEAD + "\n".join("\n".join(one.render()) + "\n" for one in requirements)


def read(text: str) -> Spec:
    """The spec that `text` holds."""
    head: list[str] = []
    blocks: list[list[str]] = []
    tail: list[str] = []
    for line in _outlined(text):
        if line.is_heading and line.text.startswith(_REQUIREMENT):
            blocks.append([])
        is_behind = tail or (blocks and line.is_heading and line.text.startswith("## "))
        (tail if is_behind else blocks[-1] if blocks else head).append(line.raw)
    raws = [_BLANK_END.sub("", "".join(block)) for block in blocks]
    found = tuple(_requirement(raw) for raw in raws)
    names = [one.name for one in found]
    return Spec("".join(head), found, "".join(tail), dict(zip(names, raws, strict=True)))


def tokens(text: str | None) -> Counter[str]:
    """The marks of origin in a text, but for those that several authors write alike."""
    return Counter(TOKEN.findall(text or ""))


def plain_lines(text: str | None) -> Counter[str]:
    """The filled lines, without their endings."""
    return Counter(line for line in re.split(r"\r\n|\r|\n", text or "") if line.strip())


@dataclass(frozen=True)
class _Line:
    raw: str
    text: str
    is_heading: bool


def _outlined(text: str) -> list[_Line]:
    """The lines; a heading inside a fence is none."""
    found: list[_Line] = []
    fence = ""
    for raw in re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text):
        line = raw.rstrip("\r\n")
        mark = _FENCE.match(line)
        is_inside = bool(fence)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        found.append(_Line(raw, line, not is_inside and line.startswith("#")))
    return found


def _requirement(raw: str) -> Requirement:
    parts: list[list[str]] = [[]]
    for line in _outlined(raw):
        if line.is_heading and line.text.startswith(_SCENARIO):
            parts.append([])
        parts[-1].append(line.text)
    first, *rest = [_without_blank_end(part) for part in parts]
    scenarios = tuple(Scenario(one[0].removeprefix(_SCENARIO), tuple(one[1:])) for one in rest)
    return Requirement(first[0].removeprefix(_REQUIREMENT), tuple(first[1:]), scenarios)


def _without_blank_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
