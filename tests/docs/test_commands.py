"""Every command in README and docs/ does what the page says, run in a copy of the example."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from tests.support import console
from tests.support.world import World

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", RUN, ids=_name)
def test_commands_of_the_page_do_what_it_says(page: Path, world: World) -> None:
    text = page.read_text(encoding="utf-8")
    session = _session(world, console.DEFAULT_START, 0)
    wrong = []

    for block in console.blocks(text):
        if block.start:
            session = _session(world, block.start, block.line)
        if block.file:
            session.write(block.file, block.lines)
        elif block.kind == "console":
            wrong += [told for step in console.steps(block) if (told := _told(session, step))]

    assert not wrong, "\n\n".join([_name(page), *wrong])


def _session(world: World, start: str, number: int) -> console.Session:
    place = world.base / f"session-{number}"
    folder = place / ("project" if start == "empty" else "harbour-bikes")
    if start == "empty":
        folder.mkdir(parents=True)
    else:
        shutil.copytree(EXAMPLES / start, folder)
        console.make_recent(folder)
        for words in ("init -q", "add .", "commit -qm Workspace"):
            world.git(*words.split(), cwd=folder)
    env = {**world.env, "RASEN_LANG": "en", "COLUMNS": "100"}
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    env["RASEN_HOME"] = str(place / "data")
    return console.Session(folder, env, place / "state.sh")


def _told(session: console.Session, step: console.Step) -> str:
    code, said = session.run(step.command)
    if code == step.code and console.fits(step.shown, said):
        return ""
    return f"line {step.line}: $ {step.command}\nended with {code}, said:\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_no_command_of_ours_escapes_the_test(page: Path) -> None:
    loose = [
        f"line {block.line}"
        for block in console.blocks(page.read_text(encoding="utf-8"))
        if block.kind in ("", "bash", "sh", "shell") and not block.file
        for line in block.lines
        if re.match(r"(\$ )?rasen( |$)", line)
    ]

    assert loose == [] or "reference" in page.parts


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_to_something(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", text)

    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize(
    "page", [one for one in PAGES if one.name not in ("README.md", "template.md")], ids=_name
)
def test_every_page_is_in_the_index_of_its_folder(page: Path) -> None:
    index = (page.parent / "README.md").read_text(encoding="utf-8")

    assert f"({page.name})" in index or f"({page.name}#" in index


@pytest.mark.parametrize(
    ("shown", "said", "is_so"),
    [
        pytest.param("one\ntwo", "one\ntwo\n", True, id="equal"),
        pytest.param("one", "one\ntwo\n", False, id="a line more"),
        pytest.param("one\ntwo", "one\n", False, id="a line less"),
        pytest.param("one\n...", "one\ntwo\nthree\n", True, id="any lines"),
        pytest.param("...\nthree", "one\ntwo\nthree\n", True, id="any lines first"),
        pytest.param("at ...x/y", "at /tmp/x/y\n", True, id="any text in a line"),
        pytest.param("at ...x/y", "at /tmp\n/x/y\n", False, id="not over lines"),
        pytest.param("2026-01-31-a", "2030-12-01-a\n", True, id="any date"),
        pytest.param("", "something\n", False, id="silence"),
        pytest.param("a.c", "abc\n", False, id="no patterns"),
    ],
)
def test_output_is_compared_line_by_line(shown: str, said: str, is_so: bool) -> None:
    assert console.fits(tuple(shown.splitlines()), said) is is_so
