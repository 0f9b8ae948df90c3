"""Twenty skills in the shape in which people share them, some with faults."""

from __future__ import annotations

from pathlib import Path

from tests.support.workflow_makers import lay

Files = dict[str, bytes]


def _skill(head: str, body: str = "# How\n\nDo it.\n", **beside: str) -> Files:
    files = {"SKILL.md": f"---\n{head}\n---\n\n{body}".encode()}
    return {**files, **{path.replace("__", "/"): text.encode() for path, text in beside.items()}}


def _plain(name: str, body: str = "# How\n\nDo it.\n", **beside: str) -> Files:
    return _skill(f"name: {name}\ndescription: Use it for {name}.", body, **beside)


SOUND: dict[str, Files] = {
    "brew-coffee": _plain("brew-coffee"),
    "chart-maker": {
        **_plain("chart-maker", "Read `references/kinds.md`, run `scripts/draw.py`.\n"),
        "references/kinds.md": b"Bars.\n",
        "scripts/draw.py": b"print('chart')\n",
    },
    "letter-writer": {
        **_plain("letter-writer", "Start from [the letter](templates/letter.md).\n"),
        "templates/letter.md": b"Dear\n",
        "LICENSE.txt": b"Free\n",
    },
    "many-files": {**_plain("many-files"), **{f"references/{n:02}.md": b"x\n" for n in range(30)}},
    "windows-made": {
        "SKILL.md": b"---\r\nname: windows-made\r\ndescription: Made there.\r\n---\r\nDo it.\r\n"
    },
    "kanji": _skill("name: kanji\ndescription: 漢字を調べる", "漢字を調べる。\n"),
}
MENDED: dict[str, tuple[Files, str]] = {
    "extra-fields": (
        _skill("name: extra-fields\ndescription: X.\nallowed-tools: [Read, Bash]\nversion: 1.2"),
        "the field allowed-tools went into metadata",
    ),
    "colon-inside": (
        _skill("name: colon-inside\ndescription: Use when: a loan is overdue"),
        'line 3 got its quotes: description: "Use when: a loan is overdue"',
    ),
    "Named_Oddly": (
        _skill("name: Named Oddly\ndescription: X."),
        "the name 'Named Oddly' became named-oddly",
    ),
    "folded": (
        _skill("name: folded\ndescription: >\n  First line\n  second line.\n\n  More."),
        "description was put on one line",
    ),
    "marked": (
        {"SKILL.md": b"\xef\xbb\xbf" + _plain("marked")["SKILL.md"]},
        "the byte order mark was dropped",
    ),
    "with-picture": (
        {**_plain("with-picture"), "assets/logo.png": b"\x89PNG\r\n\x1a\n\x00\xff"},
        "assets/logo.png is left out: it is no UTF-8 text",
    ),
    "nameless": (_skill("description: X."), "the skill got its folder's name, nameless"),
}
"""Each with what is said of it."""

FAULTY: dict[str, tuple[Files, str]] = {
    "no-front-matter": ({"SKILL.md": b"# Just text\n"}, "skill_frontmatter_missing"),
    "no-description": (_skill("name: no-description"), "skill_frontmatter_invalid"),
    "no-body": (
        {"SKILL.md": b"---\nname: no-body\ndescription: X.\n---\n\n"},
        "skill_instructions_empty",
    ),
    "dead-link": (
        _plain("dead-link", "See `references/gone.md`.\n"),
        "sidecar_reference_unresolved",
    ),
    "unfilled": (_plain("unfilled", "Ask __TEAM_NAME__.\n"), "placeholder_forbidden"),
    "review": (_plain("rasen-review"), "skill_name_collision"),
    "two-of-it": (_plain("brew-coffee"), "workflow_id_duplicate"),
}
"""Each with the code of what nobody but its author can mend."""


def lay_out(folder: Path) -> Path:
    """Write all twenty into `folder`."""
    everything = {**SOUND, **{id: files for id, (files, _) in {**MENDED, **FAULTY}.items()}}
    for name, files in everything.items():
        lay(folder / name, files)
    return folder
