"""Which words make a requirement normative, by language."""

from __future__ import annotations

import pytest

from rasen.planning.specs.keywords import has_keyword, language_of


@pytest.mark.parametrize(
    "body",
    [
        "The system SHALL do it.",
        "It MUST NOT fail.",
        "**MUST**: yes",
        "first line\nthen it SHALL",
        "系统SHALL返回结果",
        "この値はMUSTです",
    ],
)
def test_shall_and_must_count_everywhere(body: str) -> None:
    assert has_keyword(body)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "The system shall do it.",
        "Must it?",
        "MUSTARD and SHALLOW",
        "A_MUST_HAVE",
        "It should work",
        "必须",  # one word of Chinese in an English body, below
    ],
)
def test_other_words_do_not_count(body: str) -> None:
    text = body if body != "必须" else "The word 必须 stands in a body that is plainly English"
    assert not has_keyword(text)


@pytest.mark.parametrize(
    "body",
    [
        "系统必须返回结果。",
        "系統必須返回結果。",
        "用户须登录后操作。",
        "使用者須登入。",
        "系统应在三秒内响应。",
        "系統應記錄日誌。",
        "应用程序应支持离线模式。",
        "响应应包含编号。",
        "系统应对请求进行验证。",
        "接口返回应为空。",
        "令牌失效应提示用户。",
        "不得删除数据。",
        "禁止匿名访问。",
        "系统应当适应变化。",
        "API 返回的结果必须 valid",
        "第一行。\n系统应保存。",
    ],
)
def test_chinese_words_count(body: str) -> None:
    assert language_of(body) == "zh"
    assert has_keyword(body)


@pytest.mark.parametrize(
    "body",
    [
        "系统返回结果。",
        "应用程序启动。",
        "應用程式啟動。",
        "服务器的响应很快。",
        "每个请求对应一个用户。",
        "适应、反应、供应、相应、效应",
        "適應、反應、供應、相應、效應",
        "系统对应用进行检查。",
        "用户无须登录。",
        "用户不得不等待。",
        "必然的结果",
    ],
)
def test_chinese_compounds_do_not_count(body: str) -> None:
    assert language_of(body) == "zh"
    assert not has_keyword(body)


@pytest.mark.parametrize(
    "body",
    [
        "システムは結果を返さなければならない。",
        "利用者はログインすべきである。",
        "値は整数であるものとする。",
        "匿名アクセスを禁止する。",
        "2のべき乗を計算すべきである。",
    ],
)
def test_japanese_words_count(body: str) -> None:
    assert language_of(body) == "ja"
    assert has_keyword(body)


@pytest.mark.parametrize(
    "body",
    [
        "システムは結果を返す。",
        "2のべき乗を計算する。",
        "操作はべき等である。",
        "応答は速い。",
        "必须返回の値",  # any kana makes it Japanese, where Chinese words are none
    ],
)
def test_japanese_bodies_without_a_word(body: str) -> None:
    assert language_of(body) == "ja"
    assert not has_keyword(body)


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ("plain", None),
        ("", None),
        ("123 !? ——", None),
        ("必abc", None),
        ("必ab", "zh"),
        ("のab", "ja"),
        ("のabc", None),
        ("𠀀a", "zh"),
        ("한국어", None),
        ("・・・", None),
    ],
)
def test_a_third_of_the_letters_decides(body: str, language: str | None) -> None:
    assert language_of(body) == language
