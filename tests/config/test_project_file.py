"""The project's settings file: every field by itself, nothing raised, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.base.context import Note
from rasen.base.messages import fill
from rasen.config import ops
from rasen.config.model import ProjectConfig, Reference, StorePointer

Told = list[str]


def read(
    folder: Path, text: str | bytes, *, name: str = "config.yaml"
) -> tuple[ProjectConfig, Told]:
    """The configuration that `text` gives (an empty one when it gives none), and what was told."""
    told: Told = []
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def tell(note: Note) -> None:
        told.append(fill(note.text, note.params))

    return ops.project_config(folder, tell=tell) or ProjectConfig(), told


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("schema: spec-driven", "schema", "spec-driven"),
        ("context: hello", "context", "hello"),
        ("context: ''", "schema", None),
        ("rules: {proposal: [a, b]}", "rules.proposal", ["a", "b"]),
        ("quality-rules: [q]", "quality-rules", ["q"]),
        ("projectId: 123-abc", "projectId", "123-abc"),
        ("knowledgeBundle: docs/k", "knowledgeBundle", "docs/k"),
        ("archive: {timing: in-ship}", "archive.timing", "in-ship"),
        ("archive: {destination: external}", "archive.destination", "external"),
        ("autopilot: {gates: on}", "autopilot.gates", "on"),
        ("autopilot: {gates: off, selection: compose}", "autopilot.selection", "compose"),
        ("handoff: {threshold: 1}", "handoff.threshold", 1),
        ("handoff: {threshold: 0.25}", "handoff.threshold", 0.25),
        ("handoff: {threshold: {remainingTokens: 9}}", "handoff.threshold", {"remainingTokens": 9}),
        ("handoff: {roles: {fixer: 0.5}}", "handoff.roles.fixer", 0.5),
        ("models: {default: m, roles: {any: n}}", "models.roles.any", "n"),
        ("workflows: [propose]", "workflows", ["propose"]),
        ("workflows: []", "workflows", []),
        ("profile: team", "profile", "team"),
        ("keepalive: {beatSeconds: 90}", "keepalive.beatSeconds", 90),
        ("keepalive: {beatSeconds: 280}", "keepalive.beatSeconds", 280),
        ("pipelines: {p: {gates: off}}", "pipelines.p.gates", "off"),
        ("pipelines: {p: {models: {s: m}}}", "pipelines.p.models.s", "m"),
        ("pipelines: {p: {handoff: {s: 0.1}}}", "pipelines.p.handoff.s", 0.1),
        ("pipelines: {p: {runtimes: {r: codex}}}", "pipelines.p.runtimes.r", "codex"),
    ],
    ids=lambda item: item if isinstance(item, str) else None,
)
def test_a_good_field_is_read_without_a_word(
    tmp_path: Path, text: str, path: str, value: object
) -> None:
    config, told = read(tmp_path, text + "\n")

    found: object = config.values
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    assert (found, told) == (value, [])


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("schema: ''", "schema"),
        ("schema: 1", "schema"),
        ("schema:", "schema"),
        ("context: [a]", "context"),
        ("rules: text", "rules"),
        ("rules: {proposal: text}", "rules.proposal"),
        ("rules: {proposal: [1]}", "rules.proposal"),
        ("quality-rules: {a: b}", "quality-rules"),
        ("references: text", "references"),
        ("store: 5", "store"),
        ("store: {id: a}", "store"),
        ("store: {uid: u, remote: ''}", "store"),
        ("projectId: 5", "projectId"),
        ("storeMemberships: {uid: a}", "storeMemberships"),
        ("archive: text", "archive"),
        ("archive: {timing: later}", "archive.timing"),
        ("archive: {destination: On-Merge}", "archive.destination"),
        ("autopilot: {gates: true}", "autopilot.gates"),
        ("autopilot: {selection: auto}", "autopilot.selection"),
        ("handoff: {threshold: 0}", "handoff.threshold"),
        ("handoff: {threshold: 1.1}", "handoff.threshold"),
        ("handoff: {threshold: .nan}", "handoff.threshold"),
        ("handoff: {threshold: true}", "handoff.threshold"),
        ("handoff: {threshold: {remainingTokens: 0}}", "handoff.threshold"),
        ("handoff: {roles: {boss: 0.5}}", "handoff.roles.boss"),
        ("models: {default: ''}", "models.default"),
        ("workflows: text", "workflows"),
        ("workflows: [1]", "workflows"),
        ("profile: custom", "profile"),
        ("keepalive: {beatSeconds: 89}", "keepalive.beatSeconds"),
        ("keepalive: {beatSeconds: 281}", "keepalive.beatSeconds"),
        ("keepalive: {beatSeconds: 100.5}", "keepalive.beatSeconds"),
        ("keepalive: {beatSeconds: true}", "keepalive.beatSeconds"),
        ("pipelines: [a]", "pipelines"),
        ("pipelines: {p: {gates: maybe}}", "pipelines.p.gates"),
        ("pipelines: {p: {runtimes: {r: gpt}}}", "pipelines.p.runtimes.r"),
    ],
    ids=lambda item: item if isinstance(item, str) else None,
)
def test_a_bad_field_costs_only_itself_and_is_told_with_its_line(
    tmp_path: Path, text: str, field: str
) -> None:
    config, told = read(tmp_path, f"projectName: x\nquality-rules: &q [kept]\n{text}\n"
                        if not text.startswith("quality") else f"schema: kept\nx: 1\n{text}\n")  # fmt: skip

    assert (config.quality_rules, config.schema) in ((("kept",), None), ((), "kept"))
    assert len(told) == 1
    assert f"{tmp_path / 'config.yaml'}:3: {field} is ignored" in told[0]


def test_unknown_keys_are_left_alone_in_silence(tmp_path: Path) -> None:
    config, told = read(tmp_path, "schema: a\nnobody: [1]\narchive: {later: x}\n")

    assert (config.schema, told) == ("a", [])


@pytest.mark.parametrize(
    ("count", "is_taken"), [(51_200, True), (51_201, False)], ids=["at the limit", "above"]
)
@pytest.mark.parametrize("letter", ["a", "語"], ids=["one byte", "three bytes"])
def test_context_is_measured_in_bytes(
    tmp_path: Path, letter: str, count: int, *, is_taken: bool
) -> None:
    size = len(letter.encode())
    text = letter * (count // size) + "x" * (count % size)
    assert len(text.encode()) == count

    config, told = read(tmp_path, f"schema: a\ncontext: {text}\n")

    assert config.schema == "a"
    assert config.context == (text if is_taken else None)
    assert len(told) == (0 if is_taken else 2)
    if not is_taken:
        assert "50.0 KB" in told[0]
        assert "ignored" in told[1]


def test_empty_rules_are_filtered_with_one_word_for_each_artifact(tmp_path: Path) -> None:
    text = "rules: {a: ['', x, ' '], b: [''], c: [y]}\nquality-rules: ['', z]\n"

    config, told = read(tmp_path, text)

    assert config.rules == {"a": ("x",), "c": ("y",)}
    assert config.quality_rules == ("z",)
    assert len(told) == 3


def test_references_keep_what_is_good(tmp_path: Path) -> None:
    text = (
        "references:\n"
        "  - team\n"
        "  - {id: Odd Name}\n"
        "  - project:web\n"
        "  - project:Bad_Id\n"
        "  - {id: web, type: project, remote: git@host:web.git}\n"
        "  - {id: team, remote: ''}\n"
        "  - {remote: x}\n"
        "  - 5\n"
    )

    config, told = read(tmp_path, text)

    assert config.references == (
        Reference("team"),
        Reference("Odd Name"),
        Reference("web", "project", "git@host:web.git"),
    )
    assert len(told) == 2


def test_memberships_keep_what_is_good(tmp_path: Path) -> None:
    text = "storeMemberships:\n  - {uid: u1, id: a}\n  - {id: b}\n  - c\n"

    config, told = read(tmp_path, text)

    assert config.store_memberships == (StorePointer("u1", "a"),)
    assert len(told) == 2


@pytest.mark.parametrize(
    ("text", "pointer", "is_malformed"),
    [
        ("store: team\n", StorePointer(id="team"), False),
        ("store: {uid: u, id: i, remote: r, more: 1}\n", StorePointer("u", "i", "r"), False),
        ("store: [a]\n", None, True),
        ("store:\n", None, True),
        ("store: [a\n", None, True),
        ("schema: a\n", None, False),
        ("", None, False),
    ],
)
def test_the_store_pointer_is_classified(
    tmp_path: Path, text: str, pointer: StorePointer | None, *, is_malformed: bool
) -> None:
    (tmp_path / "config.yaml").write_text(text)

    found = ops.store_declaration(tmp_path)

    assert found.file == tmp_path / "config.yaml"
    assert found.pointer == pointer
    assert (found.malformed is not None) is is_malformed


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"schema: [a\n", "config.yaml:2:1"),
        (b"schema: a\nschema: b\n", "config.yaml:2:1"),
        (b"- a\n", "map"),
        (b"schema: \xff\n", "UTF-8"),
        (b"schema: \x00\n", "U+0000"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_once_and_ignored(
    tmp_path: Path, content: bytes, words: str
) -> None:
    config, told = read(tmp_path, content)

    assert config == ProjectConfig()
    assert len(told) == 1
    assert words in told[0]


@pytest.mark.parametrize("text", ["", "# nothing\n", "unknown: 1\n", "{}\n"])
def test_a_file_without_a_field_we_know_reads_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.yaml").write_text(text)

    assert ops.project_config(tmp_path, tell=lambda _: None) is None


def test_the_longer_ending_wins_and_the_shorter_one_works(tmp_path: Path) -> None:
    config, _ = read(tmp_path, "schema: short\n", name="config.yml")
    assert config.schema == "short"

    config, _ = read(tmp_path, "schema: long\n")
    assert config.schema == "long"


def test_no_file_is_no_configuration(tmp_path: Path) -> None:
    told: list[Note] = []

    assert ops.project_config(tmp_path, tell=told.append) is None
    assert ops.project_config_path(tmp_path) is None
    assert told == []
