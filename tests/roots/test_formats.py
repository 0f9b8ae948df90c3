"""The strict formats of selection: documents of any age load, and what is written is read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.projects import registry_file as projects
from rasen.projects.model import Entry
from rasen.projects.model import Registry as Projects
from rasen.roots import session_file
from rasen.stores import registry_file as stores
from rasen.stores import store_file
from rasen.stores.model import PROJECT, STORE, Metadata, Registration
from rasen.stores.model import Registry as Stores

FROZEN = Path(__file__).parents[1] / "frozen"


def frozen(kind: str) -> list[Path]:
    return sorted((FROZEN / kind).glob("v*/*"))


@pytest.mark.parametrize("path", frozen("store-registry"), ids=lambda path: path.parent.name)
def test_every_store_registry_ever_written_loads(path: Path) -> None:
    registry = stores.parse(path.read_text(), file=str(path))

    assert {row.id for row in registry.of(STORE)} == {"plans"}
    assert [row.path for row in registry.of(PROJECT)] == ["/srv/shop"]


@pytest.mark.parametrize("path", frozen("store-metadata"), ids=lambda path: path.parent.name)
def test_every_store_metadata_ever_written_loads_and_is_written_alike(path: Path) -> None:
    metadata = store_file.parse(path.read_text(), file=str(path))

    assert metadata.id == "plans"
    assert store_file.render(metadata) == path.read_text()


@pytest.mark.parametrize("path", frozen("project-registry"), ids=lambda path: path.parent.name)
def test_every_project_registry_ever_written_loads_and_is_written_alike(path: Path) -> None:
    registry = projects.parse(path.read_text(), file=str(path))

    assert len(registry.entries) == 2
    assert projects.render(registry) == path.read_text()


@pytest.mark.parametrize("path", frozen("session-context"), ids=lambda path: path.parent.name)
def test_every_session_context_ever_written_loads_and_is_written_alike(path: Path) -> None:
    session = session_file.parse(path.read_text(), file=str(path), directory=path.parent.name)

    assert session.execution is not None
    assert session_file.render(session) == path.read_text()


def test_there_is_a_frozen_document_of_each_version() -> None:
    kinds = ("store-registry", "store-metadata", "project-registry", "session-context")
    assert [len(frozen(kind)) for kind in kinds] == [2, 2, 1, 1]


ids = st.from_regex(r"[a-z0-9]{1,4}(-[a-z0-9]{1,3}){0,2}", fullmatch=True)
uids = st.uuids(version=4).map(str)
texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
paths = texts.filter(lambda text: "\0" not in text).map(lambda text: "/" + text)
homes = ids


@given(
    st.dictionaries(
        paths, st.builds(Entry, texts, texts, st.sampled_from(["in-repo", "store"]), homes, texts)
    )
)
def test_a_project_registry_is_read_back(entries: dict[str, Entry]) -> None:
    text = projects.render(Projects(entries))

    again = projects.parse(text, file="r")
    assert again.entries == entries
    assert projects.render(again) == text


remotes = st.none() | texts
rows = st.builds(Registration, ids, paths, st.just(STORE), uids, remotes, st.none() | texts)
project_rows = st.builds(
    Registration, ids, paths, st.just(PROJECT), st.none(), remotes, st.none() | texts
)


@given(
    st.lists(rows, unique_by=lambda row: row.uid, max_size=4),
    st.lists(project_rows, unique_by=lambda row: row.id, max_size=3),
)
def test_a_store_registry_is_read_back(
    some: list[Registration], others: list[Registration]
) -> None:
    text = stores.render(Stores((*some, *others)))

    again = stores.parse(text, file="r")
    assert set(again.rows) == {*some, *others}
    assert stores.render(again) == text


@given(st.builds(Metadata, ids, st.none() | uids, st.none() | texts.filter(lambda t: t.strip())))
def test_store_metadata_is_read_back(metadata: Metadata) -> None:
    text = store_file.render(metadata)

    assert store_file.parse(text, file="s") == metadata
