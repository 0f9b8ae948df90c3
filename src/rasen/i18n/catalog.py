"""Which language a person reads, and the templates in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

ENGLISH = "en"
LANGUAGES = (ENGLISH, "ja", "zh-cn")
LOCALES = Path(__file__).with_name("locales")
_FOLDERS = {"ja": "ja", "zh-cn": "zh_CN"}


def translator(
    environ: Mapping[str, str], setting: Callable[[], str | None]
) -> Callable[[str], str]:
    """A function from English templates to the chosen language; unknown templates stay English.

    setting: gives the `language` setting; called only when the environment does not decide.
    """
    language = choose(environ, setting)
    if language == ENGLISH:
        return str
    return _catalogue(language)


def choose(environ: Mapping[str, str], setting: Callable[[], str | None]) -> str:
    """One of LANGUAGES: RASEN_LANG, the setting, the locale variables, English.

    A value that names no known language decides nothing. Source: planning §1.7.
    """
    said = _known(environ.get("RASEN_LANG"))
    if said is None:
        said = _known(setting())
    if said is not None:
        return said
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return _known(environ[name]) or ENGLISH
    return ENGLISH


def _known(name: str | None) -> str | None:
    """The language a tag or locale name means; None for unknown names and `auto`."""
    words = (name or "").partition(".")[0].partition("@")[0].replace("_", "-").lower().split("-")
    match words:
        case ["en" | "c" | "posix", *_]:
            return ENGLISH
        case ["ja", *_]:
            return "ja"
        case ["zh"] | ["zh", "cn" | "sg" | "hans", *_]:
            return "zh-cn"
        case _:
            return None


def _catalogue(language: str) -> Callable[[str], str]:
    import gettext

    path = LOCALES / _FOLDERS[language] / "LC_MESSAGES" / "rasen.mo"
    try:
        with path.open("rb") as stream:
            return gettext.GNUTranslations(stream).gettext
    except OSError:
        return str  # a checkout whose catalogues were not compiled still works, in English
