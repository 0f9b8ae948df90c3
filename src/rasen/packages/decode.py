"""From the bytes of a stranger to a package, in the exact order of the specification.

Nothing is written, and nothing is taken that is not wholly right. Source: library §3.5.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Any

from rasen.base.messages import N_
from rasen.packages import contents, envelope_file, limits, rules, strict_json
from rasen.packages.contents import Known
from rasen.packages.digests import package_digest
from rasen.packages.model import VERSION, Kind, Package, PackageRefused
from rasen.packages.strict_json import Parsed
from rasen.syntax import canonical
from rasen.syntax.strict import Problem, summary

_VERSION = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(?:[-+][0-9A-Za-z.+-]*)?")


def decode(data: bytes, known: Known, *, file: str, expected: Kind | None = None) -> Package:
    """The package in `data`, checked to the last digest.

    file: its name, for messages. expected: the only kind that is taken; None takes each.
    Errors: PackageRefused with the code of the first step that fails.
    """
    parsed = _parsed(_text(data, file), file)
    _check_versions(parsed.value, known, file)
    package = _package(parsed, file)
    if expected is not None and package.kind is not expected:
        raise PackageRefused(rules.KIND, file, actual=package.kind.value, expected=expected.value)
    _check_form(data, parsed.value, file)
    contents.check(package, known, file=file)
    found = package_digest(package.kind, data)
    if found != package.digest:
        raise PackageRefused(rules.DIGEST, file, actual=found, expected=package.digest)
    return package


def _text(data: bytes, file: str) -> str:
    if len(data) > limits.PACKAGE_BYTES:
        limit = limits.PACKAGE_BYTES
        raise PackageRefused(rules.TOO_LARGE, file, actual=len(data), limit=limit)
    if not data:
        raise PackageRefused(rules.EMPTY, file)
    if data.startswith(BOM_UTF8):
        raise PackageRefused(rules.BOM, file)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PackageRefused(rules.UTF8, file, offset=error.start) from error


def _parsed(text: str, file: str) -> Parsed:
    """What `text` says, strictly. Errors: package_json_invalid."""
    parsed = strict_json.read(text)
    if parsed.issues:
        issues = [one.to_json() for one in parsed.issues]
        raise PackageRefused(rules.JSON, file, problem=issues[0]["message"], issues=issues)
    return parsed


def _check_versions(value: Any, known: Known, file: str) -> None:
    """Refuse what a later program wrote, before its form is judged by ours. Source: PK-046."""
    if not isinstance(value, dict):
        return
    version = value.get("formatVersion")
    if isinstance(version, int | float) and not isinstance(version, bool) and version > VERSION:
        raise PackageRefused(rules.NEWER_FORMAT, file, formatVersion=version, supported=VERSION)
    needed = value.get("minRasenVersion")
    numbers = _numbers(needed) if isinstance(needed, str) else None
    running = _numbers(known.version)
    if numbers is not None and running is not None and numbers > running:
        raise PackageRefused(
            rules.NEWER_RASEN, file, minRasenVersion=needed, runningVersion=known.version
        )


def _package(parsed: Parsed, file: str) -> Package:
    found = envelope_file.faults(parsed.value)
    if parsed.is_cut:
        found.append(Problem("", N_("it has more values than a package can have")))
    if found:
        raise _misshaped(found, file)
    return envelope_file.parse(parsed.value)


def _check_form(data: bytes, value: Any, file: str) -> None:
    """Pass only for the canonical encoding of `value`. Source: library PK-003, PK-025, PK-049."""
    again = canonical.encode(value)
    if again != data:
        raise PackageRefused(rules.NON_CANONICAL, file, offset=_equal_bytes(again, data))


def _equal_bytes(one: bytes, other: bytes) -> int:
    """How many bytes two texts have in common from their start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _misshaped(found: list[Problem], file: str) -> PackageRefused:
    issues = [
        {"code": rules.SCHEMA.code, "message": one.text, "details": {"path": one.where}}
        for one in found[: limits.ISSUES]
    ]
    return PackageRefused(rules.SCHEMA, file, problem=summary(found), issues=issues)


def _numbers(version: str) -> tuple[int, ...] | None:
    """Major, minor and patch; None for text that is no version."""
    found = _VERSION.fullmatch(version)
    return tuple(map(int, found.groups())) if found else None
