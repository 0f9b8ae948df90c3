"""Where our folders are, and which planning folder is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.base.context import Context, Note
from rasen.base.errors import ToolError
from rasen.bootstrap import build


def built(tmp_path: Path, told: list[Note] | None = None, **env: str) -> Context:
    environ = {"HOME": str(tmp_path / "home"), **env}
    return build(environ, tmp_path, tell=(told if told is not None else []).append)


def folders(ctx: Context, tmp_path: Path) -> tuple[str, str]:
    return tuple(str(path.relative_to(tmp_path)) for path in (ctx.config_dir, ctx.data_dir))  # type: ignore[return-value]


def test_the_home_folder_is_the_last_choice(tmp_path: Path) -> None:
    assert folders(built(tmp_path), tmp_path) == ("home/.rasen", "home/.rasen")


def test_the_standard_variables_are_used(tmp_path: Path) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path / "c"), "XDG_DATA_HOME": str(tmp_path / "d")}

    assert folders(built(tmp_path, **env), tmp_path) == ("c/rasen", "d/rasen")


def test_a_relative_standard_variable_is_ignored(tmp_path: Path) -> None:
    assert folders(built(tmp_path, XDG_CONFIG_HOME="c"), tmp_path)[0] == "home/.rasen"


def test_our_own_variable_wins_and_may_be_relative(tmp_path: Path) -> None:
    ctx = built(tmp_path, RASEN_HOME="own", XDG_CONFIG_HOME=str(tmp_path / "c"))

    assert folders(ctx, tmp_path) == ("own", "own")
    assert not ctx.config_dir.exists()


def test_a_blank_variable_is_none(tmp_path: Path) -> None:
    assert folders(built(tmp_path, RASEN_HOME="  "), tmp_path) == ("home/.rasen", "home/.rasen")


def test_a_file_as_our_home_is_told_and_ignored(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("")
    told: list[Note] = []

    ctx = built(tmp_path, told, RASEN_HOME="own")

    assert folders(ctx, tmp_path) == ("home/.rasen", "home/.rasen")
    assert [note.params["path"] for note in told] == [tmp_path / "own"]


def settings(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "home" / ".rasen"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(text)


@pytest.mark.parametrize(
    ("text", "env", "workspace"),
    [
        (None, {}, "rasen"),
        (None, {"RASEN_WORKSPACE": "openspec"}, "openspec"),
        (None, {"RASEN_WORKSPACE": " "}, "rasen"),
        ('{"workspace": "openspec"}', {}, "openspec"),
        ('{"workspace": "openspec"}', {"RASEN_WORKSPACE": "rasen"}, "rasen"),
        ('{"workspace": "plans"}', {}, "rasen"),
        ('{"workspace": "openspec",}', {}, "rasen"),
    ],
)
def test_the_planning_folder_is_chosen(
    tmp_path: Path, text: str | None, env: dict[str, str], workspace: str
) -> None:
    if text is not None:
        settings(tmp_path, text)

    assert built(tmp_path, **env).workspace == workspace


@pytest.mark.parametrize("name", ["plans", "../rasen", "Rasen"])
def test_another_planning_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ToolError) as caught:
        built(tmp_path, RASEN_WORKSPACE=name)

    assert caught.value.code == "workspace_name_invalid"
