"""`rasen diff` as a user meets it: readable, and a patch that does what an archive does."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.fixtures import (
    ADDED,
    CHANGE,
    DELTA_FILE,
    FOLDER,
    LOAN_PERIOD,
    S1,
    SPEC_FILE,
    base_spec,
    change,
    desk,
)
from tests.support.world import World

from rasen.files.tree import tree_digest

MODIFIED = "## MODIFIED Requirements\n\n" + LOAN_PERIOD.replace("date 21 days", "date 28 days")
RENAMED = (
    "## RENAMED Requirements\n- FROM: ### Requirement: Loan Period\n- TO: ### Requirement: Length\n"
)
REMOVED = "## REMOVED Requirements\n- ### Requirement: Renewals\n"
GONE = f"{REMOVED}- ### Requirement: Loan Period\n"


def test_a_changed_word_is_marked_without_colour(world: World) -> None:
    desk(world, MODIFIED)

    result = world.cli("diff", CHANGE)

    assert result.code == 0
    assert "~ MODIFIED Loan Period" in result.out
    assert "the due date [-21-]{+28+} days after" in result.out
    assert "\x1b" not in result.out
    assert "Renewals" not in result.out


def test_a_terminal_gets_colours_and_the_same_marks(world: World) -> None:
    desk(world, MODIFIED)

    result = world.cli("diff", CHANGE, tty=True)

    assert "\x1b[31m[-21-]\x1b[0m\x1b[32m{+28+}\x1b[0m" in result.out


def test_text_of_a_spec_cannot_steer_the_terminal(world: World) -> None:
    desk(world, ADDED.replace("42 days.", "42 \x1b]0;evil\x07 days."))

    for words in ((), ("--unified",)):
        assert "\x1b]" not in world.cli("diff", CHANGE, *words, tty=True).out
        assert "\x1b]" not in world.cli("explain", CHANGE, tty=True).out


def test_the_document_has_each_requirement(world: World) -> None:
    desk(world, f"{ADDED}\n{REMOVED}\n{RENAMED}")

    document = fits("diff", world.cli("diff", CHANGE, "--json").json)

    (spec,) = document["specs"]
    assert (spec["capability"], spec["path"]) == ("lending", SPEC_FILE)
    assert (spec["isNew"], spec["isRetired"]) == (False, False)
    assert [(one["operation"], one["name"]) for one in spec["requirements"]] == [
        ("RENAMED", "Length"),
        ("ADDED", "Student Loans"),
        ("REMOVED", "Renewals"),
    ]
    assert spec["requirements"][0]["renamedFrom"] == "Loan Period"
    assert spec["unified"].startswith(f"--- a/{SPEC_FILE}\n+++ b/{SPEC_FILE}\n@@")


@pytest.mark.parametrize("form", ["text", "unified", "json"])
def test_a_refused_change_has_nothing_to_compare(world: World, form: str) -> None:
    desk(world, "## REMOVED Requirements\n- ### Requirement: Nothing\n")

    result = world.cli(
        "diff", CHANGE, *({"text": (), "json": ("--json",)}.get(form, ("--unified",)))
    )

    assert result.code == 1
    if form == "json":
        document = fits("diff", result.json)
        assert result.error == "diff_change_refused"
        assert document["issues"][0]["code"] == "merge_requirement_missing"
    else:
        assert result.out == ""
        assert "Nothing" in result.err


def test_a_change_that_changes_nothing_says_so(world: World) -> None:
    desk(world, f"## ADDED Requirements\n\n{LOAN_PERIOD}")

    assert world.cli("diff", CHANGE, "--unified").out == ""
    assert "no spec different" in world.cli("diff", CHANGE).out
    assert world.cli("diff", CHANGE, "--json").json["specs"] == []


def test_an_unknown_change_is_told(world: World) -> None:
    world.workspace()

    assert world.cli("diff", "nothing", "--json").error == "change_error"
    assert world.cli("explain", "nothing", "--json").error == "change_error"


def test_context_can_be_chosen(world: World) -> None:
    desk(world, MODIFIED)

    assert "@@ -9 +9 @@" in world.cli("diff", CHANGE, "--unified", "--context", "0").out
    assert len(world.cli("diff", CHANGE, "--context", "0").out.splitlines()) < len(
        world.cli("diff", CHANGE).out.splitlines()
    )


# The patch does what an archive does

CRLF = S1.replace("\n", "\r\n")
PATCHES = [
    pytest.param({"lending": (S1, MODIFIED)}, id="modified"),
    pytest.param({"lending": (S1, f"{ADDED}\n{REMOVED}\n{RENAMED}")}, id="all-operations"),
    pytest.param({"lending": (None, ADDED)}, id="new"),
    pytest.param({"lending": (S1, GONE)}, id="retired"),
    pytest.param({"lending": (S1.rstrip("\n"), ADDED)}, id="no-last-newline"),
    pytest.param({"lending": (CRLF, f"{MODIFIED}\n{ADDED}")}, id="crlf"),
    pytest.param({"lending": ("\ufeff" + S1, MODIFIED)}, id="byte-order-mark"),
    pytest.param({"two words": (S1, MODIFIED)}, id="space-in-name"),
    pytest.param({'a"quote': (None, ADDED)}, id="quote-in-name"),
    pytest.param({"貸出/期限": (S1, MODIFIED)}, id="nested-japanese"),
    pytest.param({"a": (S1, GONE), "b": (None, ADDED), "c": (S1, MODIFIED)}, id="several"),
]


def prepared(world: World, specs: dict[str, tuple[str | None, str]]) -> str:
    """A workspace with these specs and deltas, and the patch that `rasen diff` prints."""
    world.workspace()
    world.write(f"{FOLDER}/proposal.md", "## Why\nx\n")
    for capability, (spec, delta) in specs.items():
        if spec is not None:
            world.write(f"rasen/specs/{capability}/spec.md", spec)
        world.write(f"{FOLDER}/specs/{capability}/spec.md", delta)
    result = world.process("diff", CHANGE, "--unified")
    assert result.code == 0, result.err
    return result.out


def specs_of(root: Path) -> dict[str, bytes]:
    folder = root / "rasen/specs"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("spec.md")}


@pytest.mark.parametrize("specs", PATCHES)
@pytest.mark.parametrize("tool", ["git", "git-below", "patch"])
def test_the_patch_gives_what_the_archive_writes(
    world: World, tmp_path: Path, specs: dict[str, tuple[str | None, str]], tool: str
) -> None:
    if tool == "patch" and shutil.which("patch") is None:
        pytest.skip("there is no patch here")
    text = prepared(world, specs)
    copy = tmp_path / "copy"
    shutil.copytree(world.root, copy)
    if tool != "patch":
        world.git("init", "-q", cwd=copy if tool == "git" else tmp_path)
    call = ["patch", "-p1", "-s", "--binary"] if tool == "patch" else ["git", "apply", "-"]

    subprocess.run(
        call, cwd=copy, input=text.encode(), env=world.environ(), check=True, capture_output=True
    )

    assert world.cli("archive", CHANGE, "--yes").code == 0
    assert specs_of(copy) == specs_of(world.root)


def test_reading_leaves_everything_as_it_is(world: World) -> None:
    base_spec(world)
    change(world)
    before = tree_digest(world.base)

    for words in (("diff", CHANGE), ("diff", CHANGE, "--unified"), ("explain", CHANGE)):
        world.cli(*words)
        world.cli(*words, "--json")

    assert tree_digest(world.base) == before
    assert world.read(DELTA_FILE) == ADDED
