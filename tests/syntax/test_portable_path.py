"""Which paths and names are portable, and which of them collide."""

from __future__ import annotations

import unicodedata

import pytest

from rasen.syntax import portable_path

REFUSED = [
    ("", "path_empty"),
    ("/etc/passwd", "path_absolute"),
    ("C:/x", "path_absolute"),
    ("c:", "path_absolute"),
    ("a\\b", "path_backslash"),
    ("a\x00b", "path_control_character"),
    ("a\x1fb", "path_control_character"),
    ("a\x7fb", "path_control_character"),
    ("a\nb", "path_control_character"),
    ("cafe\u0301.md", "path_not_nfc"),
    ("a" * 241, "path_too_long"),
    ("é" * 120 + "x", "path_too_long"),
    ("a//b", "path_empty_segment"),
    ("a/", "path_empty_segment"),
    ("./a", "path_traversal"),
    ("a/../b", "path_traversal"),
    ("a/b.", "path_trailing_dot_space"),
    ("a /b", "path_trailing_dot_space"),
    ("...", "path_trailing_dot_space"),
    ("con", "path_windows_device"),
    ("x/NUL.txt", "path_windows_device"),
    ("Aux.tar.gz", "path_windows_device"),
    ("COM¹", "path_windows_device"),
    ("lpt³.md", "path_windows_device"),
    ("ｃｏｎ", "path_windows_device"),
    *((f"ab{character}c", "path_windows_character") for character in '<>:"|?*'),
]
FIRST_COUNTS = [
    ("/a\\b\x00", "path_absolute"),
    ("a\\b\x00", "path_backslash"),
    ("e\u0301\x00", "path_control_character"),
    ("e\u0301" * 200, "path_not_nfc"),
    ("../" * 100, "path_too_long"),
    ("con./x", "path_trailing_dot_space"),
    ("con.<", "path_windows_device"),
    ("a?/..", "path_windows_character"),
]
ACCEPTED = [
    "a" * 240,
    "é" * 120,
    "references/😀.md",
    "references/ａ.md",
    "com0",
    "com10.txt",
    "console.md",
    "lpt",
    ".hidden/x",
    "a b/c d.md",
    "a\u0085b",
    "ab;c",
    "..a/b..c",
]


@pytest.mark.requirement("SP-001", "SP-002", "SP-003", "SP-004", "SP-005", "WF-016")
@pytest.mark.parametrize(("path", "code"), REFUSED)
def test_each_fault_of_a_path_has_its_code(path: str, code: str) -> None:
    assert portable_path.check(path) == code
    assert portable_path.REASONS[code]


@pytest.mark.requirement("SP-002", "SP-003")
@pytest.mark.parametrize(("path", "code"), FIRST_COUNTS)
def test_of_several_faults_the_first_in_order_decides(path: str, code: str) -> None:
    assert portable_path.check(path) == code


@pytest.mark.requirement("SP-001")
@pytest.mark.parametrize("path", ACCEPTED)
def test_portable_paths_pass(path: str) -> None:
    assert portable_path.check(path) is None


@pytest.mark.requirement("SP-007")
@pytest.mark.parametrize(
    "names",
    [
        ("Straße", "STRASSE", "strasse"),
        ("ﬁ.md", "FI.md", "fi.md"),
        ("ς", "σ", "Σ"),
        ("ẞ", "ß", "ss"),
        ("K", "k", "\u212a"),
        ("é", unicodedata.normalize("NFD", "É")),
    ],
)
def test_names_that_some_system_takes_for_one_share_a_key(names: tuple[str, ...]) -> None:
    assert len({portable_path.collision_key(name) for name in names}) == 1


@pytest.mark.requirement("SP-007")
def test_different_names_keep_different_keys() -> None:
    names = ["a", "b", "ä", "i", "o", "ø", "a.md", "a-md", "ıx y"]

    assert len({portable_path.collision_key(name) for name in names}) == len(names)


@pytest.mark.requirement("SP-020", "WF-014", "SP-024")
@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("a", True),
        ("0-x", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("", False),
        ("-a", False),
        ("A", False),
        ("a_b", False),
        ("a.b", False),
        ("a\n", False),
        ("é", False),
        ("٣", False),
    ],
)
def test_ids_match_as_a_whole(text: str, is_one: bool) -> None:
    assert portable_path.is_id(text) is is_one


@pytest.mark.requirement("SP-021")
def test_references_to_skills_may_have_colons() -> None:
    assert portable_path.is_skill_reference("rasen:review")
    assert portable_path.is_skill_reference("a" * 128)
    assert not portable_path.is_skill_reference("a" * 129)
    assert not portable_path.is_skill_reference("rasen:review\n")
    assert not portable_path.is_skill_reference(":review")


@pytest.mark.requirement("SP-023")
def test_names_of_profiles_may_have_dots_and_underscores() -> None:
    assert portable_path.is_profile_name("a.b_c-d")
    assert not portable_path.is_profile_name(".a")
    assert not portable_path.is_profile_name("a" * 65)
    assert not portable_path.is_profile_name("a\n")


@pytest.mark.requirement("SP-008")
@pytest.mark.parametrize("name", [".DS_Store", ".git", "Thumbs.db", "THUMBS.DB", "Desktop.ini"])
def test_what_systems_leave_behind_is_junk(name: str) -> None:
    assert portable_path.is_junk(name)
    assert not portable_path.is_junk("thumbs.db.md")


@pytest.mark.requirement("PK-021")
def test_text_sorts_by_utf_16_code_units() -> None:
    assert sorted(["ａ", "😀", "a", "B"], key=portable_path.order) == ["B", "a", "😀", "ａ"]
