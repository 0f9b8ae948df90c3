"""From skills as people share them, to workflows: what can be mended is mended, the rest is told.

The body of a skill stays byte for byte; its front matter becomes what a workflow may have.
"""

from __future__ import annotations

import json
import re
import unicodedata
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import NotFound
from rasen.base.findings import Level, Rule, has_errors
from rasen.base.messages import N_, Phrase
from rasen.files.scratch import fill_folder
from rasen.hosts.model import SKILL
from rasen.hosts.skill_file import is_script
from rasen.syntax import yaml
from rasen.syntax.portable_path import check as fault_of_path
from rasen.syntax.portable_path import is_id, order
from rasen.syntax.yaml_quotes import cure
from rasen.workflows import disk, drafting, rules, skill_folders, tree
from rasen.workflows.catalogue import Catalogue, judge
from rasen.workflows.model import MANIFEST, Diagnostic
from rasen.workflows.reading import definition_from

MENDED = Rule("skill_mended", Level.WARNING, N_("{what}"))
LEFT_OUT = Rule(
    "skill_file_left_out",
    Level.WARNING,
    N_("{file} is left out: {reason}"),
    N_("put a text file in its place if the skill needs it"),
)
ID_TWICE = Rule(
    "workflow_id_duplicate",
    Level.ERROR,
    N_("{other} becomes the workflow {id} too"),
    N_("give one of the two skills another name"),
)
NOT_TAKEN = frozenset(
    one.code
    for one in (
        rules.SYMLINK, rules.SPECIAL, rules.FILE_SIZE, rules.UTF8_NAME, rules.PATHS["path_too_long"]
    )
)  # fmt: skip

