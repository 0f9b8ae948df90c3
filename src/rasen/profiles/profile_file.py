"""Owns the profile file: version 1 read for ever, version 2 written. Source: library §5.1."""

from __future__ import annotations

from collections.abc import Mapping

from rasen.base.messages import N_, Phrase
from rasen.config.keys import is_whole
from rasen.profiles.model import Profile, ProfileFileInvalid, Retention

FORMAT = "profile.yaml"
LIMIT_BYTES = 1024 * 1024
RETIRED_REPORT = "retro-command"
"""The one retired id that says something about retention. Source: PR-004, PR-009."""

_FIELDS = {1: ("version", "delivery", "workflows"), 2: ("version", "workflows", "retention")}
_NEEDED = {1: ("version", "workflows"), 2: ("version", "workflows", "retention")}


def parse(text: str, *, file: str) -> Profile:
    """The profile in `text`, JSON when the file's name says so, else YAML; ids as written.

    Whether they name anything is not decided here. Errors: invalid_file, yaml_invalid, json_invalid.
    """
    if file.endswith(".json"):
        from rasen.syntax import json

        return from_value(json.load(text, file=file), file=file)
    from rasen.syntax import yaml

    return from_value(yaml.load(text, file=file), file=file)


def from_value(value: object, *, file: str) -> Profile:
    """The profile in data that was read already. Errors: invalid_file."""
    if not isinstance(value, Mapping):
        raise ProfileFileInvalid(file=file, problem=Phrase(N_("it has to be a map")))
    version = value.get("version")
    if not is_whole(version) or version not in _FIELDS:
        problem = Phrase(N_("`version` has to be 1 or 2"))
        raise ProfileFileInvalid(file=file, problem=problem)
    assert isinstance(version, int)
    _check_fields(value, version, file)
    workflows = _workflows(value, file)
    if version == 1:
        reports = RETIRED_REPORT in workflows
        return Profile(workflows, Retention.REPORT if reports else Retention.OFF)
    try:
        return Profile(workflows, Retention(value["retention"]))
    except ValueError:
        problem = Phrase(N_("`retention` has to be off, report or codify"))
        raise ProfileFileInvalid(file=file, problem=problem) from None


def render(profile: Profile, *, file: str = FORMAT) -> str:
    """The file of version 2: JSON when the name ends so, else YAML."""
    if file.endswith(".json"):
        from rasen.syntax import json

        return json.dump(profile.to_json())
    from rasen.syntax import yaml

    return yaml.dump(profile.to_json())


def _check_fields(value: Mapping[object, object], version: int, file: str) -> None:
    unknown = [str(key) for key in value if key not in _FIELDS[version]]
    if unknown:
        named = N_("it has fields that version {version} does not know: {fields}")
        problem = named.format(version=version, fields=", ".join(unknown))
        raise ProfileFileInvalid(file=file, problem=problem)
    missing = [key for key in _NEEDED[version] if key not in value]
    if missing:
        lacks = N_("it lacks {fields}").format(fields=", ".join(missing))
        raise ProfileFileInvalid(file=file, problem=lacks)


def _workflows(value: Mapping[object, object], file: str) -> tuple[str, ...]:
    found = value["workflows"]
    if not isinstance(found, list) or not all(isinstance(one, str) and one for one in found):
        problem = Phrase(N_("`workflows` has to be a list of ids"))
        raise ProfileFileInvalid(file=file, problem=problem)
    twice = sorted({one for one in found if found.count(one) > 1})
    if twice:
        named = N_("`workflows` names twice: {ids}").format(ids=", ".join(twice))
        raise ProfileFileInvalid(file=file, problem=named)
    return tuple(found)
