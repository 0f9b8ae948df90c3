"""The settings there are: their names, the scopes that may hold them, what they take, defaults."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rasen.base.messages import N_, Phrase
from rasen.base.text import nearest
from rasen.config.model import GLOBAL, PROJECT, STORE

WORKSPACES = ("rasen", "openspec")
ROLES = ("planner", "implementer", "reviewer", "fixer", "shipper")
ROLE_WANTED = " | ".join(ROLES)

_FORBIDDEN = frozenset(("__proto__", "constructor", "prototype"))
_SEGMENT = re.compile(r"[A-Za-z0-9_-]+")


class Kind(NamedTuple):
    """What a setting takes.

    wanted: the words after "it must be". choices: the words that can be typed, when they are few.
    reads: what else counts in a file that another program wrote; None: nothing else.
    """

    wanted: str
    takes: Callable[[object], bool]
    choices: tuple[str, ...] = ()
    reads: Callable[[object], bool] | None = None


class Key(NamedTuple):
    """One setting; `<...>` in its name stands for any word. default None: there is none."""

    name: str
    scopes: tuple[str, ...]
    kind: Kind
    default: object = None
    project_kind: Kind | None = None


def is_text(value: object) -> bool:
    """True for text with something in it."""
    return isinstance(value, str) and bool(value.strip())


def is_whole(value: object) -> bool:
    """True for a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_threshold(value: object) -> bool:
    """True for a share above 0 up to 1, or a map with a positive number of remaining tokens."""
    if isinstance(value, dict):
        tokens = value.get("remainingTokens")
        return len(value) == 1 and isinstance(tokens, int) and is_whole(tokens) and tokens > 0
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1


def one_of(*values: str) -> Kind:
    """The kind of a setting that takes one of `values`."""
    return Kind(" | ".join(values), lambda value: value in values, values)


def whole(lowest: int, highest: int | None, wanted: str) -> Kind:
    """The kind of a whole number within bounds."""
    return Kind(
        wanted,
        lambda value: (
            isinstance(value, int)
            and not isinstance(value, bool)
            and value >= lowest
            and (highest is None or value <= highest)
        ),
    )


TEXT = Kind(Phrase(N_("text that is not empty")), is_text)
FLAG = Kind(Phrase(N_("true or false")), lambda value: isinstance(value, bool), ("true", "false"))
ANY = Kind(Phrase(N_("any value")), lambda _: True)
LIST = Kind(Phrase(N_("a list")), lambda value: isinstance(value, list))
TEXTS = Kind(
    Phrase(N_("a list of texts (an entry with ': ' in it needs quotes)")),
    lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
)
THRESHOLD = Kind(
    Phrase(N_("a number above 0 and at most 1, or a map with remainingTokens, a positive number")),
    is_threshold,
)
BEAT = whole(90, 280, Phrase(N_("a whole number from 90 to 280")))
FLOOR = whole(0, None, Phrase(N_("a whole number of 0 or more")))
GATES = one_of("on", "off")
STAGE_GATES = Kind(
    Phrase(N_("on | off, or a map of stages to on | off")),
    lambda value: (
        value in ("on", "off")
        if not isinstance(value, dict)
        else all(isinstance(one, str) and gate in ("on", "off") for one, gate in value.items())
    ),
    ("on", "off"),
)
SELECTION = one_of("classify", "manual", "compose")
TIMING = one_of("on-merge", "in-ship")
DESTINATION = one_of("in-repo", "external", "prune")
RUNTIME = one_of("claude", "codex")
LOCK = Kind(
    Phrase(N_("full, core or the name of a saved profile")),
    lambda value: is_text(value) and value != "custom",
)
MACHINE_PROFILE = one_of("full", "core", "custom")._replace(reads=is_text)
"""A saved name is read too: whether it can be resolved is for profiles. Source: library PR-051."""

