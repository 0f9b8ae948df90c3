"""Owns the form of a `.rasenpkg` file: the members of its three kinds. Source: library §3.1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rasen.packages.model import (
    FORMAT,
    VERSION,
    Entry,
    Kind,
    Package,
    PackagedFile,
    PackagedProfile,
)
from rasen.syntax.strict import Problem, problems

SCHEMA = Path(__file__).with_name("envelope_file.v1.schema.json")
_LONG = 512


def faults(value: object) -> list[Problem]:
    """Every place where data that was read already has not the form of a package."""
    return problems(_outline(value), SCHEMA)


def parse(value: Any) -> Package:
    """The package in data without faults."""
    profile = value.get("profile")
    return Package(
        kind=Kind(value["kind"]),
        roots=tuple(value["roots"]),
        workflows=tuple(_entry(one, "id") for one in value["workflows"]),
        pipelines=tuple(_entry(one, "name") for one in value.get("pipelines", ())),
        name=value.get("name"),
        profile=None if profile is None else _profile(profile),
        min_version=value.get("minRasenVersion"),
        digest=value["packageDigest"],
    )


def render(package: Package) -> dict[str, object]:
    """The members of `package`, `packageDigest` included, to be encoded canonically."""
    value: dict[str, object] = {
        "format": FORMAT,
        "formatVersion": VERSION,
        "kind": package.kind.value,
        "packageDigest": package.digest,
        "roots": list(package.roots),
        "workflows": [_entry_members(one, "id") for one in package.workflows],
    }
    if package.kind is Kind.PIPELINE:
        value["pipelines"] = [_entry_members(one, "name") for one in package.pipelines]
    if package.profile is not None:
        value["name"] = package.name
        value["profile"] = package.profile.to_json()
    if package.min_version is not None:
        value["minRasenVersion"] = package.min_version
    return value


def _entry(value: Mapping[str, Any], key: str) -> Entry:
    files = [PackagedFile(one["path"], one["content"], one["sha256"]) for one in value["files"]]
    return Entry(value[key], value["digest"], tuple(files))


def _entry_members(entry: Entry, key: str) -> dict[str, object]:
    files = [
        {"content": one.content, "encoding": "utf8", "path": one.path, "sha256": one.sha256}
        for one in entry.files
    ]
    return {key: entry.id, "digest": entry.digest, "files": files}


def _profile(value: Mapping[str, Any]) -> PackagedProfile:
    return PackagedProfile(
        value["version"],
        tuple(value["workflows"]),
        retention=value.get("retention"),
        delivery=value.get("delivery"),
    )


def _outline(value: object) -> object:
    """`value` with long texts cut: enough to judge its form, small enough to be copied and shown."""
    if isinstance(value, str):
        return value if len(value) <= _LONG else value[:_LONG]
    if isinstance(value, list):
        return [_outline(one) for one in value]
    if isinstance(value, dict):
        return {key[:_LONG]: _outline(one) for key, one in value.items()}
    return value
