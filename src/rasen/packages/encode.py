"""Making packages: entries from bytes, envelopes in normal order, and their one encoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rasen import COMPAT
from rasen.packages import digests, envelope_file, rules
from rasen.packages.contents import Known, normal_profile
from rasen.packages.decode import decode
from rasen.packages.model import (
    Entry,
    Kind,
    Package,
    PackagedFile,
    PackagedProfile,
    PackageRefused,
)
from rasen.syntax import canonical
from rasen.syntax.portable_path import order
from rasen.workflows.digest import file_digest

PROFILE_VERSION = 2


def entry(kind: Kind, id: str, files: Mapping[str, bytes]) -> Entry:
    """A workflow, or of a pipeline package a pipeline, with these files.

    Raises UnicodeDecodeError for bytes that are not UTF-8; whoever read the files has checked them.
    """
    rows = sorted(files.items(), key=lambda one: order(one[0]))
    made = [PackagedFile(path, data.decode(), file_digest(data)) for path, data in rows]
    bare = Entry(id, "", tuple(made))
    return replace(bare, digest=digests.entry_digest(kind, bare))


def workflow_package(roots: Iterable[str], entries: Iterable[Entry]) -> Package:
    """A package about the workflows `roots`; entries: they and all user workflows they require."""
    return Package(Kind.WORKFLOW, tuple(sorted(roots, key=order)), workflows=_by_id(entries))


def profile_package(
    name: str, workflows: Iterable[str], retention: str, entries: Iterable[Entry], known: Known
) -> Package:
    """A package of a profile in version 2 with its user workflows. Source: C-02, PK-012, PK-022."""
    held = _by_id(entries)
    ids = normal_profile(workflows, known)
    embedded = {one.id for one in held}
    return Package(
        Kind.PROFILE,
        tuple(one for one in ids if one in embedded),
        workflows=held,
        name=name,
        profile=PackagedProfile(PROFILE_VERSION, tuple(ids), retention=retention),
        min_version=COMPAT,
    )


def pipeline_package(entries: Iterable[Entry]) -> Package:
    """A package of pipelines. Source: library PK-008."""
    held = _by_id(entries)
    return Package(Kind.PIPELINE, tuple(one.id for one in held), pipelines=held, min_version=COMPAT)


def encode(package: Package, known: Known, *, file: str) -> bytes:
    """The bytes of the package file; what we write, we have read again.

    file: its name, for messages. Errors: builtin_workflow_forbidden, and the codes of decoding.
    """
    for one in package.workflows:
        if one.id in known.built_in:
            raise PackageRefused(rules.BUILT_IN, file, id=one.id)
    bare = canonical.encode(envelope_file.render(package))
    data = digests.with_digest(bare, digests.package_digest(package.kind, bare))
    decode(data, known, file=file, expected=package.kind)
    return data


def _by_id(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda one: order(one.id)))
