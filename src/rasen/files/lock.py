"""One writer at a time: an exclusively created file with a note that says who holds it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rasen.base.context import Note
from rasen.base.errors import Busy
from rasen.base.messages import N_
from rasen.files import atomic, fsio
from rasen.files.errors import LockBusy
from rasen.process.liveness import Holder, is_alive, me

WAIT_S = 5.0
"""So long a command waits for another one. Source: product rulings, interrupted writers."""
POLL_S: Final = 0.025
STALE_S: Final = 30.0
_TELL_AFTER_S: Final = 0.2
_NOTE_LIMIT_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Held:
    """A lock in our hands."""

    path: Path
    note: bytes

    def touch(self) -> None:
        """Show that the holder still works; machines that cannot see our process go by age."""
        with suppress(OSError):
            fsio.utime(self.path, time.time_ns())


@contextmanager
def hold(
    path: Path,
    *,
    wait_s: float | None = None,
    busy: type[Busy] = LockBusy,
    tell: Callable[[Note], None] | None = None,
) -> Iterator[Held]:
    """Hold the lock file `path` (say `registry.yaml.lock`); its folder exists.

    A lock whose holder is dead on this machine is taken at once, one whose holder cannot be known
    (another machine, no readable note) when it is 30 s old. A live holder keeps it.
    wait_s: None waits as long as commands do.
    busy: raised with the parameters file, folder, lock, holder and reason; when the system does not
    let us create the lock, the same class with a text about permissions, caused by the OSError.
    tell: hears once, after a moment, for whom we wait. What takers of this lock left that were killed
    is removed on the way.
    Errors: the code of `busy`. Source: planning §7.3 "State file mechanics".
    """
    held = _acquire(path, wait_s=WAIT_S if wait_s is None else wait_s, busy=busy, tell=tell)
    _sweep(path)
    try:
        yield held
    finally:
        with suppress(OSError):
            _remove(path, held.note)


def _acquire(
    path: Path, *, wait_s: float, busy: type[Busy], tell: Callable[[Note], None] | None
) -> Held:
    note = _render(me())
    began = time.monotonic()
    told = tell is None
    while True:
        try:
            if _create(path, note):
                return Held(path, note)
            found = _read(path)
            if found is None or (_is_stale(path, found) and _remove(path, found)):
                continue
        except FileNotFoundError:
            raise
        except OSError as error:
            raise _denied(busy, path, error) from error
        waited = time.monotonic() - began
        holder = describe(found)
        if waited >= wait_s:
            raise busy(**_params(path, holder, N_("it is held")))
        if tell is not None and not told and waited >= _TELL_AFTER_S:
            told = True
            tell(Note(N_("waiting for {holder}, who holds {lock}"), _params(path, holder, "")))
        time.sleep(POLL_S)


def _draft(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}")


def _sweep(path: Path) -> None:
    """Remove drafts of this lock whose writers died. One of another machine goes only by its age."""
    made = re.compile(re.escape(path.name) + r"\.[0-9]+-[0-9a-f]+")
    with suppress(OSError):  # whoever holds it next tries again
        for name in os.listdir(path.parent):  # noqa: PTH208 - the names suffice
            draft = path.with_name(name)
            if made.fullmatch(name) and _is_stale(draft, _read(draft) or b""):
                fsio.unlink(draft)


def _create(path: Path, note: bytes) -> bool:
    """Create the lock with its note in one step; False when someone holds it."""
    draft = _draft(path)
    if os.path.lexists(path):
        return False
    atomic.write_new(draft, note, durable=False)
    try:
        fsio.link(draft, path)
    except FileExistsError:
        return False
    except OSError:
        return _create_plainly(path, note)
    finally:
        with suppress(OSError):
            fsio.unlink(draft)
    return True


def _create_plainly(path: Path, note: bytes) -> bool:
    """The same where the file system has no second names: for an instant the note is empty."""
    try:
        atomic.write_new(path, note, durable=False)
    except FileExistsError:
        return False
    return True


def _remove(path: Path, expected: bytes) -> bool:
    """Remove the lock if its note is still `expected`; two takers cannot both believe they did.

    Whoever removes holds the system's lock on that very file first, so a slow taker cannot remove
    the lock that a quick one created in its place. Raises OSError where removing is not permitted.
    """
    if os.name == "nt":
        return _remove_by_rename(path, expected)
    import fcntl

    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        mine = os.fstat(descriptor)
        there = path.lstat()
        same = (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)
        if not same or os.pread(descriptor, _NOTE_LIMIT_BYTES, 0) != expected:
            return False
        fsio.unlink(path)
    except FileNotFoundError:
        return False
    finally:
        os.close(descriptor)
    return True


def _remove_by_rename(path: Path, expected: bytes) -> bool:
    """The same where an open file cannot be removed: only one rename of a name succeeds."""
    taken = _draft(path)
    try:
        fsio.rename(path, taken)
        if _read(taken) != expected:
            fsio.link(taken, path)
            return False
    except OSError:
        return False
    finally:
        with suppress(OSError):
            fsio.unlink(taken)
    return True


def _read(path: Path) -> bytes | None:
    """The note of a lock; None when there is no lock, empty when nothing can be read."""
    try:
        with path.open("rb") as file:
            return file.read(_NOTE_LIMIT_BYTES)
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def _is_stale(path: Path, note: bytes) -> bool:
    holder = _parse(note)
    alive = None if holder is None else is_alive(holder)
    if alive is not None:
        return not alive
    try:
        return time.time() - path.lstat().st_mtime > STALE_S
    except OSError:
        return False


def _render(holder: Holder) -> bytes:
    import json

    # The token makes two locks of one process different, so that each removes only its own.
    return json.dumps({**asdict(holder), "token": os.urandom(8).hex()}).encode()


def _parse(note: bytes) -> Holder | None:
    import json

    try:
        fields = json.loads(note)
        holder = Holder(fields["pid"], fields["started"], fields["host"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    valid = type(holder.pid) is int and isinstance(holder.started, str)
    return holder if valid and isinstance(holder.host, str) else None


def describe(note: bytes) -> str:
    """Who wrote a holder note, in words."""
    holder = _parse(note)
    if holder is None:
        return N_("an unknown process")
    return f"process {holder.pid} on {holder.host}"


def _params(path: Path, holder: str, reason: str) -> dict[str, Any]:
    file = str(path).removesuffix(".lock")
    return {
        "file": file,
        "folder": str(path.parent),
        "lock": str(path),
        "holder": holder,
        "reason": reason,
    }


def _denied(busy: type[Busy], path: Path, error: OSError) -> Busy:
    """An error of the class `busy`, whose words are about permissions."""
    words = {
        "text": N_("cannot create the lock {lock}: {reason}"),
        "fix": N_("see to it that {folder} has room and can be written by you"),
    }
    denied: type[Busy] = type(busy.__name__, (busy,), words)
    return denied(**_params(path, "", error.strerror or str(error)))
