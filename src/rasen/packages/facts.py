"""What stands out in a text of strangers: facts with their places, never a verdict.

Whoever wants to hide something from these lists can; they help a reader to look, and prove nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rasen.base.messages import N_

SHOWN: Final = 20
"""So many facts of one kind are told of one file; the others are counted."""

KINDS: Final = {
    "bidirectional_character": N_("changes the direction in which text is shown"),
    "hidden_character": N_("cannot be seen"),
    "control_character": N_("is a control character"),
    "hidden_comment": N_("is a comment that a rendered page does not show"),
    "encoded_text": N_("is a long run of encoded text"),
    "network_word": N_("reaches for the network"),
    "secret_word": N_("speaks of secrets"),
    "outside_path": N_("leads outside the folder of the skill"),
    "link": N_("is a link"),
    "link_text_differs": N_("shows another address than it leads to"),
    "script": N_("is a script"),
}
"""The kinds of facts, the most surprising first, and what each says about the place."""

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_HIDDEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e01ef"
)
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_UNSEEN = re.compile(f"[{_BIDI}{_HIDDEN}{_CONTROL}\ufe0f\r\n\t\u2028\u2029]")

_WORDS = {
    "network_word": (
        r"\b(?:https?|ftps?|wss?|ssh|git|smb)://"
        r"|(?<![\w.])(?:curl|wget|telnet|netcat|ncat|scp|sftp|rsync|ssh|nslookup|urllib|httpx|aiohttp|axios"
        r"|XMLHttpRequest|WebSocket|Invoke-WebRequest|Invoke-RestMethod|socket)\b"
        r"|\bnc\s+-|\bfetch\s*\(|\brequests\.[a-z]+|\bgit\s+(?:clone|fetch|pull|push)\b"
        r"|\b(?:npm|pnpm|yarn|pip|pipx|uv|gem|cargo|go|brew|apt|apt-get)\s+(?:install|add|get)\b"
        r"|\b(?:npx|uvx|bunx)\b|\bdocker\s+(?:pull|run|push)\b|/dev/tcp/"
    ),
    "secret_word": (
        r"\b(?:passw(?:or)?ds?|passphrases?|secrets?|credentials?|bearer|keychain|kubeconfig)\b"
        r"|(?:\b|_)(?:tokens?|api[_-]?keys?|access[_-]?keys?|private[_ -]?keys?)\b"
        r"|(?<![\w.])\.(?:env|ssh|aws|gnupg|netrc|npmrc|pypirc|kube|git-credentials)\b"
        r"|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|\bprocess\.env\b|\bos\.environ\b|\bgetenv\b|\bprintenv\b"
    ),
    "outside_path": (
        r"\.\.[/\\]|(?<![\w~])~/|\$\{?HOME\b|%(?:USERPROFILE|APPDATA|LOCALAPPDATA|HOMEPATH)%"
        r"|(?<![\w.:/~!-])/(?:etc|usr|var|tmp|home|root|opt|bin|sbin|dev|proc|sys|mnt|srv|Users"
        r"|Library|private|Applications)(?:/|\b)"
        r"|\b[a-z]:[\\/](?![/\\])"
    ),
    "hidden_comment": r"<!--",
    "encoded_text": r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{160,}={0,2}|(?:\\x[0-9a-f]{2}){24,}",
}
_PATTERNS: dict[str, re.Pattern[str]] = {}
_CHARACTERS = {
    "bidirectional_character": re.compile(f"[{_BIDI}]"),
    "hidden_character": re.compile(f"[{_HIDDEN}]|\ufe0f{{2,}}"),
    "control_character": re.compile(f"[{_CONTROL}]"),
}
_LINK = re.compile(r"\[([^\[\]\n]{0,500})\]\(\s*<?([^\s()<>]{1,2000})|<(https?://[^\s<>]{1,2000})>")
_BARE_LINK = re.compile(r"(?<![(<\[\w])https?://[^\s<>()\[\]\"'`]{1,2000}", re.I)
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)", re.I)
_SCRIPT_PATH = re.compile(
    r"(?:.*/)?(?:scripts|bin)/.*|.*\.(?:sh|bash|zsh|fish|mjs|cjs|js|ts|py|rb|pl|ps1|bat|cmd|vbs)",
    re.I,
)
_AROUND = 32


class Fact(NamedTuple):
    """One thing that stands out. found: what; excerpt: what is around it, safe to show."""

    kind: str
    path: str
    line: int
    column: int
    found: str
    excerpt: str

    def to_json(self) -> dict[str, object]:
        """Its members by their names."""
        return self._asdict()


class Facts(NamedTuple):
    """The facts of one or more texts; counts: of each kind, with those that are not told."""

    facts: tuple[Fact, ...]
    counts: Counter[str]


def of_text(path: str, text: str, *, is_script: bool = False) -> Facts:
    """What stands out in the text of one file, by its place in the file. is_script: it can be run."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    counts: Counter[str] = Counter()
    told: list[Fact] = []
    for kind, start, end in _places(text, is_script):
        counts[kind] += 1
        if counts[kind] <= SHOWN:
            line = bisect_right(starts, start)
            row = (kind, path, line, start - starts[line - 1] + 1)
            told.append(
                Fact(*row, visible(text[start : min(end, start + 120)]), _around(text, start, end))
            )
    return Facts(tuple(sorted(told, key=lambda one: (one.line, one.column, one.kind))), counts)


def together(parts: Iterable[Facts]) -> Facts:
    """All facts of several texts, in the order of these."""
    facts: list[Fact] = []
    counts: Counter[str] = Counter()
    for one in parts:
        facts += one.facts
        counts.update(one.counts)
    return Facts(tuple(facts), counts)


def visible(text: str) -> str:
    """`text` with everything that cannot be seen spelled out, as in `<U+202E>`."""
    return _UNSEEN.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def looks_like_script(path: str, text: str) -> bool:
    """True for a file that looks as if it could be run."""
    return text.startswith("#!") or _SCRIPT_PATH.fullmatch(path) is not None


def _places(text: str, is_script: bool) -> Iterator[tuple[str, int, int]]:
    if is_script:
        yield "script", 0, text.find("\n") if "\n" in text else len(text)
    for kind, pattern in _CHARACTERS.items():
        if kind == "control_character" or not text.isascii():
            for found in pattern.finditer(text):
                yield kind, found.start(), found.end()
    for kind in _WORDS:
        for found in _pattern(kind).finditer(text):
            yield kind, found.start(), found.end()
    yield from _links(text)


def _links(text: str) -> Iterator[tuple[str, int, int]]:
    for found in _LINK.finditer(text):
        yield "link", found.start(), found.end()
        shown, target = _ADDRESS.match((found[1] or "").strip()), _ADDRESS.match(found[2] or "")
        if shown and target and shown[1].lower() != target[1].lower() and "://" in found[2]:
            yield "link_text_differs", found.start(), found.end()
    for found in _BARE_LINK.finditer(text):
        yield "link", found.start(), found.end()


def _pattern(kind: str) -> re.Pattern[str]:
    if kind not in _PATTERNS:
        _PATTERNS[kind] = re.compile(_WORDS[kind], re.I)
    return _PATTERNS[kind]


def _around(text: str, start: int, end: int) -> str:
    first = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    stop = text.find("\n", start)
    last = min(len(text) if stop < 0 else stop, min(end, start + 120) + _AROUND)
    return visible(text[first:last]).strip()
