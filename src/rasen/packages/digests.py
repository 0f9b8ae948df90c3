"""What identifies a pipeline and a whole package. Source: library §3.3."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from rasen.files.atomic import digest
from rasen.packages.model import Entry, Kind
from rasen.syntax import canonical
from rasen.workflows.digest import tree_rows, workflow_digest

_MEMBER = re.compile(rb'"packageDigest":"[^"]*",')


def pipeline_digest(name: str, files: Iterable[tuple[str, str]]) -> str:
    """The digest of a pipeline; files: path and file digest of each. Source: library PK-033."""
    preimage = {
        "format": "rasen-pipeline-digest",
        "version": 1,
        "name": name,
        "files": tree_rows(files),
    }
    return digest(canonical.encode(preimage))


def entry_digest(kind: Kind, entry: Entry) -> str:
    """The digest that a workflow (or, in a pipeline package, a pipeline) has by its claimed files."""
    rows = [(one.path, one.sha256) for one in entry.files]
    if kind is Kind.PIPELINE:
        return pipeline_digest(entry.id, rows)
    return workflow_digest(entry.id, rows)


def package_digest(kind: Kind, encoded: bytes) -> str:
    """The digest of a package; encoded: its envelope in canonical form, `packageDigest` included.

    The preimage holds the envelope without that member. As members are sorted and no text before this
    one can hold a quotation mark, it is cut out of the bytes rather than encoded a second time.
    Source: library PK-032.
    """
    member = _MEMBER.search(encoded)
    if member is None:
        raise ValueError("the envelope has no digest")
    whole = memoryview(encoded)
    head = f'{{"format":"rasen-package-digest","kind":"{kind.value}","package":'
    total = hashlib.sha256(head.encode())
    total.update(whole[: member.start()])
    total.update(whole[member.end() :])
    total.update(b',"version":1}')
    return f"sha256:{total.hexdigest()}"


def with_digest(encoded: bytes, digest: str) -> bytes:
    """An envelope in canonical form with `digest` in place of the one it has."""
    return _MEMBER.sub(f'"packageDigest":"{digest}",'.encode(), encoded, count=1)
