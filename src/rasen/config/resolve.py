"""Which value of a setting counts: environment, project, store, machine, default, in this order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rasen.config import keys
from rasen.config.model import DEFAULT, ENVIRONMENT, GLOBAL, PROJECT, STORE, Setting
from rasen.config.reading import get

_LANGUAGES = ("auto", "en", "ja", "zh-cn")


class Layers(NamedTuple):
    """The settings of every scope, nested as in their files, and the environment."""

    env: Mapping[str, str]
    project: Mapping[str, object]
    store: Mapping[str, object]
    machine: Mapping[str, object]


def effective(name: str, layers: Layers) -> Setting:
    """The value of the setting `name` that counts, and its source.

    Value None and source `default`: nothing sets it. Source: planning §1.7.
    """
    key = keys.find(name)
    override = _override(name, layers.env)
    if override is not None:
        return Setting(name, override, ENVIRONMENT)
    path = tuple(name.split("."))
    named = ((PROJECT, layers.project), (STORE, layers.store), (GLOBAL, layers.machine))
    for scope, fields in named:
        value = get(fields, path)
        if value is not None and (key is None or scope in key.scopes):
            return Setting(name, value, scope)
    return Setting(name, key.default if key else None, DEFAULT)


def all_settings(layers: Layers) -> list[Setting]:
    """Every setting of the registry, in its order, with the value that counts.

    A setting with a free word in its name appears once for each word in use, else as a pattern.
    """
    found: list[Setting] = []
    for key in keys.KEYS:
        if "<" not in key.name:
            found.append(effective(key.name, layers))
            continue
        names = sorted(set(_instances(key, layers)))
        found += [effective(name, layers) for name in names] or [Setting(key.name, None, DEFAULT)]
    return found


def with_defaults(machine: Mapping[str, object]) -> dict[str, object]:
    """The machine's settings with the defaults of what they leave open. Source: planning §1.6."""
    from rasen.config.reading import put

    complete: dict[str, object] = {"featureFlags": {}, "telemetry": {}, **machine}
    for key in keys.KEYS:
        path = tuple(key.name.split("."))
        is_open = key.default is not None and get(complete, path) is None
        if is_open and GLOBAL in key.scopes and key.name not in _NOT_SHOWN:
            put(complete, path, key.default)
    return complete


# Their defaults are those of the project's settings, or of no use to anyone who lists.
_NOT_SHOWN = frozenset(("telemetry.enabled", "autopilot.selection", "handoff.threshold"))


def _instances(key: keys.Key, layers: Layers) -> Iterator[str]:
    pattern = key.name.split(".")
    for scope, fields in (
        (PROJECT, layers.project),
        (STORE, layers.store),
        (GLOBAL, layers.machine),
    ):
        if scope in key.scopes:
            yield from _matching(fields, pattern, ())


def _matching(node: object, pattern: list[str], above: tuple[str, ...]) -> Iterator[str]:
    if not pattern:
        yield ".".join(above)
    elif isinstance(node, Mapping):
        words = list(node) if pattern[0].startswith("<") else [pattern[0]]
        for word in words:
            if word in node:
                yield from _matching(node[word], pattern[1:], (*above, word))


def _override(name: str, env: Mapping[str, str]) -> object:
    if name == "language":
        said = env.get("RASEN_LANG", "").strip().lower()
        return said if said in _LANGUAGES else None
    if name == "telemetry.enabled":
        switches = (("RASEN_TELEMETRY", "0"), ("DO_NOT_TRACK", "1"), ("CI", "true"))
        return False if any(env.get(switch) == value for switch, value in switches) else None
    return None
