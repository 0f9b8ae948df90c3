"""`rasen migrate`: copies an older workspace, never overwrites, never touches the original."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.world import World

from rasen.syntax.strict import problems
from rasen.upkeep import legacy

REPO = Path(__file__).parents[2]
SCHEMA = REPO / "src/rasen/surfaces/schemas/migrate.schema.json"


def tree(root: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def document(world: World, *args: str, **options: Any) -> tuple[int, Any]:
    result = world.cli("migrate", *args, "--json", **options)
    assert problems(result.json, SCHEMA) == []
    return result.code, result.json


def small(world: World) -> None:
    world.write("openspec/specs/a/spec.md", b"\xef\xbb\xbf# a\r\n")
    world.write("openspec/changes/add-b/proposal.md", "# b\n")
    world.write("openspec/config.yaml", "schema: spec-driven\n")
    world.write("openspec/schemas/own/schema.yaml", "name: own\n")
    (world.root / "openspec/changes/archive").mkdir()


def test_specs_changes_schemas_and_configuration_are_copied_byte_for_byte(world: World) -> None:
    small(world)
    before = tree(world.root / "openspec")

    code, answer = document(world)

    assert code == 0
    assert tree(world.root / "openspec") == before
    assert tree(world.root / "rasen") == before
    assert answer == {
        "root": str(world.root),
        "target": str(world.root / "rasen"),
        "source": str(world.root / "openspec"),
        "counts": {"copied": 4, "skipped": 0, "failed": 0},
        "copied": [
            "rasen/changes/add-b/proposal.md",
            "rasen/config.yaml",
            "rasen/schemas/own/schema.yaml",
            "rasen/specs/a/spec.md",
        ],
        "skipped": [],
        "failed": [],
        "notCopied": [],
        "status": [],
    }


def test_the_example_workspace_is_the_same_after_migration(world: World) -> None:
    import shutil

    source = REPO / "examples" / "harbour-bikes-openspec" / "openspec"
    shutil.copytree(source, world.root / "openspec")

    code, answer = document(world)

    assert code == 0
    assert answer["counts"]["failed"] == 0
    assert tree(world.root / "rasen") == tree(source)


def test_what_is_there_already_is_never_overwritten(world: World) -> None:
    small(world)
    world.write("rasen/specs/a/spec.md", "mine\n")

    code, answer = document(world)

    assert code == 0
    assert world.read("rasen/specs/a/spec.md") == "mine\n"
    assert answer["skipped"] == ["rasen/specs/a/spec.md"]
    assert answer["counts"] == {"copied": 3, "skipped": 1, "failed": 0}


def test_migrating_again_copies_nothing(world: World) -> None:
    small(world)
    document(world)
    before = tree(world.root)

    code, answer = document(world)

    assert code == 0
    assert answer["counts"] == {"copied": 0, "skipped": 4, "failed": 0}
    assert tree(world.root) == before


@pytest.mark.parametrize(
    ("old", "new"), [("config.yaml", "config.yml"), ("config.yml", "config.yaml")]
)
def test_a_configuration_never_silences_the_one_in_use(world: World, old: str, new: str) -> None:
    world.write(f"openspec/{old}", "schema: old\n")
    world.write(f"rasen/{new}", "schema: new\n")

    _, answer = document(world)

    assert answer["skipped"] == [f"rasen/{old}"]
    assert not (world.root / "rasen" / old).exists()


def test_anything_else_is_listed_as_not_copied(world: World) -> None:
    small(world)
    world.write("openspec/AGENTS.md", "x")
    world.write("openspec/notes/x.md", "x")

    code, answer = document(world)

    assert code == 0
    assert answer["notCopied"] == ["openspec/AGENTS.md", "openspec/notes"]
    assert not (world.root / "rasen/AGENTS.md").exists()


def linked_inside(world: World) -> None:
    (world.root / "openspec/specs/b").mkdir()
    (world.root / "openspec/specs/b/spec.md").symlink_to("../a/spec.md")


def linked_outside(world: World) -> None:
    world.write("secret", "s")
    (world.root / "openspec/specs/a/x.md").symlink_to(world.root / "secret")


def linked_folder(world: World) -> None:
    (world.root / "openspec/specs/loop").symlink_to(world.root / "openspec")


def dangling(world: World) -> None:
    (world.root / "openspec/specs/a/x.md").symlink_to("nowhere")


def pipe(world: World) -> None:
    os.mkfifo(world.root / "openspec/specs/a/pipe")


def folder_where_a_file_stands(world: World) -> None:
    world.write("rasen/specs", "a file")


def target_leads_out(world: World) -> None:
    (world.base / "elsewhere").mkdir()
    (world.root / "rasen").mkdir()
    (world.root / "rasen/specs").symlink_to(world.base / "elsewhere")


def test_a_link_inside_becomes_a_file_of_its_own(world: World) -> None:
    small(world)
    linked_inside(world)

    code, _ = document(world)

    copy = world.root / "rasen/specs/b/spec.md"
    assert code == 0
    assert not copy.is_symlink()
    assert copy.read_bytes() == b"\xef\xbb\xbf# a\r\n"


@pytest.mark.parametrize(
    ("strange", "path", "reason"),
    [
        (linked_outside, "openspec/specs/a/x.md", "leads out"),
        (linked_folder, "openspec/specs/loop", "link"),
        (dangling, "openspec/specs/a/x.md", "nowhere"),
        (pipe, "openspec/specs/a/pipe", "neither"),
        (folder_where_a_file_stands, "openspec/specs/a/spec.md", ""),
        (target_leads_out, "openspec/specs/a/spec.md", "link"),
    ],
)
def test_what_cannot_be_copied_is_listed_and_holds_up_nothing_else(
    world: World, strange: Any, path: str, reason: str
) -> None:
    small(world)
    strange(world)

    code, answer = document(world)

    assert code == 1
    failed = {item["path"]: item["reason"] for item in answer["failed"]}
    assert reason in failed[path]
    assert answer["counts"]["failed"] == len(failed)
    assert [s["code"] for s in answer["status"]] == ["migrate_incomplete"]
    assert world.read("rasen/changes/add-b/proposal.md") == "# b\n"
    assert "secret" not in [p.name for p in (world.root / "rasen").rglob("*")]
    assert not list((world.base / "elsewhere").glob("*"))


def test_an_older_folder_that_is_itself_a_link_is_read_through(world: World) -> None:
    small(world)
    linked_inside(world)
    (world.root / "openspec").rename(world.base / "kept-elsewhere")
    (world.root / "openspec").symlink_to(world.base / "kept-elsewhere")

    code, answer = document(world)

    assert code == 0
    assert answer["counts"] == {"copied": 5, "skipped": 0, "failed": 0}


_UNPRIVILEGED = """
import os, sys
from pathlib import Path
from rasen.base.clock import RandomIds, SystemClock
from rasen.base.context import Context
from rasen.upkeep.migrate import migrate
def run(top):
    ctx = Context(top, top, top / "c", top / "d", {}, "rasen", SystemClock(), RandomIds(), print)
    return migrate(ctx, top)
