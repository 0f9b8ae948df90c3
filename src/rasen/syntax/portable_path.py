"""What a path, a name and an id must look like to mean the same on every system.

Source: library §1.1, §1.2.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rasen.base.messages import N_

MAX_BYTES: Final = 240

REASONS: Final = {
    "path_empty": N_("it is empty"),
    "path_absolute": N_("it begins with a slash or a drive"),
    "path_backslash": N_("it has a backslash"),
    "path_control_character": N_("it has a control character"),
    "path_not_nfc": N_("its letters are not in the composed form (NFC)"),
    "path_too_long": N_("it is longer than 240 bytes"),
    "path_empty_segment": N_("one of its segments is empty"),
    "path_traversal": N_("it has a `.` or `..` segment"),
    "path_trailing_dot_space": N_("one of its segments ends in a dot or a blank"),
    "path_windows_device": N_("one of its segments is the name of a device on Windows"),
    "path_windows_character": N_("it has a character that Windows does not allow"),
}
"""For each code of `check`, what is wrong with the path, as a template."""

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?", re.I | re.A | re.S)
_WINDOWS = re.compile(r'[<>:"|?*]')
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_SKILL_REFERENCE = re.compile(r"[a-z0-9][a-z0-9:-]{0,127}")
_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_JUNK = frozenset({"thumbs.db", "desktop.ini"})


def check(path: str) -> str | None:
    """The code of the first thing that keeps `path` from being portable; None when it is.

    Source: library SP-001 to SP-005.
    """
    code = _whole(path)
    if code is not None:
        return code
    for segment in path.split("/"):
        code = _segment(segment)
        if code is not None:
            return code
    return None


def collision_key(text: str) -> str:
    """Equal for two paths or names that some system would take for the same. Source: SP-007."""
    folded = unicodedata.normalize("NFKC", text).lower().upper().lower()
    return unicodedata.normalize("NFC", folded)


def is_id(text: str) -> bool:
    """True for text that can be the id of a workflow or the name of a skill. Source: SP-020."""
    return _ID.fullmatch(text) is not None


def is_skill_reference(text: str) -> bool:
    """True for text that `requires.skills` may hold. Source: SP-021."""
    return _SKILL_REFERENCE.fullmatch(text) is not None


def is_profile_name(text: str) -> bool:
    """True for text that a profile may be called by, the reserved names included. Source: SP-023."""
    return _PROFILE_NAME.fullmatch(text) is not None


def is_junk(name: str) -> bool:
    """True for an entry of a folder that every walk passes over in silence. Source: SP-008."""
    return name.startswith(".") or name.lower() in _JUNK


def order(text: str) -> bytes:
    """The key to sort text by: UTF-16 code units, as the digests want it. Source: PK-021, T-01."""
    return text.encode("utf-16-be", "surrogatepass")


def _whole(path: str) -> str | None:
    if not path:
        return "path_empty"
    if path[0] == "/" or _DRIVE.match(path):
        return "path_absolute"
    if "\\" in path:
        return "path_backslash"
    if _CONTROL.search(path):
        return "path_control_character"
    if not unicodedata.is_normalized("NFC", path):
        return "path_not_nfc"
    if len(path.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return "path_too_long"
    return None


def _segment(segment: str) -> str | None:
    if not segment:
        return "path_empty_segment"
    if segment in (".", ".."):
        return "path_traversal"
    if segment[-1] in ". ":
        return "path_trailing_dot_space"
    if _DEVICE.fullmatch(unicodedata.normalize("NFKC", segment)):
        return "path_windows_device"
    if _WINDOWS.search(segment):
        return "path_windows_character"
    return None
