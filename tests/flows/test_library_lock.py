"""The library of a project, exactly: locking it, installing it elsewhere, telling what is out of date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.store_commands import setup
from tests.support.world import World

from rasen.packages import ops as packages
from rasen.packages.lock_file import parse, render

LOCK = "rasen/library.lock.json"


def draft(world: World, id: str, text: str = "Do it.", place: str = "library") -> str:
    """A workflow of the project's own, as a folder."""
    folder = f"{place}/{id}"
    world.write(f"{folder}/workflow.yaml", f"version: 1\nid: {id}\n")
    world.write(
        f"{folder}/SKILL.md", f"---\nname: rasen-{id}\ndescription: Do {id}.\n---\n\n{text}\n"
    )
    return folder


def locked(world: World) -> list[dict[str, str]]:
    entries: list[dict[str, str]] = json.loads(world.read(LOCK))["entries"]
    return entries


def states(world: World, **more: Any) -> dict[str, str]:
    result = world.cli("outdated", "--json", **more)
    document = fits("outdated", result.json)
    found = {one["id"]: one["state"] for one in document["entries"]}
    assert result.code == (1 if set(found.values()) - {"current"} else 0)
    return found


def code(world: World, *words: str, **more: Any) -> str:
    result = world.cli(*words, "--json", **more)
    assert result.code == 1
    found: str = result.json["status"][0]["code"]
    return found


@pytest.fixture
def project(world: World) -> World:
    world.workspace()
    return world


def test_what_is_locked_is_sorted_and_says_where_it_comes_from(project: World) -> None:
    b, a = draft(project, "b-one"), draft(project, "a-one")

    result = project.cli("lock", b, a, "--json")

    assert fits("lock", result.json)["lock"]["changed"] == [
        {"kind": "workflow", "id": "a-one"},
        {"kind": "workflow", "id": "b-one"},
    ]
    assert [(one["kind"], one["id"], one["source"]) for one in locked(project)] == [
        ("workflow", "a-one", "library/a-one"),
        ("workflow", "b-one", "library/b-one"),
    ]
    lines = project.read(LOCK).splitlines()
    assert sum('"kind"' in line for line in lines) == 2
    assert str(project.root) not in project.read(LOCK)


def test_locking_again_changes_nothing(project: World) -> None:
    place = draft(project, "a-one")
    project.cli("lock", place)
    before = snapshot(project.root)

    result = project.cli("lock", place, "--json")

    assert result.json["lock"]["changed"] == []
    assert snapshot(project.root) == before


def test_another_machine_gets_exactly_what_is_locked(project: World) -> None:
    project.cli("lock", draft(project, "a-one"), draft(project, "b-one"))
    env = {"RASEN_HOME": str(project.base / "other")}
    assert states(project, env=env) == {"a-one": "not-installed", "b-one": "not-installed"}

    result = project.cli("lock", "install", "--json", env=env)

    assert fits("lock-install", result.json)["imported"] == ["a-one", "b-one"]
    assert states(project, env=env) == {"a-one": "current", "b-one": "current"}
    again = project.cli("lock", "install", "--json", env=env)
    assert (again.json["imported"], again.json["reused"]) == ([], ["a-one", "b-one"])
    told = project.cli("outdated", env=env)
    assert told.out.endswith("Everything is as it is locked.\n")


def test_one_entry_that_cannot_be_had_stops_all(project: World) -> None:
    changed = draft(project, "a-one")
    project.cli("lock", changed, draft(project, "b-one"))
    draft(project, "a-one", "Something else.")
    env = {"RASEN_HOME": str(project.base / "other")}

    result = project.cli("lock", "install", "--json", env=env)

    assert result.json["status"][0]["code"] == "library_lock_not_exact"
    message = result.json["status"][0]["message"]
    assert "workflow a-one: source-changed (library/a-one)" in message
    assert "b-one" not in message
    assert states(project, env=env)["b-one"] == "not-installed"


