"""Owns `.openspec.yaml`: what a change says about itself.

Keys we do not know are tolerated and kept by every edit. Source: planning §9.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_
from rasen.syntax import yaml

FORMAT = ".openspec.yaml"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")
_LANE = re.compile(r"note|light|full")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
Where = Callable[[tuple[str | int, ...]], tuple[int, int] | None]


class Metadata(NamedTuple):
    """A change's own account of itself.

    created: YYYY-MM-DD. initiative: (store, id). quality: what archive measured, as found.
    skip_specs: the change has no deltas on purpose. retire_capabilities: a spec may be emptied.
    base_commit: the commit whose specs the author saw. lane: how much of the schema it goes
    through; None means all.
    """

    schema: str
    created: str | None = None
    goal: str | None = None
    affected_areas: tuple[str, ...] = ()
    initiative: tuple[str, str] | None = None
    quality: Mapping[str, object] | None = None
    skip_specs: bool = False
    retire_capabilities: bool = False
    base_commit: str | None = None
    lane: str | None = None

    @property
    def touches_no_spec(self) -> bool:
        """True when the change has no deltas on purpose, said or by its lane."""
        return self.skip_specs or self.lane == "note"


class MetadataInvalid(InvalidInput):
    """A change's metadata has a value of the wrong shape."""

    code = "change_metadata_invalid"
    text = N_("{file}, line {line}: {place} has to be {expected}")
    fix = N_("correct {place} in {file}")


def parse(text: str, *, file: str) -> Metadata:
    """The metadata in `text`. Whether the schema exists is not decided here.

    Errors: change_metadata_invalid, yaml_invalid.
    """
    flat = yaml.load_flat(text)
    if flat is not None:  # the usual file, read without loading a YAML parser
        with suppress(MetadataInvalid):  # told again below, with its line
            return _Reader(flat, _nowhere, file).metadata()
    document = yaml.load_positioned(text, file=file)
    if not isinstance(document.value, Mapping):
        raise MetadataInvalid(file=file, line=1, place="the file", expected="a map with `schema`")
    return _Reader(document.value, document.where, file).metadata()


def _nowhere(_steps: tuple[str | int, ...]) -> None:
    return None


class _Reader:
    def __init__(self, value: Mapping[str, object], where: Where, file: str) -> None:
        self.value, self.where, self.file = value, where, file

    def metadata(self) -> Metadata:
        return Metadata(
            schema=self.schema(),
            created=self.matching("created", _DATE, "a date, YYYY-MM-DD"),
            goal=self.text("goal"),
            affected_areas=self.areas(),
            initiative=self.initiative(),
            quality=self.quality(),
            skip_specs=self.flag("skip_specs"),
            retire_capabilities=self.flag("retire_capabilities"),
            base_commit=self.base_commit(),
            lane=self.matching("lane", _LANE, "note, light or full"),
        )

    def schema(self) -> str:
        found = self.text("schema")
        if found is None:
            raise self.wrong("schema", expected="the name of a schema")
        return found

    def text(self, key: str) -> str | None:
        value = self.value.get(key)
        if value is None and key not in self.value:
            return None
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, expected="a text that is not empty")
        return value

    def matching(self, key: str, pattern: re.Pattern[str], expected: str) -> str | None:
        value = self.value.get(key)
        if value is None and key not in self.value:
            return None
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise self.wrong(key, expected=expected)
        return value

    def areas(self) -> tuple[str, ...]:
        value = self.value.get("affected_areas", [])
        if not isinstance(value, list):
            raise self.wrong("affected_areas", expected="a list of texts")
        for at, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                raise self.wrong("affected_areas", at, expected="a text that is not empty")
        return tuple(value)

    def initiative(self) -> tuple[str, str] | None:
        if "initiative" not in self.value:
            return None
        value = self.value["initiative"]
        if not isinstance(value, Mapping) or set(value) != {"store", "id"}:
            raise self.wrong("initiative", expected="a map of exactly `store` and `id`")
        for key in ("store", "id"):
            if not isinstance(value[key], str) or not _KEBAB.fullmatch(value[key]):
                raise self.wrong("initiative", key, expected="a name in kebab-case")
        return value["store"], value["id"]

    def quality(self) -> Mapping[str, object] | None:
        value = self.value.get("quality")
        if value is not None and not isinstance(value, Mapping):
            raise self.wrong("quality", expected="a map")
        return value

    def base_commit(self) -> str | None:
        value = self.value.get("base", {})
        if not isinstance(value, Mapping):
            raise self.wrong("base", expected="a map with `commit`")
        commit = value.get("commit")
        if "commit" not in value:
            return None
        if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
            raise self.wrong("base", "commit", expected="the id of a commit, 7 to 64 hex digits")
        return commit

    def flag(self, key: str) -> bool:
        value = self.value.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, expected="true or false")
        return value

    def wrong(self, *steps: str | int, expected: str) -> MetadataInvalid:
        line, _ = self.where(steps) or self.where(steps[:-1]) or (1, 1)
        place = ".".join(map(str, steps))
        return MetadataInvalid(file=self.file, line=line, place=place, expected=expected)


def render(metadata: Metadata) -> str:
    """The file for new metadata; only what is set appears."""
    value: dict[str, object] = {"schema": metadata.schema}
    if metadata.created is not None:
        value["created"] = metadata.created
    if metadata.goal is not None:
        value["goal"] = metadata.goal
    if metadata.affected_areas:
        value["affected_areas"] = list(metadata.affected_areas)
    if metadata.initiative:
        value["initiative"] = dict(zip(("store", "id"), metadata.initiative, strict=True))
    if metadata.quality is not None:
        value["quality"] = dict(metadata.quality)
    if metadata.lane is not None:
        value["lane"] = metadata.lane
    for key in ("skip_specs", "retire_capabilities"):
        if getattr(metadata, key):
            value[key] = True
    if metadata.base_commit is not None:
        value["base"] = {"commit": metadata.base_commit}
    return yaml.dump(value)


def edited(text: str, values: Mapping[str, object], *, file: str) -> str:
    """`text` with the given top-level keys set; every other byte, comment and key stays.

    Errors: yaml_invalid.
    """
    for key, value in values.items():
        text = yaml.set_value(text, (key,), value, file=file)
    return text