run(Path.cwd())  # loads what could not be read any more afterwards
if os.getuid() == 0:
    os.setuid(65534)
report = run(Path(sys.argv[1]))
print(report.copied, [(item.path, item.problem.code) for item in report.failed])
"""


def test_what_may_not_be_read_is_listed(world: World) -> None:
    import shutil
    import tempfile

    small(world)
    dangling(world)
    top = Path(tempfile.mkdtemp())
    top.chmod(0o777)
    try:
        for name in ("a", "b", "c"):
            (top / "openspec/specs" / name).mkdir(parents=True)
            (top / "openspec/specs" / name / "spec.md").write_text("x")
        (top / "openspec/specs/a/spec.md").chmod(0)
        (top / "openspec/specs/b").chmod(0o644)

        result = world.python("-c", _UNPRIVILEGED, str(top))

        failed = [
            ("openspec/specs/a/spec.md", "file_unreadable"),
            ("openspec/specs/b/spec.md", "file_unreadable"),
        ]
        assert result.out == f"['rasen/specs/c/spec.md'] {failed}\n", result.err
    finally:
        (top / "openspec/specs/b").chmod(0o755)
        shutil.rmtree(top)


def test_without_an_older_folder_there_is_nothing_to_do(world: World) -> None:
    code, answer = document(world)

    assert code == 0
    assert answer["counts"] == {"copied": 0, "skipped": 0, "failed": 0}
    assert "source" not in answer
    assert [s["code"] for s in answer["status"]] == ["migrate_nothing"]
    assert not (world.root / "rasen").exists()


def test_a_tree_that_is_used_in_place_is_not_migrated(world: World) -> None:
    small(world)

    code, answer = document(world, env={"RASEN_WORKSPACE": "openspec"})

    assert code == 0
    assert "source" not in answer
    assert [one["code"] for one in answer["status"]] == ["migrate_in_place"]
    assert not (world.root / "rasen").exists()
    told = world.cli("migrate", env={"RASEN_WORKSPACE": "openspec"}).out
    assert (
        told
        == f"{world.root}/openspec is the workspace in use here, so there is nothing to migrate\n"
    )


def test_a_path_that_is_no_folder_is_refused(world: World) -> None:
    result = world.cli("migrate", "absent", "--json")

    assert (result.code, result.error) == (1, "migrate_path_not_directory")


def test_migration_mints_no_identity(world: World) -> None:
    small(world)

    document(world)

    assert world.read("rasen/config.yaml") == "schema: spec-driven\n"
    assert not world.data_dir.exists()


def test_the_report_for_people_has_counts_and_paths(world: World) -> None:
    small(world)
    dangling(world)

    result = world.cli("migrate")

    assert result.code == 1
    assert "Copied 4, skipped 0, failed 1" in result.out
    assert "rasen/specs/a/spec.md" in result.out
    assert "openspec/specs/a/x.md" in result.err


BLOCK = "<!-- OPENSPEC:START -->\nold\n<!-- OPENSPEC:END -->\n"


def test_a_person_is_offered_to_take_old_blocks_out(world: World) -> None:
    small(world)
    world.write("AGENTS.md", f"mine\r\n{BLOCK}tail")
    world.write("CLAUDE.md", "no block\n")

    declined = world.cli("migrate", tty=True, input="\n")
    assert declined.code == 0
    assert world.read("AGENTS.md") == f"mine\r\n{BLOCK}tail"

    agreed = world.cli("migrate", tty=True, input="y\n")
    assert agreed.code == 0
    assert world.read("AGENTS.md") == "mine\r\ntail"
    assert world.read("CLAUDE.md") == "no block\n"


def test_nobody_is_asked_when_told_not_to(world: World) -> None:
    small(world)
    world.write("AGENTS.md", BLOCK)

    result = world.cli("migrate", "--no-interactive", tty=True)

    assert result.code == 0
    assert world.read("AGENTS.md") == BLOCK


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(BLOCK, "", id="only the block"),
        pytest.param(f"a\n{BLOCK}b\n{BLOCK}c", "a\nb\nc", id="two blocks"),
        pytest.param(BLOCK.replace("\n", "\r\n") + "x\r\n", "x\r\n", id="CRLF"),
        pytest.param("<!-- OPENSPEC:END -->\nx\n<!-- OPENSPEC:START -->\n", None, id="reversed"),
        pytest.param("<!-- OPENSPEC:START -->\nx\n", None, id="never ended"),
        pytest.param(
            "see <!-- OPENSPEC:START -->\nx\n<!-- OPENSPEC:END -->\n", None, id="in a line"
        ),
        pytest.param(
            f"<!-- OPENSPEC:START -->\nlost\n{BLOCK}",
            "<!-- OPENSPEC:START -->\nlost\n",
            id="started twice",
        ),
    ],
)
def test_only_well_formed_blocks_are_taken_out(text: str, expected: str | None) -> None:
    kept = legacy.without_blocks(text.encode()).decode()

    assert kept == (text if expected is None else expected)
