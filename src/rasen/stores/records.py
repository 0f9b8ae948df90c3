"""The records that a store keeps of its member projects, and reading them."""

from __future__ import annotations

from pathlib import Path

from rasen.files.atomic import read_optional
from rasen.files.errors import FileNotUtf8
from rasen.stores import membership_file
from rasen.stores.membership_file import InvalidStoreProjectRecord, Membership

RECORDS = membership_file.FOLDER


def record_path(store_root: Path, project_id: str) -> Path:
    """Where the record of a project lies. Errors: project_identity_unrecordable."""
    return store_root / RECORDS / membership_file.file_name(project_id)


def load(path: Path) -> Membership | None:
    """The record at `path`; None when there is none.

    Errors: invalid_store_project_record, store_project_record_key_mismatch, those of reading files.
    """
    data = read_optional(path)
    return None if data is None else membership_file.parse(text(path, data), file=str(path))


def members(store_root: Path) -> tuple[Membership, ...]:
    """Every record of a store by file name.

    Errors: as for `load`.
    """
    folder = store_root / RECORDS
    names = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
    return tuple(found for path in names if (found := load(path)) is not None)


def text(path: Path, data: bytes) -> str:
    """The text of a file in a store. Errors: invalid_store_project_record for a record, file_not_utf8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        if path.parent.name == RECORDS.name:
            raise InvalidStoreProjectRecord(
                target="store.membership", file=path, problem=f"line {line} is not UTF-8"
            ) from error
        raise FileNotUtf8(file=str(path), line=line) from error
