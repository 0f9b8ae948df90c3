"""From the files of a workflow, wherever they come from, to its definition. The one verdict on them."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rasen.base.errors import Conflict
from rasen.base.findings import has_errors
from rasen.base.messages import N_, Phrase
from rasen.hosts.model import SKILL, Sidecar, Skill
from rasen.syntax.portable_path import REASONS, collision_key
from rasen.syntax.portable_path import check as fault_of_path
from rasen.workflows import rules, skill_text_file, tree, workflow_file
from rasen.workflows.digest import file_digest, workflow_digest
from rasen.workflows.model import MANIFEST, Definition, Diagnostic, Source
from rasen.workflows.skill_text_file import SkillText
from rasen.workflows.workflow_file import Found, Manifest


class WorkflowChanged(Conflict):
    """The folder of a workflow is no longer what the catalogue read."""

    code = "workflow_changed"
    text = N_("the workflow {id} changed while it was in use")
    fix = N_("run the command again")


@dataclass(frozen=True)
class Reading:
    """What the files of one workflow say. definition: None when something is wrong.

    id: of the manifest, else the name of the folder. found: everything, warnings included.
    """

    id: str
    definition: Definition | None
    found: tuple[Diagnostic, ...]
    place: Path | None = None


def read_folder(place: Path, *, folder_name: str | None = None) -> Reading:
    """The workflow in the folder `place`; its bytes are read again when they are needed.

    folder_name: what the folder counts as being called; None takes its name.
    """
    name = place.name if folder_name is None else folder_name
    read = tree.read(place)
    if has_errors(read.found):
        found = tuple(one.at(place) for one in read.found)
        return Reading(name, None, found, place)
    return definition_from(read.files, folder_name=name, place=place)


def definition_from(
    files: Mapping[str, bytes], *, folder_name: str | None = None, place: Path | None = None
) -> Reading:
    """The workflow that consists of `files`, by path.

    folder_name: what its id has to be; None takes any. place: where the files lie; then they are not
    kept in memory. Source: library §2.2, §2.3.
    """
    found = [*_missing(files), *_unusable(files)]
    if found:
        return _reading(folder_name or "", None, found, place)
    texts = {path: files[path].decode() for path in (MANIFEST, SKILL)}
    parsed = workflow_file.parse(texts[MANIFEST])
    written = skill_text_file.parse(texts[SKILL])
    found = [*parsed.found, *written.found]
    manifest, skill = parsed.manifest, written.skill
    if manifest is not None:
        doubts = [*_named(manifest, folder_name), *_absent(manifest, files)]
        found += [*_undeclared(manifest, files), *workflow_file.placed(doubts, texts[MANIFEST])]
        present = set(manifest.declared) & files.keys()
        found += skill_text_file.unresolved(texts[SKILL], present)
    id = manifest.id if manifest is not None else folder_name or ""
    if manifest is None or skill is None or has_errors(found):
        return _reading(id, None, found, place)
    return _reading(id, _definition(manifest, skill, files, place), found, place)


def _reading(
    id: str, definition: Definition | None, found: list[Diagnostic], place: Path | None
) -> Reading:
    told = tuple(found) if place is None else tuple(one.at(place) for one in found)
    return Reading(id, definition, told, place)


def _missing(files: Mapping[str, bytes]) -> list[Diagnostic]:
    wanted = ((MANIFEST, rules.MANIFEST_MISSING), (SKILL, rules.SKILL_MISSING))
    return [Diagnostic(rule, path, source=path) for path, rule in wanted if path not in files]


def _unusable(files: Mapping[str, bytes]) -> list[Diagnostic]:
    """Files whose name or bytes no workflow can have. Source: library WF-016, WF-063."""
    found, keys = [], dict[str, str]()
    for path, data in files.items():
        fault = fault_of_path(path)
        if fault is not None:
            reason = Phrase(REASONS[fault])
            params: dict[str, object] = {"path": path, "reason": reason}
            found.append(Diagnostic(rules.PATHS[fault], path, params, source=path))
            continue
        other = keys.setdefault(collision_key(path), path)
        if other != path:
            params = {"file": path, "other": other}
            found.append(Diagnostic(rules.COLLISION, path, params, source=path))
        found += _bytes(path, data)
    return found


def _bytes(path: str, data: bytes) -> list[Diagnostic]:
    if data.startswith(BOM_UTF8):
        return [Diagnostic(rules.BOM, path, {"file": path}, source=path)]
    if data.isascii():
        return []
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        params = {"file": path, "offset": error.start}
        return [Diagnostic(rules.UTF8, path, params, source=path)]
    return []


def _named(manifest: Manifest, folder_name: str | None) -> Iterator[Found]:
    if folder_name is not None and manifest.id != folder_name:
        params = {"directoryName": folder_name, "manifestId": manifest.id}
        yield Found(rules.ID_MISMATCH, ("id",), params)


def _undeclared(manifest: Manifest, files: Mapping[str, bytes]) -> list[Diagnostic]:
    """Files that are there and not declared. Source: library WF-033."""
    declared = {*manifest.declared, MANIFEST, SKILL}
    return [
        Diagnostic(rules.UNDECLARED, path, {"file": path}, source=path)
        for path in files
        if path not in declared
    ]


def _absent(manifest: Manifest, files: Mapping[str, bytes]) -> Iterator[Found]:
    """Files that are declared and not there. Source: library WF-033."""
    for name, paths in (("sidecars", manifest.sidecars), ("scripts", manifest.scripts)):
        for number, path in enumerate(paths):
            if path not in files:
                yield Found(rules.ABSENT, ("files", name, number), {"file": path})


def _definition(
    manifest: Manifest, skill: SkillText, files: Mapping[str, bytes], place: Path | None
) -> Definition:
    rows = tuple((path, file_digest(data)) for path, data in files.items())
    digest = workflow_digest(manifest.id, rows)
    if place is None:
        load = partial(_skill, skill, dict(files))
    else:
        load = partial(_load, place, manifest.id, digest)
    return Definition(
        manifest.id,
        skill.name,
        manifest.kind,
        skill.description,
        load,
        manifest.requires,
        manifest.recommends,
        Source.USER,
        title=manifest.title,
        category=manifest.category,
        tags=manifest.tags,
        digest=digest,
        place=place,
        files=rows,
    )


def contents(definition: Definition) -> dict[str, bytes]:
    """The exact bytes of the files of a workflow in a folder, as the catalogue saw them.

    Errors: workflow_changed.
    """
    if definition.place is None:
        raise ValueError(definition.id)
    files = tree.read(definition.place).files
    rows = ((path, file_digest(data)) for path, data in files.items())
    if workflow_digest(definition.id, rows) != definition.digest:
        raise WorkflowChanged(id=definition.id)
    return files


def _load(place: Path, id: str, digest: str) -> Skill:
    files = tree.read(place).files
    rows = ((path, file_digest(data)) for path, data in files.items())
    written = skill_text_file.parse(files.get(SKILL, b"").decode("utf-8", "replace")).skill
    if written is None or workflow_digest(id, rows) != digest:
        raise WorkflowChanged(id=id)
    return _skill(written, files)


def _skill(written: SkillText, files: Mapping[str, bytes]) -> Skill:
    beside = (Sidecar(path, data) for path, data in files.items() if path not in (MANIFEST, SKILL))
    made = Skill(
        written.name,
        written.description,
        written.body,
        metadata=written.metadata,
        sidecars=tuple(beside),
        is_authored=True,
    )
    license, compatibility = written.license, written.compatibility
    return replace(
        made,
        license=made.license if license is None else license,
        compatibility=made.compatibility if compatibility is None else compatibility,
    )