@pytest.mark.parametrize(("locked_with", "found_with"), [(b"\n", b"\r\n"), (b"\r\n", b"\n")])
def test_line_endings_of_a_checkout_are_told_from_a_change(
    project: World, locked_with: bytes, found_with: bytes
) -> None:
    """Case D20: digests are exact, and the report says that only line endings differ."""
    place = project.path(draft(project, "a-one"))
    for one in place.iterdir():
        one.write_bytes(one.read_bytes().replace(b"\n", locked_with))
    project.cli("lock", "library/a-one")
    for one in place.iterdir():
        one.write_bytes(one.read_bytes().replace(locked_with, found_with))

    assert states(project) == {"a-one": "source-line-endings-only"}
    refused = project.cli("lock", "install", "--json")
    assert refused.error == "library_lock_not_exact"
    assert ".gitattributes" in refused.json["status"][0]["fix"]
    (place / "SKILL.md").write_bytes((place / "SKILL.md").read_bytes() + b"More.")
    assert states(project) == {"a-one": "source-changed"}


def test_a_source_that_is_gone_is_named(project: World) -> None:
    project.cli("lock", draft(project, "a-one"))
    for path in project.path("library/a-one").iterdir():
        path.unlink()
    project.path("library/a-one").rmdir()

    assert states(project) == {"a-one": "source-missing"}
    assert code(project, "lock", "install") == "library_lock_not_exact"


def test_renewing_changes_nothing_while_a_source_cannot_be_read(project: World) -> None:
    """What is gone here may be on every other machine, as a store is."""
    kept, gone = draft(project, "a-one"), draft(project, "b-one")
    project.cli("lock", kept, gone)
    draft(project, "a-one", "Version two.")
    project.path(f"{gone}/SKILL.md").unlink()
    before = project.read(LOCK)

    result = project.cli("lock", "--json")

    assert (result.code, result.error) == (1, "library_lock_source_unreadable")
    assert "rasen lock --remove b-one" in result.json["status"][0]["fix"]
    assert project.read(LOCK) == before
    told = project.cli("lock", "--remove", "b-one").out
    assert "workflow b-one  taken out" in told
    assert project.cli("lock").code == 0


def test_what_its_source_does_not_hold_any_more_is_taken_out(project: World) -> None:
    place = _package(project, "a-one", "b-one")
    project.cli("lock", place)
    project.path(place).unlink()
    _package(project, "a-one", "c-one")

    told = project.cli("lock").out

    assert "workflow b-one  taken out" in told
    assert [one["id"] for one in locked(project)] == ["both", "a-one"]


def test_another_version_that_is_installed_is_never_replaced(project: World) -> None:
    place = draft(project, "a-one")
    project.cli("lock", place)
    project.cli("lock", "install")
    draft(project, "a-one", "Version two.")
    assert project.cli("lock").code == 0

    assert states(project) == {"a-one": "installed-differs"}
    refused = project.cli("lock", "install", "--json")
    assert (refused.code, refused.error) == (1, "library_lock_not_exact")
    assert "rasen workflow upgrade" in refused.json["status"][0]["fix"]
    installed = project.data_dir / "workflows/a-one/SKILL.md"
    assert "Do it." in installed.read_text("utf-8")


def test_renewing_follows_the_sources_and_adds_nothing(project: World) -> None:
    project.cli("lock", draft(project, "a-one"), draft(project, "b-one"))
    before = {one["id"]: one["digest"] for one in locked(project)}
    draft(project, "a-one", "Version two.")

    result = project.cli("lock", "--json")

    after = {one["id"]: one["digest"] for one in locked(project)}
    assert result.json["lock"]["changed"] == [{"kind": "workflow", "id": "a-one"}]
    assert after["a-one"] != before["a-one"]
    assert after["b-one"] == before["b-one"]


@pytest.mark.requirement("PK-084")
def test_what_was_taken_out_does_not_come_back(project: World) -> None:
    """Case D18: one of two is removed; neither renewing nor installing brings it back."""
    place = _package(project, "a-one", "b-one")
    project.cli("lock", place)
    assert [one["id"] for one in locked(project)] == ["both", "a-one", "b-one"]

    assert project.cli("lock", "--remove", "b-one", "--remove", "both").code == 0
    project.cli("lock")
    env = {"RASEN_HOME": str(project.base / "other")}
    result = project.cli("lock", "install", "--json", env=env)

    assert [one["id"] for one in locked(project)] == ["a-one"]
    assert result.json["imported"] == ["a-one"]
    assert not (project.base / "other/workflows/b-one").exists()


def _package(project: World, first: str, second: str) -> str:
    """A package in the project that holds both, `first` requiring nothing."""
    ctx = project.context()
    for id in (first, second):
        place = draft(project, id, place="drafts")
        packages.import_workflows(ctx, place)
    from rasen.profiles.model import Profile, Retention

    profile = Profile((first, second), Retention.OFF)
    packages.export_profile(ctx, "both", profile, "library.rasenpkg")
    for id in (first, second):
        folder = project.data_dir / "workflows" / id
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    return "library.rasenpkg"