_REPLACED = Phrase(N_("a new one takes its place; what it required has to be written again"))
_BLOCK = re.compile(r"---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_KEPT = ("name", "description", "license", "compatibility")


class SkillsNotFound(NotFound):
    code = "skills_not_found"
    text = N_("there is no folder with a SKILL.md in {path}, nor in the folders in it")
    fix = N_("name the folder of a skill, or the one that holds several")


@dataclass(frozen=True)
class Converted:
    """What became of one skill. output: where its workflow is; None when it was left out."""

    source: Path
    id: str
    found: tuple[Diagnostic, ...]
    output: Path | None = None

    def to_json(self) -> dict[str, object]:
        """`{id, source, output, diagnostics}`."""
        return {
            "id": self.id,
            "source": str(self.source),
            "output": None if self.output is None else str(self.output),
            "diagnostics": [one.to_json() for one in self.found],
        }


def convert(ctx: Context, source: Path, output: Path) -> tuple[Converted, ...]:
    """Make a workflow of each skill in `source`, in one go, below the new folder `output`."""
    drafting.check_output(ctx, output)
    folders = skill_folders.find(source)
    if not folders:
        raise SkillsNotFound(path=str(source))
    catalogue = disk.load(ctx)
    made: dict[str, dict[str, bytes]] = {}
    results: list[Converted] = []
    first: dict[str, Path] = {}
    for folder in folders:
        one, files = _converted(folder, catalogue)
        if one.id in first:
            params = {"id": one.id, "other": str(first[one.id])}
            twice = Diagnostic(ID_TWICE, "", params, source=str(folder))
            one = replace(one, found=(*one.found, twice))
        first.setdefault(one.id, folder)
        if not has_errors(one.found):
            made[one.id] = files
            one = replace(one, output=output / one.id)
        results.append(one)
    if made:
        rows = {f"{id}/{path}": data for id, files in made.items() for path, data in files.items()}
        fill_folder(output, rows)
    return tuple(results)


def _converted(folder: Path, catalogue: Catalogue) -> tuple[Converted, dict[str, bytes]]:
    read = tree.read(folder)
    found = [
        _left_out(one) if one.code in NOT_TAKEN and one.path != SKILL else one for one in read.found
    ]
    files: dict[str, bytes] = {}
    for path, data in read.files.items():
        reason = _unfit(path, data)
        if path in (MANIFEST, SKILL) or reason is None:
            files[path] = data
        else:
            found.append(_without(path, reason))
    if files.pop(MANIFEST, None) is not None:
        found.append(Diagnostic(MENDED, MANIFEST, {"what": _REPLACED}, source=MANIFEST))
    if SKILL not in files:
        found.append(Diagnostic(rules.SKILL_MISSING, SKILL, source=SKILL))
        return Converted(folder, _slug(folder.name), _at(found, folder)), {}
    mending = _Mending(folder.name, files[SKILL])
    found += mending.found
    id = mending.id
    files[SKILL] = mending.text.encode("utf-8", "surrogateescape")
    files[MANIFEST] = _manifest(id, sorted(files, key=order)).encode()
    reading = definition_from(
        {path: files[path] for path in sorted(files, key=order)}, folder_name=id
    )
    found += judge(catalogue, reading)
    if any(one.id == id for one in catalogue.definitions):
        params = {"workflowId": id, "owner": "user"}
        found.append(Diagnostic(rules.ID_COLLISION, "id", params, source=SKILL))
    told = list(dict.fromkeys((one.code, one.path, one.message) for one in found))
    once = [next(one for one in found if (one.code, one.path, one.message) == key) for key in told]
    return Converted(folder, id, _at(once, folder)), files


def _at(found: list[Diagnostic], folder: Path) -> tuple[Diagnostic, ...]:
    return tuple(one if one.source.startswith("/") else one.at(folder) for one in found)


def _left_out(one: Diagnostic) -> Diagnostic:
    return _without(one.path, one.message)


def _without(path: str, reason: str) -> Diagnostic:
    return Diagnostic(LEFT_OUT, path, {"file": path, "reason": reason}, source=path)


def _unfit(path: str, data: bytes) -> str | None:
    """Why a file cannot be part of a workflow; None when it can."""
    if fault_of_path(path) is not None:
        return Phrase(N_("its name cannot be used on every system"))
    if data.startswith(BOM_UTF8):
        return Phrase(N_("it begins with a byte order mark"))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return Phrase(N_("it is no UTF-8 text"))
    return None


def _manifest(id: str, paths: list[str]) -> str:
    beside = [path for path in paths if path not in (MANIFEST, SKILL)]
    scripts = [path for path in beside if is_script(path)]
    sidecars = [path for path in beside if path not in scripts]
    document: dict[str, object] = {"version": 1, "id": id}
    if beside:
        document["files"] = {"sidecars": sidecars, "scripts": scripts}
    return yaml.dump(document)


def _slug(name: str, other: str = "skill") -> str:
    """`name` as an id; `other` when none of its letters can be in one."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    return words[:64].rstrip("-") or other


class _Mending:
    """The SKILL.md of one skill, brought to the strict form as far as that is nobody's guess."""

    def __init__(self, folder_name: str, data: bytes) -> None:
        self.found: list[Diagnostic] = []
        if data.startswith(BOM_UTF8):
            data = data.removeprefix(BOM_UTF8)
            self._tell(N_("the byte order mark was dropped"))
        self.text = data.decode("utf-8", "surrogateescape")
        if self.text.lstrip().startswith("---") and not self.text.startswith("---"):
            self.text = self.text.lstrip()
            self._tell(N_("the blank space before the front matter was dropped"))
        self.id = _slug(folder_name)
        block = _BLOCK.match(self.text)
        fields = self._fields(block[1]) if block else None
        if block is None or fields is None:
            return
        name = fields.get("name")
        if isinstance(name, str) and not is_id(name):
            fields["name"] = _slug(name, self.id)
            self._tell(N_("the name '{name}' became {new}"), name=name[:80], new=fields["name"])
        elif name is None:
            fields["name"] = self.id
            self._tell(N_("the skill got its folder's name, {new}"), new=self.id)
        if isinstance(fields["name"], str):
            self.id = _slug(fields["name"], self.id)
        head = "".join(f"{line}\n" for line in self._lines(fields))
        self.text = f"---\n{head}---\n{self.text[block.end() :]}"

    def _fields(self, head: str) -> dict[str, object] | None:
        """What the front matter says; values that lack their quotes get them."""
        lines = head.split("\n")
        for _ in lines:
            try:
                value = yaml.load("\n".join(lines), file=SKILL)
            except yaml.YamlInvalid as error:
                at = int(str(error.params["line"])) - 1
                quoted = cure(error, "\n".join(lines))
                if quoted is None:
                    return None
                self._tell(N_("line {line} got its quotes: {text}"), line=at + 2, text=quoted)
                lines[at] = quoted
            else:
                return value if isinstance(value, dict) else None
        return None

    def _lines(self, fields: Mapping[str, object]) -> Iterator[str]:
        for key in _KEPT:
            if key in fields and self._has_text(key, fields[key]):
                yield f"{key}: {json.dumps(self._line(key, fields[key]), ensure_ascii=False)}"
        extra = {key: one for key, one in self._extra(fields).items() if self._has_text(key, one)}
        texts = {key: self._line(key, value) for key, value in extra.items()}
        if texts:
            yield "metadata:"
        for key, text in texts.items():
            yield f"  {json.dumps(key, ensure_ascii=False)}: {json.dumps(text, ensure_ascii=False)}"

    def _extra(self, fields: Mapping[str, object]) -> dict[str, object]:
        """What the metadata of the skill will be: what it is, and every field that has no other place."""
        given = fields.get("metadata", {})
        if not isinstance(given, dict):
            self._tell(N_("metadata was no map and became one"))
            given = {"metadata": given}
        extra: dict[str, object] = dict(given)
        for key, value in fields.items():
            if key in (*_KEPT, "metadata"):
                continue
            name = key if key not in extra else f"{key}-2"
            extra[name] = value
            if value is not None:
                self._tell(N_("the field {field} went into metadata"), field=key)
        return extra

    def _has_text(self, key: str, value: object) -> bool:
        """True for a value that can be kept; what has none is told."""
        if value is not None and value not in ("", [], {}):
            return True
        self._tell(N_("{field} has no value and was dropped"), field=key)
        return False

    def _line(self, key: str, value: object) -> str:
        """`value` as one line of text."""
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            self._tell(N_("{field} was a list and became text"), field=key)
            return ", ".join(value)
        if isinstance(value, list | dict | bool):
            return json.dumps(value, ensure_ascii=False)
        text = str(value)
        line = " ".join(text.split())
        if line != text.strip():
            self._tell(N_("{field} was put on one line"), field=key)
        return line

    def _tell(self, what: str, **params: object) -> None:
        told = what.format(**params) if params else what
        self.found.append(Diagnostic(MENDED, SKILL, {"what": told}, source=SKILL))
