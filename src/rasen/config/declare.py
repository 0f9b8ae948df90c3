"""What a configuration declares about stores, changed in its text; every byte not meant stays."""

from __future__ import annotations

from rasen.config.model import Reference, StorePointer
from rasen.config.pointer_field import pointer
from rasen.config.reference_field import reference
from rasen.syntax import yaml
from rasen.syntax.yaml_append import append

REFERENCES = "references"
MEMBERSHIPS = "storeMemberships"
STORE = "store"


def with_reference(text: str, wanted: Reference, *, file: str) -> str:
    """`text` with one reference more, unless it has one of that type and id.

    Errors: yaml_invalid, yaml_edit_refused.
    """
    for item in _items(text, REFERENCES, file):
        known = reference(item)
        if known is not None and (known.type, known.id) == (wanted.type, wanted.id):
            return text
    return append(text, REFERENCES, wanted.to_value(), file=file)


def with_membership(text: str, wanted: StorePointer, *, file: str) -> str:
    """`text` with one locator more, unless it has one of that identity.

    Errors: yaml_invalid, yaml_edit_refused.
    """
    if any(_names(item, wanted) for item in _items(text, MEMBERSHIPS, file)):
        return text
    return append(text, MEMBERSHIPS, wanted.to_value(), file=file)


def without_membership(text: str, gone: StorePointer, *, file: str) -> str:
    """`text` without the locators of that identity. Errors: yaml_invalid, yaml_edit_refused."""
    items = _items(text, MEMBERSHIPS, file)
    kept = [item for item in items if not _names(item, gone)]
    if len(kept) == len(items):
        return text
    if not kept:
        return yaml.unset(text, (MEMBERSHIPS,), file=file)
    return yaml.set_value(text, (MEMBERSHIPS,), kept, file=file)


def with_store(text: str, wanted: StorePointer, *, file: str) -> str:
    """`text` with `wanted` as the store it names. Errors: yaml_invalid, yaml_edit_refused."""
    return yaml.set_value(text, (STORE,), wanted.to_value(), file=file)


def without_store(text: str, *, file: str) -> str:
    """`text` naming no store. Errors: yaml_invalid, yaml_edit_refused."""
    return yaml.unset(text, (STORE,), file=file)


def _items(text: str, key: str, file: str) -> list[object]:
    value = yaml.load(text, file=file)
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def _names(item: object, wanted: StorePointer) -> bool:
    known = pointer(item)
    if not isinstance(known, StorePointer) or known.uid is None or wanted.uid is None:
        return False
    return known.uid.lower() == wanted.uid.strip().lower()
