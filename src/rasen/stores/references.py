"""The index of what a project's references offer: entries, their size limit, and how they are shown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_

LIMIT_BYTES = 50 * 1024
SUMMARY_CHARS = 300
SPEC_ID_CHARS = 100

_W = Level.WARNING
INVALID_ID = Rule(
    "reference_invalid_id",
    _W,
    N_("the reference '{id}' is not a store id"),
    N_("correct the entry under 'references:' in the project's configuration"),
)
REGISTRY_UNREADABLE = Rule(
    "reference_registry_unreadable",
    _W,
    N_("'{id}' cannot be looked up: {problem}"),
    N_("{repair}"),
)
UNRESOLVED = Rule(
    "reference_unresolved", _W, N_("'{id}' cannot be found here: {problem}"), N_("{repair}")
)
ROOT_UNHEALTHY = Rule(
    "reference_root_unhealthy",
    _W,
    N_("'{id}' is registered but cannot be used: {problem}"),
    N_("run 'rasen store doctor {id}'"),
)
TRUNCATED = Rule(
    "reference_index_truncated",
    _W,
    N_("the index is full: {left_out} more specs of '{id}' are not listed"),
    N_("list them with: rasen list --specs {selector} {id}"),
)

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_SAFE_REMOTE = re.compile(r"[A-Za-z0-9@:/._~+][A-Za-z0-9@:/._~+-]*")


@dataclass(frozen=True)
class SpecLine:
    """One spec a reference offers, and the first line of its purpose."""

    id: str
    summary: str


@dataclass(frozen=True)
class ReferenceEntry:
    """One declared reference as found on this machine.

    root: None when it could not be used; then `status` says why. specs: None when not asked for.
    """

    store_id: str
    is_project: bool = False
    root: Path | None = None
    specs: tuple[SpecLine, ...] | None = None
    status: tuple[Finding, ...] = ()

    @property
    def fetch(self) -> str:
        """The command that shows one of its specs; `<spec-id>` stands for the spec."""
        flag = "--project" if self.is_project else "--store"
        return f"rasen show <spec-id> --type spec {flag} {self.store_id}"

    def to_json(self) -> dict[str, object]:
        """The entry in JSON documents. Source: planning §7.8, correction 12."""
        answer: dict[str, object] = {"store_id": self.store_id}
        if self.root is not None:
            if self.is_project:
                answer["type"] = "project"
            answer["root"] = str(self.root)
            if self.specs is not None:
                answer["specs"] = [{"id": s.id, "summary": s.summary} for s in self.specs]
                answer["fetch"] = self.fetch
        answer["status"] = [_diagnostic(finding) for finding in self.status]
        return answer


def one_line(text: str, limit_chars: int) -> str:
    """`text` without control characters, cut to `limit_chars` with an ellipsis."""
    flat = _UNSAFE.sub(" ", text).strip()
    return flat if len(flat) <= limit_chars else flat[: limit_chars - 1] + "…"


def repair(entry_id: str, remote: str | None, *, is_project: bool, home: Path, own_id: str) -> str:
    """The step that makes an unregistered reference available.

    own_id: the store that holds the reference; empty when unknown. A remote is put into a command
    only when no shell could read it as more than a word, and it carries no secret.
    Source: planning §7.8.
    """
    from rasen.stores.remotes import has_credentials  # its patterns take 1 ms to read

    if is_project:
        register = f"rasen store add-project {{path}} --to {own_id or '<store>'} --as {entry_id}"
    else:
        register = f"rasen store register {{path}} --id {entry_id}"
    if remote is None or not _SAFE_REMOTE.fullmatch(remote) or has_credentials(remote):
        return "get a checkout from a teammate, then run: " + register.format(path="<path>")
    place = quoted(str(home / "rasen" / entry_id))
    return f"git clone -- {remote} {place}, then run: " + register.replace("{path}", place)


def quoted(path: str) -> str:
    """`path` as one word for this system's shell."""
    if os.name == "nt":
        return f'"{path}"'
    return "'" + path.replace("'", "'\"'\"'") + "'"


def bounded(entries: Iterable[ReferenceEntry]) -> tuple[ReferenceEntry, ...]:
    """`entries` with as many specs as the limit lets through, counted entry by entry.

    The measure is the XML rendering without truncation warnings. Source: planning §7.8, cap.
    """
    kept: list[ReferenceEntry] = []
    used = len(_wrap([]).encode())
    for entry in entries:
        fitting = _fitting(entry, LIMIT_BYTES - used)
        used += _size(fitting)
        kept.append(fitting)
    return tuple(kept)


def render_xml(entries: Sequence[ReferenceEntry]) -> str:
    """The block for artifact instructions; empty when there is nothing to say."""
    return _wrap([_escaped(line) for entry in entries for line in _lines(entry)]) if entries else ""


def render_markdown(entries: Sequence[ReferenceEntry]) -> str:
    """The section for apply instructions; empty when there is nothing to say."""
    if not entries:
        return ""
    lines = ["### Referenced Stores", "", *(line for entry in entries for line in _lines(entry))]
    return "\n".join(lines) + "\n"


def _fitting(entry: ReferenceEntry, room: int) -> ReferenceEntry:
    specs = entry.specs or ()
    if _size(entry) <= room or not specs:
        return entry
    left = room - _size(replace(entry, specs=()))
    count = 0
    for spec in specs:
        left -= _line_size(_spec_line(spec))
        if left < 0:
            break
        count += 1
    warning = Finding(
        TRUNCATED,
        "references",
        {
            "left_out": len(specs) - count,
            "id": entry.store_id,
            "selector": "--project" if entry.is_project else "--store",
        },
    )
    return replace(entry, specs=specs[:count], status=(*entry.status, warning))


def _size(entry: ReferenceEntry) -> int:
    measured = replace(entry, status=tuple(f for f in entry.status if f.rule is not TRUNCATED))
    return sum(_line_size(line) for line in _lines(measured))


def _line_size(line: str) -> int:
    return len(_escaped(line).encode()) + 1


def _lines(entry: ReferenceEntry) -> list[str]:
    if entry.root is None:
        lines = [f"Store {entry.store_id}: {' '.join(f.message for f in entry.status)}"]
        return lines + [f"  Fix: {f.fix}" for f in entry.status if f.fix]
    lines = [f"Store {entry.store_id} ({one_line(str(entry.root), 4096)}):"]
    lines += [_spec_line(spec) for spec in entry.specs or ()]
    lines.append(f"  Fetch: {entry.fetch}")
    for finding in entry.status:
        lines += [f"  Note: {finding.message}", f"  Fix: {finding.fix}"]
    return lines


def _spec_line(spec: SpecLine) -> str:
    return f"  - {spec.id}: {spec.summary}" if spec.summary else f"  - {spec.id}"


def _wrap(lines: list[str]) -> str:
    return "\n".join(["<referenced_stores>", *lines, "</referenced_stores>"]) + "\n"


def _escaped(line: str) -> str:
    """Text of others cannot close our block or open one of its own."""
    return re.sub(r"<(?!spec-id>|path>|store>)", "&lt;", line)


def _diagnostic(finding: Finding) -> dict[str, str]:
    answer = {
        "severity": finding.level.value.lower(),
        "code": finding.code,
        "message": finding.message,
        "target": finding.path,
    }
    return {**answer, "fix": finding.fix} if finding.fix else answer
