"""Brings the message catalogues up to date with the source, checks them and compiles them.

Without an option: extract, update the `.po` files and compile. `--check`: change nothing and
fail when a catalogue does not fit the source. `--compile`: compile only.
"""

from __future__ import annotations

import argparse
import string
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "rasen"
LOCALES = SOURCE / "i18n" / "locales"
LANGUAGES = ("ja", "zh_CN")
MARKED = {"N_": None}
SPOKEN = {
    **MARKED,
    **dict.fromkeys(("t", "say", "line", "confirm", "choose", "ask", "tick")),
    "progress": (2,),
}
"""Only surfaces speak; elsewhere a function of one of these names means something else."""
_FIXED = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)  # a date of the day would change at every run


def extracted() -> dict[str, str]:
    """Every template in the source, and the file it is first in, sorted by file and place."""
    found: dict[str, str] = {}
    methods = [("**.py", "python")]
    rows = [
        row
        for row in extract_from_dir(SOURCE, methods, keywords=MARKED)
        if not row[0].startswith("surfaces/")
    ]
    spoken = extract_from_dir(SOURCE / "surfaces", methods, keywords=SPOKEN)
    rows += [(f"surfaces/{name}", *rest) for name, *rest in spoken]
    for name, _line, message, _comments, _context in sorted(rows, key=lambda row: (row[0], row[1])):
        if isinstance(message, str) and message:
            found.setdefault(message, name)
    return found


def catalogue(language: str) -> Catalog:
    """The committed catalogue of one language."""
    path = LOCALES / language / "LC_MESSAGES" / "rasen.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as stream:
        return read_po(stream, locale=language)


def places(template: str) -> list[str]:
    """The named places of a template, sorted; format specs and conversions count too."""
    return sorted(
        f"{name}!{conversion or ''}:{spec}"
        for _, name, spec, conversion in string.Formatter().parse(template)
        if name is not None
    )


def problems(language: str, templates: dict[str, str]) -> Iterator[str]:
    """What keeps a catalogue from fitting the source, one sentence each."""
    known = {message.id: message for message in catalogue(language) if message.id}
    for template, file in templates.items():
        message = known.get(template)
        if message is None:
            yield f"{language}: no entry for {template!r} ({file})"
        elif not message.string:
            yield f"{language}: not translated: {template!r} ({file})"
        elif message.fuzzy:
            yield f"{language}: fuzzy: {template!r}"
        elif places(template) != places(str(message.string)):
            yield f"{language}: other places in the translation of {template!r}"
    for template in known:
        if template not in templates:
            yield f"{language}: no longer in the source: {template!r}"


def update(language: str, templates: dict[str, str]) -> None:
    """Write the catalogue of one language with exactly the templates of the source."""
    former = catalogue(language)
    fresh = Catalog(
        locale=language, project="rasen", fuzzy=False, creation_date=_FIXED, revision_date=_FIXED,
        version="0.2", msgid_bugs_address="none", last_translator="none", language_team="none",
        header_comment="# Messages of rasen.",
    )  # fmt: skip
    for template, file in templates.items():
        message = former.get(template)
        fresh.add(template, message.string if message else "", locations=[(file, 0)])
    path = LOCALES / language / "LC_MESSAGES" / "rasen.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        write_po(stream, fresh, width=100, include_lineno=False, include_previous=False)


def compile_all(*, only_stale: bool = False) -> None:
    """Make a `.mo` beside every `.po`."""
    for po in LOCALES.glob("*/LC_MESSAGES/rasen.po"):
        mo = po.with_suffix(".mo")
        if only_stale and mo.exists() and mo.stat().st_mtime_ns >= po.stat().st_mtime_ns:
            continue
        with po.open("rb") as source:
            content = read_po(source)
        with mo.open("wb") as target:
            write_mo(target, content)


def main() -> int:
    """Do what the option says; 1 when a check fails."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    if options.compile:
        compile_all()
        return 0
    templates = extracted()
    if not options.check:
        for language in LANGUAGES:
            update(language, templates)
        compile_all()
    found = [line for language in LANGUAGES for line in problems(language, templates)]
    for line in found:
        sys.stderr.write(line + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
