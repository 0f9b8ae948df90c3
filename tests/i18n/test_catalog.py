"""Which language is chosen, and what a missing entry does."""

from __future__ import annotations

import pytest

from rasen.i18n import catalog


@pytest.mark.parametrize(
    ("env", "setting", "language"),
    [
        ({}, None, "en"),
        ({"LANG": "ja_JP.UTF-8"}, None, "ja"),
        ({"LANG": "zh_CN.GB18030"}, None, "zh-cn"),
        ({"LANG": "zh-Hans"}, None, "zh-cn"),
        ({"LANG": "zh"}, None, "zh-cn"),
        ({"LANG": "zh_TW.UTF-8"}, None, "en"),
        ({"LANG": "de_DE@euro"}, None, "en"),
        ({"LANG": "ja_JP", "LC_ALL": "C"}, None, "en"),
        ({"LANG": "C", "LC_MESSAGES": "ja"}, None, "ja"),
        ({"LC_ALL": "", "LANG": "ja"}, None, "ja"),
        ({"LANG": "en_US"}, "ja", "ja"),
        ({"LANG": "ja"}, "auto", "ja"),
        ({"LANG": "ja"}, "en", "en"),
        ({"RASEN_LANG": "zh-CN", "LANG": "ja"}, "en", "zh-cn"),
        ({"RASEN_LANG": "auto", "LANG": "ja"}, None, "ja"),
        ({"RASEN_LANG": "klingon", "LANG": "ja"}, "en", "en"),
    ],
)
def test_language_is_chosen_by_our_own_rules(
    env: dict[str, str], setting: str | None, language: str
) -> None:
    assert catalog.choose(env, lambda: setting) == language


def test_the_setting_is_not_read_when_the_environment_decides() -> None:
    def setting() -> str | None:
        raise AssertionError("read")

    assert catalog.choose({"RASEN_LANG": "ja"}, setting) == "ja"


@pytest.mark.parametrize("language", ["ja", "zh-cn"])
def test_a_known_template_is_translated(language: str) -> None:
    translate = catalog.translator({"RASEN_LANG": language}, lambda: None)

    assert translate("Cancelled.") != "Cancelled."


@pytest.mark.parametrize("language", ["en", "ja", "zh-cn"])
def test_an_unknown_template_stays_english(language: str) -> None:
    translate = catalog.translator({"RASEN_LANG": language}, lambda: None)

    assert translate("nobody wrote this {name}") == "nobody wrote this {name}"
