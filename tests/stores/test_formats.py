"""Store metadata and the store registry: strict, both versions, round-tripping."""

from __future__ import annotations

from typing import Any

import pytest

from rasen.stores import registry_file, store_file
from rasen.stores.model import PROJECT, Metadata, Registration, Registry
from rasen.stores.refusals import InvalidStoreMetadata, InvalidStoreRegistry
from rasen.syntax import yaml

UID = "0b0e1d52-1111-4222-8333-444455556666"
OTHER = "1b0e1d52-1111-4222-8333-444455556666"
BACKEND = {"type": "git", "local_path": "/work/team"}


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param(Metadata("team"), id="v1"),
        pytest.param(Metadata("team", remote="git@host:team.git"), id="v1 with remote"),
        pytest.param(Metadata("team", UID), id="v2"),
        pytest.param(Metadata("7", UID, "https://host/team"), id="v2 with remote"),
    ],
)
def test_metadata_is_read_back(metadata: Metadata) -> None:
    text = store_file.render(metadata)

    assert store_file.parse(text, file="s") == metadata
    assert store_file.render(store_file.parse(text, file="s")) == text


def test_an_identity_is_compared_in_lower_case() -> None:
    text = f"version: 2\nuid: ' {UID.upper()} '\nid: team\n"

    assert store_file.parse(text, file="s").uid == UID


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("- a\n", id="list"),
        pytest.param("id: team\n", id="no version"),
        pytest.param("version: true\nid: team\n", id="version is a boolean"),
        pytest.param("version: 3\nid: team\n", id="newer version"),
        pytest.param("version: 1\n", id="no id"),
        pytest.param("version: 1\nid: Team\n", id="id in capitals"),
        pytest.param("version: 1\nid: 'team\n'\n", id="id with a newline inside"),
        pytest.param(f"version: 1\nid: team\nuid: {UID}\n", id="identity in version 1"),
        pytest.param("version: 2\nid: team\n", id="version 2 without identity"),
        pytest.param("version: 2\nid: team\nuid: abc\n", id="identity of another form"),
        pytest.param("version: 1\nid: team\nremote: '  '\n", id="blank remote"),
        pytest.param("version: 1\nid: team\nmore: 1\n", id="unknown key"),
        pytest.param("version: 1\nid: team\nid: team\n", id="duplicate key"),
    ],
)
def test_what_is_no_metadata_is_refused_with_its_file(text: str) -> None:
    with pytest.raises(InvalidStoreMetadata) as refused:
        store_file.parse(text, file="store.yaml")

    assert refused.value.target == "store.metadata"
    assert "store.yaml" in str(refused.value)


def v1(**stores: Any) -> str:
    return yaml.dump({"version": 1, "stores": stores})


def test_both_versions_are_read() -> None:
    old = yaml.dump(
        {
            "version": 1,
            "repos": {"anything": 1},
            "stores": {
                "team": {"backend": {**BACKEND, "remote": "r", "branch": "b"}},
                "project:team": {"type": "project", "backend": BACKEND},
            },
        }
    )
    new = yaml.dump(
        {"version": 2, "stores": {UID.upper(): {"id": "team", "type": "store", "backend": BACKEND}}}
    )

    assert registry_file.parse(old, file="r").rows == (
        Registration("team", "/work/team", remote="r", branch="b"),
        Registration("team", "/work/team", PROJECT),
    )
    assert registry_file.parse(new, file="r").rows == (Registration("team", "/work/team", uid=UID),)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("a: [\n", id="broken"),
        pytest.param("version: 1\n", id="no stores"),
        pytest.param("version: 3\nstores: {}\n", id="newer version"),
        pytest.param("version: 1\nstores: {}\nmore: 1\n", id="unknown key above"),
        pytest.param(v1(team={"backend": BACKEND, "more": 1}), id="unknown key in a row"),
        pytest.param(v1(team={"backend": {**BACKEND, "more": 1}}), id="unknown key in a backend"),
        pytest.param(v1(team={"backend": {"type": "git"}}), id="no path"),
        pytest.param(v1(team={"backend": {**BACKEND, "local_path": "team"}}), id="relative path"),
        pytest.param(v1(team={"backend": {**BACKEND, "local_path": "/a\0"}}), id="NUL in a path"),
        pytest.param(v1(team={"backend": {**BACKEND, "type": "svn"}}), id="unknown backend"),
        pytest.param(v1(Team={"backend": BACKEND}), id="key in capitals"),
        pytest.param(v1(team={"id": "team", "backend": BACKEND}), id="id in version 1"),
        pytest.param(v1(team={"type": "project", "backend": BACKEND}), id="project without prefix"),
        pytest.param(
            v1(**{"project:shop": {"type": "store", "backend": BACKEND}}), id="store with prefix"
        ),
        pytest.param(v1(**{"project:shop": {"backend": BACKEND}}), id="prefix without type"),
        pytest.param(
            yaml.dump({"version": 2, "stores": {UID: {"backend": BACKEND}}}), id="v2 without id"
        ),
        pytest.param(
            yaml.dump({"version": 2, "stores": {"team": {"id": "team", "backend": BACKEND}}}),
            id="v2 keyed by name",
        ),
        pytest.param(
            yaml.dump(
                {
                    "version": 2,
                    "stores": {
                        UID: {"id": "a", "backend": BACKEND},
                        UID.upper(): {"id": "b", "backend": BACKEND},
                    },
                }
            ),
            id="one identity twice",
        ),
    ],
)
def test_what_is_no_registry_is_refused_with_its_file(text: str) -> None:
    with pytest.raises(InvalidStoreRegistry) as refused:
        registry_file.parse(text, file="registry.yaml")

    assert refused.value.target == "store.registry"
    assert "registry.yaml" in str(refused.value)


def team(name: str, uid: str | None = None) -> Registration:
    return Registration(name, f"/work/{name}", uid=uid)


PROJECT_ROW = Registration("shop", "/work/shop", PROJECT, branch="main")


@pytest.mark.parametrize(
    ("rows", "version", "keys"),
    [
        pytest.param((), 1, [], id="nothing"),
        pytest.param((PROJECT_ROW,), 1, ["project:shop"], id="projects only"),
        pytest.param((team("b"), team("a")), 1, ["a", "b"], id="no identities"),
        pytest.param((team("b", UID), team("a")), 1, ["a", "b"], id="one identity missing"),
        pytest.param((team("b", OTHER), team("a", UID)), 2, [UID, OTHER], id="all identities"),
        pytest.param((team("a", OTHER), team("a", UID)), 2, [UID, OTHER], id="one name twice"),
        pytest.param((PROJECT_ROW, team("a", UID)), 2, [UID, "project:shop"], id="mixed"),
    ],
)
def test_a_registry_is_written_in_the_version_that_holds_it(
    rows: tuple[Registration, ...], version: int, keys: list[str]
) -> None:
    text = registry_file.render(Registry(rows))

    written: Any = yaml.load(text, file="r")
    assert written["version"] == version
    assert list(written["stores"]) == keys
    again = registry_file.parse(text, file="r")
    assert {(row.namespace, row.id, row.path) for row in again.rows} == {
        (row.namespace, row.id, row.path) for row in rows
    }
    assert registry_file.render(again) == text


def test_falling_back_to_names_never_drops_a_store() -> None:
    rows = (team("a", UID), team("a", OTHER), team("b"))

    with pytest.raises(registry_file.RegistryNeedsIdentities):
        registry_file.render(Registry(rows))
