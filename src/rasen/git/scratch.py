"""Work on commits beside the work tree: a private index and blobs, and the one step that lands them.

Nothing here changes a branch, the index or a file of the user but `land` and `settle`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from rasen.files import removal
from rasen.files.atomic import make_dirs, read_text, replace_file
from rasen.files.errors import FileMissing
from rasen.git import repo
from rasen.git.landing import back_to
from rasen.git.running import GitFailed, Output, git, must

_LANDING: Final = "landing"
_AT_ONCE: Final = 200
_FOLDER: Final = "rasen-sync"
_UNMOVED: Final = 3
# One program, so that it comes to its end even if we are killed meanwhile. Git's own checks see to
# it that no file with changes is overwritten, and that the branch is still where it was.
_MOVE: Final = (
    "!f() {"
    f' git read-tree -m -u "$1" "$2" || exit {_UNMOVED};'
    ' git update-ref -m "rasen store sync" HEAD "$2" "$1"; }; f'
)


class Entry(NamedTuple):
    """A file in a commit: its mode as git has it, and the id of its content."""

    mode: str
    oid: str

    @property
    def is_regular(self) -> bool:
        return self.mode in ("100644", "100755")


@dataclass(frozen=True, slots=True)
class Scratch:
    """A place to prepare commits of the repository at `root`.

    is_trial: objects made or fetched go away with it, so that the repository stays as it was.
    """

    root: Path
    folder: Path
    is_trial: bool

    @property
    def environment(self) -> dict[str, str | None]:
        """What a git of this place is told beside the usual."""
        if not self.is_trial:
            return {}
        kept = (repo.common_dir(self.root) or self.folder) / "objects"
        quoted = str(kept).replace("\\", "\\\\").replace('"', '\\"')
        return {
            "GIT_OBJECT_DIRECTORY": str(self.folder / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": f'"{quoted}"',
        }

    def git(self, *words: str, more: Mapping[str, str | None] | None = None) -> Output:
        """What git answers, whatever it is."""
        return git(self.root, *words, more={**self.environment, **(more or {})})

    def must(self, *words: str, more: Mapping[str, str | None] | None = None) -> str:
        """What git answers, without the last line feed. Errors: git_failed."""
        return must(self.root, *words, more={**self.environment, **(more or {})})

    def entries(self, revision: str) -> dict[str, Entry]:
        """All files of a commit by their paths from the top."""
        rows = self.must("ls-tree", "-r", "-z", "--full-tree", revision).split("\0")
        found: dict[str, Entry] = {}
        for row in rows:
            about, _, path = row.partition("\t")
            if path:
                mode, _, oid = about.split(" ")
                found[path] = Entry(mode, oid)
        return found

    def content(self, oid: str) -> bytes:
        """The bytes of a file. Errors: git_failed."""
        answer = self.git("cat-file", "blob", oid)
        if answer.status != 0:
            raise GitFailed(verb="cat-file", status=answer.status, stderr=answer.problem)
        return answer.stdout

    def keep(self, data: bytes) -> str:
        """Make git hold `data`; its id."""
        place = self.folder / "content"
        replace_file(place, data)
        return self.must("hash-object", "-w", "--no-filters", "--", str(place))

    def tree(self, base: str, changes: Mapping[str, Entry | None]) -> str:
        """The id of the tree of `base` with the changes made; None takes a file away."""
        more = {"GIT_INDEX_FILE": str(self.folder / "index")}
        self.must("read-tree", base, more=more)
        gone = [path for path, entry in changes.items() if entry is None]
        for some in _chunks(gone):
            self.must("update-index", "--force-remove", "--", *some, more=more)
        rows = [f"{one.mode},{one.oid},{path}" for path, one in changes.items() if one is not None]
        for some in _chunks(rows):
            words = [word for row in some for word in ("--cacheinfo", row)]
            self.must("update-index", "--add", *words, more=more)
        return self.must("write-tree", more=more)

    def commit(self, tree: str, parent: str, *, like: str) -> str:
        """A commit of `tree` on `parent`, with the author and the message of the commit `like`."""
        shown = self.must("log", "-1", "--date=raw", "--format=%an%x00%ae%x00%ad%x00%B", like)
        name, address, moment, message = shown.split("\0", 3)
        author = {
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": address,
            "GIT_AUTHOR_DATE": f"@{moment}",
        }
        signs = self.git("config", "--type=bool", "--get", "commit.gpgsign").stdout.strip()
        sign = ("-S",) if signs == b"true" else ()
        body = message.rstrip("\n")
        return self.must("commit-tree", tree, "-p", parent, *sign, "-m", body, more=author)

    def land(self, old: str, new: str) -> bool:
        """Move the branch, the index and the work tree from `old` to `new`.

        The work tree comes first and the branch last; killed between them, `settle` goes back.
        False when the branch or a file moved meanwhile: then all is as it was.
        Errors: git_failed.
        """
        if old == new:
            return True
        replace_file(self.folder / _LANDING, f"{old} {new}\n".encode())
        git(self.root, "update-index", "-q", "--refresh")
        try:
            ended = git(self.root, "-c", f"alias.land={_MOVE}", "land", old, new).status
        except BaseException:
            _settle(self.root, self.folder)
            raise
        if ended not in (0, _UNMOVED):
            _settle(self.root, self.folder)
        return ended == 0


@contextmanager
def scratch(root: Path, *, is_trial: bool) -> Iterator[Scratch]:
    """A place for work on the repository at `root`, gone afterwards.

    The caller holds a lock, so that what is there already is what a dead one left. Errors:
    git_failed, git_index_locked.
    """
    folder = _place(root)
    settle(root)
    make_dirs(folder / "objects")
    try:
        yield Scratch(root, folder, is_trial)
    finally:
        removal.remove_tree(folder)


def settle(root: Path) -> bool:
    """Finish or undo a landing that was killed; True when there was one. Errors: git_index_locked."""
    folder = _place(root)
    if not folder.exists():
        return False
    was_landing = _settle(root, folder)
    removal.remove_tree(folder)
    return was_landing


def _settle(root: Path, folder: Path) -> bool:
    try:
        old, _, new = read_text(folder / _LANDING).strip().partition(" ")
    except FileMissing:
        return False
    if repo.head(root) == old and new:
        back_to(root, old, new)
    return True


def _place(root: Path) -> Path:
    return (repo.git_dir(root) or root / ".git") / _FOLDER


def _chunks(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), _AT_ONCE):
        yield items[start : start + _AT_ONCE]
