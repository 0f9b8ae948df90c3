"""What is really there: read without following links, and without leaving the base."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rasen.base.errors import ToolError
from rasen.base.findings import Rule
from rasen.files import atomic
from rasen.files.atomic import ABSENT, digest
from rasen.ownership import artifact_ledger_file, ledger_file, model, parts
from rasen.ownership.artifact_ledger_file import ArtifactLedgerInvalid, ArtifactLedgerUnreadable
from rasen.ownership.ledger_file import FilesLedgerInvalid
from rasen.ownership.member import CannotSplice
from rasen.ownership.model import Actual, Form, Kind, Ledger, Site

LIMIT_BYTES = 64 * 1024 * 1024


def load(site: Site) -> tuple[Ledger, str]:
    """The ledger of a site and the digest of its file; empty and ABSENT when there is none.

    Errors: files_ledger_invalid, file_*; of user workflows ledger_invalid, ledger_unreadable.
    """
    return _load_files(site.ledger) if site.form is Form.FILES else _load_artifacts(site.ledger)


def render(site: Site, ledger: Ledger) -> str:
    """The text of a site's ledger."""
    if site.form is Form.FILES:
        return ledger_file.render(ledger)
    return artifact_ledger_file.render(ledger)


def is_needed(site: Site, ledger: Ledger) -> bool:
    """Whether there is anything of ours to record; fields that we do not know are no reason."""
    return bool(ledger.rows or (site.form is Form.ARTIFACTS and ledger.extra))


def aside(site: Site) -> tuple[Path, bytes] | None:
    """What has to be kept, and where, before the ledger is written: a later form that says more."""
    if site.form is Form.FILES:
        return None
    data = atomic.read_optional(site.ledger, limit_bytes=ledger_file.LIMIT_BYTES)
    place = site.ledger.with_name(artifact_ledger_file.ASIDE)
    if data is None or not artifact_ledger_file.holds_more(data.decode("utf-8")) or place.exists():
        return None
    return place, data


def _load_artifacts(path: Path) -> tuple[Ledger, str]:
    try:
        data = atomic.read_optional(path, limit_bytes=ledger_file.LIMIT_BYTES)
    except ToolError as error:
        raise ArtifactLedgerUnreadable(file=str(path), problem=str(error)) from error
    if data is None:
        return Ledger(), ABSENT
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ArtifactLedgerInvalid(file=str(path), problem="it is not UTF-8") from error
    return artifact_ledger_file.parse(text, file=str(path)), digest(data)


def _load_files(path: Path) -> tuple[Ledger, str]:
    data = atomic.read_optional(path, limit_bytes=ledger_file.LIMIT_BYTES)
    if data is None:
        return Ledger(), ABSENT
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FilesLedgerInvalid(file=str(path), problem="it is not UTF-8") from error
    return ledger_file.parse(text, file=str(path)), digest(data)


class Reader:
    """Looks at places below one base; folders are looked at once."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self._folders: dict[str, tuple[Rule, str] | frozenset[str] | None] = {}

    def actual(self, path: str, kind: Kind = Kind.FILE, part: str = "") -> Actual:
        """What stands at `path`. part: the member, of a JSON file."""
        parent, _, name = path.rpartition("/")
        names = self._names(parent)
        if isinstance(names, tuple):
            return Actual(ABSENT, blocked=names[0], detail=names[1])
        place = self.base / path
        if names is None or name not in names:
            twin = next((one for one in names or () if one.casefold() == name.casefold()), None)
            if twin is not None:
                beside = f"{parent}/{twin}" if parent else twin
                return Actual(ABSENT, blocked=model.CASE_COLLISION, detail=beside)
            return Actual(ABSENT)
        return self._file(place, path, kind, part)

    def missing_from(self, path: str) -> str | None:
        """The outermost folder above `path` that does not exist; None when its parent exists."""
        steps = path.split("/")[:-1]
        for depth in range(1, len(steps) + 1):
            folder = "/".join(steps[:depth])
            if self._names(folder) is None:
                return folder
        return None

    def _file(self, place: Path, path: str, kind: Kind, part: str) -> Actual:
        status = place.lstat()
        if stat.S_ISLNK(status.st_mode):
            return Actual(ABSENT, blocked=model.LINK, detail=path)
        if not stat.S_ISREG(status.st_mode):
            return Actual(ABSENT, blocked=model.NOT_A_FILE, detail=path)
        try:
            data = atomic.read_bytes(place, limit_bytes=LIMIT_BYTES)
        except ToolError as problem:
            return Actual(ABSENT, blocked=model.UNREADABLE, detail=str(problem))
        if kind is not Kind.FILE:
            return _part(data, path, kind, part)
        return Actual(digest(data), other_ends(data))

    def _names(self, folder: str) -> tuple[Rule, str] | frozenset[str] | None:
        """What is in a folder; None when it does not exist; a rule when nothing may be done there."""
        if folder not in self._folders:
            self._folders[folder] = self._look(folder)
        return self._folders[folder]

    def _look(self, folder: str) -> tuple[Rule, str] | frozenset[str] | None:
        if folder:
            parent, _, name = folder.rpartition("/")
            above = self._names(parent)
            if isinstance(above, tuple):
                return above
            if above is None:
                return None
            if name not in above:
                twin = next((one for one in above if one.casefold() == name.casefold()), None)
                if twin is not None:
                    return model.CASE_COLLISION, f"{parent}/{twin}" if parent else twin
                return (
                    None
                    if os.access(self.base / parent, os.W_OK | os.X_OK)
                    else (
                        model.NOT_WRITABLE,
                        parent or ".",
                    )
                )
        place = self.base / folder if folder else self.base
        try:
            status = place.lstat()
        except FileNotFoundError:
            return None
        if folder and stat.S_ISLNK(status.st_mode):
            return model.LINK, folder
        if not stat.S_ISDIR(status.st_mode) and not (not folder and place.is_dir()):
            return model.NOT_A_FILE, folder
        if not os.access(place, os.R_OK | os.X_OK):
            return model.UNREADABLE, folder
        return frozenset(one.name for one in os.scandir(place))


def other_ends(data: bytes) -> tuple[str, ...]:
    """Digests of a text with LF only and with CRLF only, as checkouts turn it; of others none."""
    if b"\0" in data:
        return ()
    with_lf = data.replace(b"\r\n", b"\n")
    return digest(with_lf), digest(with_lf.replace(b"\n", b"\r\n"))


def _part(data: bytes, path: str, kind: Kind, part: str) -> Actual:
    try:
        found = parts.text_of(kind, path, data.decode("utf-8"), part)
    except (CannotSplice, UnicodeDecodeError) as problem:
        wrong = "it is not UTF-8" if isinstance(problem, UnicodeDecodeError) else str(problem)
        return Actual(ABSENT, blocked=model.UNREADABLE, detail=wrong)
    if found is None:
        return Actual(ABSENT)
    return Actual(digest(found.encode()))