_G, _GP = (GLOBAL,), (GLOBAL, PROJECT)
_SP, _GSP = (STORE, PROJECT), (GLOBAL, STORE, PROJECT)

KEYS: tuple[Key, ...] = (
    Key("profile", _GP, MACHINE_PROFILE, "full", LOCK),
    Key("workflows", _GP, TEXTS),
    Key("retention", _G, one_of("off", "report", "codify")),
    Key("language", _G, one_of("auto", "en", "ja", "zh-cn"), "auto"),
    Key("workspace", _G, one_of(*WORKSPACES), "rasen"),
    Key("featureFlags.<name>", _G, FLAG),
    Key("proactive", _G, FLAG, True),
    Key("repoMode", _G, one_of("solo", "collaborative"), "collaborative"),
    # Nothing is ever reported; the key stays so that old files and scripts keep working.
    Key("telemetry.enabled", _G, FLAG, False),
    Key("keepalive.runtimes.claude", _G, FLAG, True),
    Key("keepalive.runtimes.codex", _G, FLAG, False),
    Key("keepalive.contextFloor", _G, FLOOR, 0),
    Key("keepalive.beatSeconds", _GP, BEAT, 270),
    Key("schema", _SP, TEXT, "spec-driven"),
    Key("autopilot.gates", _GSP, GATES),
    Key("autopilot.selection", _GSP, SELECTION, "manual"),
    Key("archive.timing", _SP, TIMING, "on-merge"),
    Key("archive.destination", _SP, DESTINATION, "in-repo"),
    Key("handoff.threshold", _GSP, THRESHOLD, 0.5),
    Key("handoff.roles.<role>", _GSP, THRESHOLD),
    Key("models.default", _GSP, TEXT),
    Key("models.roles.<role>", _GSP, TEXT),
    Key("packages.signatures", _G, one_of("optional", "required"), "optional"),
    Key("ui.pinnedSpaces", _G, LIST),
    Key("pipelines.<name>.gates", _GSP, STAGE_GATES),
    Key("pipelines.<name>.gates.<stage>", _GSP, GATES),
    Key("pipelines.<name>.models.<stage>", _GSP, TEXT),
    Key("pipelines.<name>.handoff.<stage>", _GSP, THRESHOLD),
    Key("pipelines.<name>.runtimes.<role>", _GSP, RUNTIME),
)
"""Source: planning §1.8; `workspace` is ours."""


def find(name: str) -> Key | None:
    """The registry's row for the dotted `name`; None when there is none."""
    words = name.split(".")
    if _FORBIDDEN.intersection(words):
        return None
    return next((key for key in KEYS if _fits(key.name.split("."), words)), None)


def kind_of(key: Key, scope: str) -> Kind:
    """What the key takes in `scope`."""
    return key.project_kind or key.kind if scope != GLOBAL else key.kind


def path_of(name: str) -> tuple[str, ...] | None:
    """The words of a dotted name, for any key that a file may hold; None when it is no such name."""
    words = tuple(name.split("."))
    is_sound = all(_SEGMENT.fullmatch(word) for word in words)
    return words if is_sound and not _FORBIDDEN.intersection(words) else None


def nearest_names(name: str, scope: str) -> list[str]:
    """The three names of the scope that look most like `name`."""
    return nearest(name, (key.name for key in KEYS if scope in key.scopes), most=3)


def is_block(path: tuple[str, ...]) -> bool:
    """True when `path` leads to settings but is none itself."""
    return any(_fits(key.name.split(".")[: len(path)], list(path)) for key in KEYS)


def _fits(pattern: list[str], words: list[str]) -> bool:
    if len(pattern) != len(words):
        return False
    if words[:2] == ["handoff", "roles"] and len(words) == 3 and words[2] not in ROLES:
        return False
    return all(
        part == word or (part.startswith("<") and _SEGMENT.fullmatch(word) is not None)
        for part, word in zip(pattern, words, strict=True)
    )
