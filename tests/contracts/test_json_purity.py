"""With --json there is exactly one document on stdout, whatever happens."""

from __future__ import annotations

import click
import pytest
from tests.support.documents import FOLDER, fits
from tests.support.world import World

from rasen.surfaces import table
from rasen.surfaces.cli.run import App, null_shape
from rasen.surfaces.table import resolve

ROWS = [row for row in table.OPERATIONS if not row.hidden]


def _schemas(row: table.Operation) -> tuple[str, ...]:
    return SCHEMAS.get(row.name, (row.name.replace(" ", "-"),))


def _fits_one_of(names: tuple[str, ...], document: object) -> None:
    problems = []
    for name in names:
        try:
            fits(name, document)
        except AssertionError as problem:
            problems.append(f"{name}: {problem}")
        else:
            return
    pytest.fail("\n".join(problems))


def _takes(row: table.Operation, flag: str) -> bool:
    command = resolve(row.command)
    return any(
        isinstance(param, click.Option) and flag in param.opts for param in command.params
    ) and not isinstance(command, click.Group)


WITH_JSON = [row for row in ROWS if _takes(row, "--json")]
WITH_ROOT = [row for row in ROWS if _takes(row, "--store")]
WORDS = {
    "archive": ("archive", "a"),
    "change base": ("change", "base", "a"),
    "change lane": ("change", "lane", "a"),
    "diff": ("diff", "a"),
    "explain": ("explain", "a"),
    "history": ("history", "a"),
    "instructions": ("instructions", "proposal", "--change", "a"),
    "instructions apply": ("instructions", "apply", "--change", "a"),
    "new change": ("new", "change", "a"),
    "pipeline classify": ("pipeline", "classify", "a"),
    "pipeline show": ("pipeline", "show", "bug-fix"),
    "pipeline validate": ("pipeline", "validate", "bug-fix"),
    "show": ("show", "a"),
    "status": ("status", "--change", "a"),
    "sync": ("sync", "a"),
    "task done": ("task", "done", "a", "1"),
    "task list": ("task", "list", "a"),
    "task reopen": ("task", "reopen", "a", "1"),
    "task start": ("task", "start", "a", "1"),
    "validate": ("validate", "a"),
}
SCHEMAS = {
    "list": ("list", "list-specs"),
    "profile import": ("profile",),
    "profile new": ("profile",),
    "profile update": ("profile",),
    "profile use": ("profile",),
    "show": ("show-change", "show-spec"),
    "task done": ("task",),
    "task reopen": ("task",),
    "task start": ("task",),
}
"""The schema files of commands whose documents are not named after the command alone."""
NULL_SHAPES: dict[str, dict[str, object]] = {
    "archive": {"archive": None},
    "change lane": {"change": None, "lane": None},
    "lock": {"lock": None},
    "lock install": {"imported": [], "reused": []},
    "outdated": {"entries": []},
    "pipeline list": {"pipelines": []},
    "pipeline validate": {"validation": None},
    "context": {"root": None, "members": []},
    "doctor": {"root": None, "store": None, "references": []},
    "archive relocate": {"relocation": None},
    "history": {"history": None},
    "list": {"changes": [], "root": None},
    "new change": {"change": None},
    "session start": {"session": None},
    "sync": {"sync": None},
    "undo": {"undo": None},
    "work migrate": {"moved": []},
}
SUCCESSES = [
    ("list",),
    ("list", "--specs"),
    ("validate", "--all"),
    ("status",),
    ("schemas",),
    ("templates",),
    ("view",),
    ("schema", "which", "spec-driven"),
    ("schema", "which", "--all"),
    ("schema", "validate", "spec-driven"),
    ("new", "change", "add-login"),
    ("config", "list"),
    ("context",),
    ("doctor",),
    ("session", "show"),
    ("work", "migrate"),
    ("workset", "list"),
]


def _null_of(row: table.Operation) -> object:
    """What the command shows when it fails before anything is known, as it says itself."""
    app = App((), {}, as_json=True, build=lambda _: pytest.fail("nothing has to be known"))
    return null_shape(app, resolve(row.command))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_wrong_flag_is_one_document(world: World, row: table.Operation) -> None:
    if row.name == "show":
        pytest.skip("show ignores unknown options, as specified")

    result = world.cli(*row.name.split(), "--no-such-flag", "--json")

    assert result.code == 1
    assert result.error == "usage_error"
    document = result.json
    if _takes(row, "--json"):
        _fits_one_of(_schemas(row), document)
    del document["status"]
    assert document == (_null_of(row) if _takes(row, "--json") else {})


@pytest.mark.parametrize("row", WITH_ROOT, ids=lambda row: row.name)
def test_a_root_that_cannot_be_selected_is_one_document(world: World, row: table.Operation) -> None:
    words = WORDS.get(row.name, tuple(row.name.split()))

    result = world.cli(*words, "--store", "Not A Store", "--json")

    assert result.code == 1
    document = result.json
    _fits_one_of(_schemas(row), document)
    assert document.pop("status")[0]["code"] == "invalid_store_id"
    assert document == NULL_SHAPES.get(row.name, {})


@pytest.mark.parametrize("row", WITH_ROOT, ids=lambda row: row.name)
def test_published_null_shapes_do_not_change(row: table.Operation) -> None:
    assert _null_of(row) == NULL_SHAPES.get(row.name, {})


def test_a_wrong_flag_shows_what_was_asked_for(world: World) -> None:
    document = world.cli("list", "--specs", "--no-such-flag", "--json").json

    assert (document.pop("specs"), document.pop("root")) == ([], None)
    assert list(document) == ["status"]


@pytest.mark.parametrize("row", WITH_ROOT, ids=lambda row: row.name)
def test_two_selectors_are_refused_by_name(world: World, row: table.Operation) -> None:
    words = WORDS.get(row.name, tuple(row.name.split()))

    result = world.cli(*words, "--store", "a", "--project", "b", "--json")

    assert (result.code, result.error) == (1, "store_project_mutually_exclusive")


@pytest.mark.parametrize("words", SUCCESSES, ids=" ".join)
def test_success_is_one_document(world: World, words: tuple[str, ...]) -> None:
    world.workspace()

    result = world.cli(*words, "--json")

    assert result.code == 0
    assert result.out.endswith("\n")
    rows = [row for row in WITH_JSON if " ".join(words).startswith(row.name)]
    _fits_one_of(_schemas(max(rows, key=lambda row: len(row.name))), result.json)


@pytest.mark.parametrize("language", ["ja", "zh-cn"])
def test_documents_are_the_same_in_every_language(world: World, language: str) -> None:
    world.workspace()

    spoken = world.cli("show", "nothing", "--json", env={"RASEN_LANG": language})

    assert spoken.out == world.cli("show", "nothing", "--json").out


@pytest.mark.parametrize("row", WITH_JSON, ids=lambda row: row.name)
def test_every_document_has_a_published_schema(row: table.Operation) -> None:
    assert [name for name in _schemas(row) if not (FOLDER / f"{name}.schema.json").is_file()] == []


def test_every_command_that_selects_a_root_can_answer_in_json() -> None:
    assert [row.name for row in WITH_ROOT if row not in WITH_JSON] == []
