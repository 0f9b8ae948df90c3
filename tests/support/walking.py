"""An agent that knows nothing but the text of a skill: it runs the commands as they stand there."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.support import skills
from tests.support.world import World

Writer = Callable[[str, Path], None]


class Agent:
    """Follows skill texts in a world.

    known: what it puts into the places of a command (`<name>`). write: how it writes an artifact,
    given its id and the place that the program names. store: what it was asked to plan in; empty
    means where it stands. answers: the last document of each command, by its first words.
    """

    def __init__(
        self, world: World, known: Mapping[str, str], write: Writer, *, store: str = ""
    ) -> None:
        self._world = world
        self._store = store
        self._known = dict(known)
        self._write = write
        self._text = ""
        self.answers: dict[str, Any] = {}

    def follow(self, folder: str, *, text: str | None = None) -> None:
        """Run the fenced commands of a workflow's skill in order. `text` replaces its text."""
        place = skills.ASSETS / "workflows" / folder / "SKILL.md"
        self._text = place.read_text(encoding="utf-8") if text is None else text
        commands = skills.fenced_commands(self._text)
        while commands:
            here = commands.pop(0)
            if commands and "<artifact>" in commands[0]:
                self._write_artifacts(here, commands.pop(0))
            elif "<id>" in here:
                per_task = [here]
                while commands and "<id>" in commands[0]:
                    per_task.append(commands.pop(0))
                self._do_tasks(per_task)
            else:
                self._run(here)

    def _write_artifacts(self, status: str, instructions: str) -> None:
        for _ in range(9):
            told = self._run(status)
            states = {one["id"]: one for one in told[self._named("artifacts")]}
            if all(states[id]["status"] == "done" for id in told[self._named("applyRequires")]):
                return
            ready = [id for id, one in states.items() if one["status"] == self._named("ready")]
            answer = self._run(instructions, artifact=ready[0])
            self._write(ready[0], Path(answer[self._named("resolvedOutputPath")]))
        raise AssertionError("the artifacts never became complete")

    def _do_tasks(self, commands: list[str]) -> None:
        for task in self.answers["instructions apply"][self._named("tasks")]:
            if not task[self._named("done")]:
                for command in commands:
                    self._run(command, id=task["id"])

    def _run(self, command: str, **more: str) -> Any:
        """The answer of one command; a refusal is passed over only when the text foretells it."""
        words = shlex.split(command)
        for place, value in {**self._known, **more}.items():
            words = [word.replace(f"<{place}>", value) for word in words]
        words = _without_empty_options(words)
        assert not any("<" in word for word in words), f"what to put into {command}?"
        if self._store and f"rasen {words[1]}" not in skills.without_store(self._text):
            assert "add the same `--store <id>`" in self._text
            words += ["--store", self._store]
        result = self._world.cli(*words[1:])
        if words[1:3] == ["config", "get"] and not result.out:
            assert "exit code 1" in self._text.lower()
            return None
        assert result.code == 0, f"{' '.join(words)}\n{result.out}{result.err}"
        answer = json.loads(result.out) if "--json" in words else result.out
        self.answers[" ".join(words[1:3])] = self.answers[words[1]] = answer
        if words[1] == "instructions" and words[2] in command and words[2] != "apply":
            self._write(words[2], Path(answer["resolvedOutputPath"]))  # named by the text itself
        return answer

    def _named(self, field: str) -> str:
        assert f"`{field}`" in self._text, f"the text does not speak of {field}"
        return field


def _without_empty_options(words: list[str]) -> list[str]:
    """Leave out an option whose value the agent has none for."""
    kept: list[str] = []
    for word in words:
        if word == "":
            kept.pop()
        else:
            kept.append(word)
    return kept