def test_a_profile_is_locked_with_its_workflows(project: World) -> None:
    _package(project, "a-one", "b-one")
    project.cli("lock", "library.rasenpkg")
    env = {"RASEN_HOME": str(project.base / "other")}

    assert project.cli("lock", "install", env=env).code == 0

    assert states(project, env=env) == {"a-one": "current", "b-one": "current", "both": "current"}
    text = (project.base / "other/profiles/both.yaml").read_text("utf-8")
    assert "a-one" in text


def test_a_store_is_named_by_its_identity(project: World) -> None:
    root = setup(project)
    draft(project, "a-one", place="tmp")
    (root / "library").mkdir()
    project.path("tmp/a-one").rename(root / "library/a-one")

    assert project.cli("lock", str(root / "library/a-one")).code == 0

    source = locked(project)[0]["source"]
    assert source.startswith("store:")
    assert source.endswith("/library/a-one")
    assert str(root) not in project.read(LOCK)
    assert states(project) == {"a-one": "not-installed"}


def test_a_source_nobody_else_has_is_refused(project: World) -> None:
    draft(project, "a-one")
    outside = project.base / "a-one"
    project.path("library/a-one").rename(outside)

    assert code(project, "lock", str(outside)) == "library_lock_source_outside"
    assert not project.path(LOCK).exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("lock",), "library_lock_missing"),
        (("lock", "install"), "library_lock_missing"),
        (("outdated",), "library_lock_missing"),
        (("lock", "--remove", "x"), "library_lock_entry_unknown"),
        (("lock", "nothing.rasenpkg"), "package_not_found"),
        (("lock", "x", "--remove", "y"), "usage_error"),
    ],
)
def test_refusals_write_nothing(project: World, words: tuple[str, ...], expected: str) -> None:
    before = snapshot(project.base)

    assert code(project, *words) == expected

    assert snapshot(project.base) == before


@pytest.mark.parametrize(
    "text",
    [
        "[]", "{", '{"version": 2, "entries": []}', '{"version": 1}', '{"version": true, "entries": []}',
        '{"version": 1, "entries": {}}', '{"version": 1, "entries": [3]}',
        '{"version": 1, "entries": [], "more": 1}',
        '{"version": 1, "entries": [{"kind": "workflow", "id": "a", "digest": "sha256:x", "source": "b"}]}',
    ],
)  # fmt: skip
def test_a_broken_lock_is_told_and_left_alone(project: World, text: str) -> None:
    project.write(LOCK, text)

    for words in (("outdated",), ("lock", "install"), ("lock",)):
        assert code(project, *words) in ("library_lock_invalid", "json_invalid")
    assert project.read(LOCK) == text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "theme"}, "workflow or profile"),
        ({"id": "../x"}, "no id"),
        ({"digest": "sha256:" + "g" * 64}, "64 hex digits"),
        ({"source": "/etc/x"}, "a path in the project"),
        ({"source": "../x"}, "a path in the project"),
        ({"source": "store:x/y"}, "a path in the project"),
        ({"source": "https://example.org/x"}, "a path in the project"),
        ({"sourse": "x"}, "did you mean source?"),
    ],
)
def test_each_fault_of_an_entry_is_named(project: World, change: dict[str, str], said: str) -> None:
    entry = {"kind": "workflow", "id": "a", "digest": f"sha256:{'0' * 64}", "source": "x", **change}
    project.write(LOCK, json.dumps({"version": 1, "entries": [entry]}))

    result = project.cli("outdated", "--json")

    assert "entries[0]" in result.json["status"][0]["message"]
    assert said in result.json["status"][0]["message"]


def test_the_format_reads_what_it_writes(tmp_path: Path) -> None:
    digest = f"sha256:{'0' * 64}"
    text = render(
        parse(
            json.dumps(
                {
                    "version": 1,
                    "entries": [
                        {"kind": "workflow", "id": "b", "digest": digest, "source": "x/b"},
                        {"kind": "profile", "id": "p", "digest": digest, "source": "x/p"},
                    ],
                }
            ),
            file=str(tmp_path),
        )
    )

    assert render(parse(text, file="x")) == text
    assert text.index('"profile"') < text.index('"workflow"')
