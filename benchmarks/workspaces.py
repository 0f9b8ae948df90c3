"""Generates workspaces of any size: the same bytes for the same size, on every machine."""

from __future__ import annotations

import random
from pathlib import Path

AREAS = ("ticket", "harbour", "depot", "meter", "garden", "signal", "archive", "kitchen")
THINGS = ("booking", "schedule", "access", "alarm", "invoice", "reading", "permit", "transfer")
ACTORS = ("operator", "visitor", "driver", "inspector", "member", "supplier")
VERBS = ("open", "confirm", "close", "correct", "hand over", "cancel", "print", "withdraw")
LIMITS = ("5 seconds", "2 minutes", "one hour", "the end of the day", "48 hours", "10 working days")
REASONS = (
    "so that nobody has to ask twice",
    "because the paper form is no longer kept",
    "and the reason is shown in plain words",
    "even while the line to the office is down",
    "without asking for the same number again",
)
CHANGES = 20


def spec(number: int) -> str:
    """One spec of about 2.5 KB: a purpose and a handful of requirements with scenarios."""
    chance = random.Random(number)
    name = capability(number)
    parts = [
        f"# {name} Specification\n\n## Purpose\nWhat every {chance.choice(ACTORS)} may do with the "
        f"{chance.choice(THINGS)} in the {chance.choice(AREAS)} area, and within which time.\n\n"
        "## Requirements\n"
    ]
    parts += [requirement(chance, index) for index in range(chance.randint(2, 4))]
    return "\n".join(parts)


def capability(number: int) -> str:
    """The folder's name of spec `number`."""
    return f"{AREAS[number % 8]}-{THINGS[number // 8 % 8]}-{number:05d}"


def requirement(chance: random.Random, index: int) -> str:
    """One requirement block with two or three scenarios."""
    actor, thing = chance.choice(ACTORS), chance.choice(THINGS)
    parts = [
        f"### Requirement: {thing.capitalize()} rule {index + 1}\n"
        f"The system SHALL let the {actor} {chance.choice(VERBS)} the {thing} within "
        f"{chance.choice(LIMITS)}, {chance.choice(REASONS)}. It MUST keep the former {thing} "
        "until the new one has been confirmed.\n"
    ]
    parts += [scenario(chance, actor, thing, at) for at in range(chance.randint(2, 3))]
    return "\n".join(parts)


def scenario(chance: random.Random, actor: str, thing: str, index: int) -> str:
    """One scenario with its steps."""
    return (
        f"#### Scenario: Case {index + 1} of the {actor}\n"
        f"- **GIVEN** the {thing} that was made {chance.randint(2, 90)} days ago\n"
        f"- **WHEN** the {actor} wants to {chance.choice(VERBS)} it\n"
        f"- **THEN** the {thing} is shown as changed within {chance.choice(LIMITS)}\n"
        f"- **AND** the {chance.choice(ACTORS)} is told, {chance.choice(REASONS)}\n"
    )


def make(root: Path, specs: int) -> None:
    """Make an OpenSpec tree with `specs` specs and twenty open changes below `root`, once."""
    done = root / ".complete"
    if done.exists():
        return
    tree = root / "openspec"
    for number in range(specs):
        folder = tree / "specs" / capability(number)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "spec.md").write_text(spec(number), encoding="utf-8", newline="\n")
    for number in range(min(CHANGES, specs)):
        _change(tree, number)
    (tree / "changes" / "archive").mkdir(parents=True, exist_ok=True)
    (tree / "config.yaml").write_text("schema: spec-driven\n", encoding="utf-8", newline="\n")
    done.write_text("", encoding="utf-8")


def change_name(number: int) -> str:
    """The name of open change `number`."""
    return f"rework-{THINGS[number % 8]}-{number:02d}"


def _change(tree: Path, number: int) -> None:
    chance = random.Random(-1 - number)
    folder = tree / "changes" / change_name(number)
    tasks = "\n".join(
        f"- [{chance.choice(' x')}] 1.{index} {chance.choice(VERBS)} the {chance.choice(THINGS)}"
        for index in range(1, 13)
    )
    texts = {
        ".openspec.yaml": 'schema: spec-driven\ncreated: "2026-01-31"\n',
        "proposal.md": (
            f"# Change: {change_name(number)}\n\n## Why\nThe {chance.choice(ACTORS)} waits for the "
            f"{chance.choice(THINGS)} every morning, {chance.choice(REASONS)}.\n\n## What Changes\n"
            f"- A new rule for the {chance.choice(THINGS)}\n\n## Impact\nThe whole area.\n"
        ),
        "design.md": "# Design\n\n## Context\nNothing new.\n",
        "tasks.md": f"# Tasks\n\n## 1. Work\n{tasks}\n",
        f"specs/{capability(number)}/spec.md": (
            "## ADDED Requirements\n\n" + requirement(chance, 40) + "\n" + requirement(chance, 41)
        ),
    }
    for relative, text in texts.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
