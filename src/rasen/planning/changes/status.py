"""How far a change is: the state of each artifact, what comes next, whether it is complete."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rasen.base.findings import Finding
from rasen.planning.schemas import graph
from rasen.planning.schemas.graph import DONE, READY, State
from rasen.planning.schemas.model import Artifact, Schema


@dataclass(frozen=True)
class Progress:
    """How far one change is.

    existing: per artifact id its files, sorted. misplaced: delta files that would never be merged.
    states: in published (build) order.
    """

    name: str
    schema: Schema
    directory: Path
    existing: Mapping[str, Sequence[Path]]
    misplaced: tuple[Finding, ...]
    states: Mapping[str, State]

    @property
    def is_complete(self) -> bool:
        """True when every artifact that has to be written is done; tasks do not count."""
        return all(self.is_done(one.id) or one.is_optional for one in self.schema.artifacts)

    @property
    def missing_for_apply(self) -> list[str]:
        """What the gate to applying still waits for, in the schema's order."""
        return [name for name in self.schema.apply_requires if self.states[name].status != DONE]

    def is_done(self, artifact_id: str) -> bool:
        """True when that artifact is done."""
        return self.states[artifact_id].status == DONE

    def misplaced_in(self, artifact: Artifact) -> tuple[Finding, ...]:
        """The misplaced files that keep this artifact from being done."""
        return self.misplaced if artifact.holds_deltas else ()


def measure(
    name: str,
    schema: Schema,
    directory: Path,
    *,
    existing: Mapping[str, Sequence[Path]],
    misplaced: Sequence[Finding],
) -> Progress:
    """How far the change is, from the files that are there.

    An artifact with a file is done, whatever it requires; but deltas are not done while one of
    them lies where it would never be merged. Source: planning §5.5; product rulings.
    """
    done = {
        artifact.id
        for artifact in schema.artifacts
        if existing[artifact.id] and not (misplaced and artifact.holds_deltas)
    }
    states = graph.states(schema.artifacts, done)
    return Progress(name, schema, directory, existing, tuple(misplaced), states)


def next_steps(progress: Progress, selector: Sequence[str] = ()) -> list[str]:
    """What to do now, as sentences for an agent; the first ready artifact is the schema's first.

    selector: the words that select the root, so that the command can be pasted.
    """
    ready = [
        one for one in progress.schema.artifacts if _is_ready(progress, one) and not one.is_optional
    ]
    if ready:
        artifact = ready[0]
        misplaced = progress.misplaced_in(artifact)
        if misplaced:
            return [f"{one.message}. {one.fix}." for one in misplaced]
        call = command("instructions", artifact.id, "--change", progress.name, *selector, "--json")
        return [f"Run `{call}` before writing {artifact.id}, and follow what it says."]
    if progress.is_complete:
        return ["All artifacts are there: go through the open tasks before you build or archive."]
    return []


def command(*words: str) -> str:
    """A call of ours that can be pasted. The change's name is always quoted, as published."""
    quoted = [
        f'"{word}"' if before == "--change" and shlex.quote(word) == word else shlex.quote(word)
        for before, word in zip(("", *words), words, strict=False)
    ]
    return " ".join(["rasen", *quoted])


def _is_ready(progress: Progress, artifact: Artifact) -> bool:
    return progress.states[artifact.id].status == READY
