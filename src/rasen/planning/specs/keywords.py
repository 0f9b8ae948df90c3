"""Whether a requirement's body uses a normative word, in English, Chinese or Japanese."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_ENGLISH = re.compile(r"\b(?:SHALL|MUST)\b", re.ASCII)
_KANA = r"\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TABLE = Path(__file__).parents[2] / "assets" / "normative.json"


def has_keyword(body: str) -> bool:
    """True when `body` says SHALL or MUST, or a normative word of its own language.

    SHALL and MUST count in upper case, as whole words. A body whose letters are at least one third
    Han or kana may use the words of the table instead; any kana makes it Japanese. Words inside a
    listed compound do not count; some compounds are there only to be read whole, so that their last
    character does not join the next one. Source: product rulings, missing SHALL/MUST.
    """
    if _ENGLISH.search(body):
        return True
    language = language_of(body)
    if language is None:
        return False
    words, compounds = _table()[language]
    return words.search(compounds.sub("\n", body)) is not None


def language_of(body: str) -> str | None:
    """`zh` or `ja` for a body in that script; None for any other."""
    if body.isascii():
        return None
    kana, either = _scripts()
    letters = sum(map(str.isalpha, body))
    if not letters or len(either.findall(body)) * 3 < letters:
        return None
    return "ja" if kana.search(body) else "zh"


@cache
def _scripts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Kana, and Han or kana; compiled when a text first needs them, because it takes 2 ms."""
    return re.compile(f"[{_KANA}]"), re.compile(f"[{_KANA}{_HAN}]")


@cache
def _table() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    import json

    raw = json.loads(_TABLE.read_text(encoding="utf-8"))
    return {
        language: (_any_of(row["words"]), _any_of(row["compounds"]))
        for language, row in raw.items()
    }


def _any_of(words: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))
