"""Reading a skill that we ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.hosts.model import Sidecar
from rasen.hosts.skill_file import FrontMatterInvalid
from rasen.workflows import assets


def _write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_front_matter_and_body_are_told_apart(tmp_path: Path) -> None:
    place = _write(
        tmp_path, SKILL_md='---\nname: x\ndescription: "A: b"\n---\n\n# X\n\n---\n\nEnd\n'
    )

    skill = assets.read(place)

    assert (skill.name, skill.description, skill.body) == ("x", "A: b", "# X\n\n---\n\nEnd\n")
    assert not skill.is_user_invoked
    assert not skill.is_authored


def test_a_skill_for_people_says_so(tmp_path: Path) -> None:
    head = "---\nname: x\ndescription: d\ndisable-model-invocation: true\n---\nBody\n"

    assert assets.read(_write(tmp_path, SKILL_md=head)).is_user_invoked


def test_files_beside_it_come_along_sorted(tmp_path: Path) -> None:
    head = "---\nname: x\ndescription: d\n---\nBody\n"
    place = _write(tmp_path, SKILL_md=head, b_md="B", a__z_sh="Z")

    assert assets.read(place).sidecars == (Sidecar("a/z.sh", b"Z"), Sidecar("b.md", b"B"))


def test_lent_files_come_along_and_its_own_win(tmp_path: Path) -> None:
    head = "---\nname: x\ndescription: d\n---\nBody\n"
    lender = _write(tmp_path / "one", SKILL_md=head, a_md="lent", b_md="lent")
    place = _write(tmp_path / "two", SKILL_md=head, b_md="own")

    assert assets.read(place, lender).sidecars == (
        Sidecar("a.md", b"lent"),
        Sidecar("b.md", b"own"),
    )


def test_a_text_without_front_matter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FrontMatterInvalid):
        assets.read(_write(tmp_path, SKILL_md="Body\n"))
