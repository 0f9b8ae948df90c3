"""What `store:` and each of `storeMemberships:` may hold."""

from __future__ import annotations

from rasen.base.messages import N_, Phrase
from rasen.config.keys import is_text
from rasen.config.model import StorePointer

NOT_A_MAP = Phrase(N_("it must be a map with a uid"))

_NEITHER = Phrase(N_("it must be the name of a store, or a map with a uid"))
_NO_UID = Phrase(N_("the map needs a uid"))
_BAD_ID = Phrase(N_("its id must be text that is not empty"))
_BAD_REMOTE = Phrase(N_("its remote must be text that is not empty"))


def pointer(value: object) -> StorePointer | Phrase:
    """The store that `value` means, or what is wrong with it. Source: planning §2.4."""
    if isinstance(value, str) and value.strip():
        return StorePointer(id=value.strip())
    if not isinstance(value, dict):
        return _NEITHER
    uid, name, remote = (value.get(key) for key in ("uid", "id", "remote"))
    if not isinstance(uid, str) or not uid.strip():
        return _NO_UID
    if name is not None and not is_text(name):
        return _BAD_ID
    if remote is not None and not is_text(remote):
        return _BAD_REMOTE
    return StorePointer(uid.strip(), _stripped(name), _stripped(remote))


def _stripped(value: object) -> str | None:
    return value.strip() if isinstance(value, str) else None
