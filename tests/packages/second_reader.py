"""A second reader of `.rasenpkg` files, made from the text of the format alone.

It shares nothing with the program: the standard library's JSON, its own canonical form, its own rules
for paths. `verdict` says what a reader has to say about bytes; the suite compares it with ours.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from typing import Any, NoReturn

import yaml

_SAFE = 9007199254740991
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{a}{n}" for a in ("com", "lpt") for n in range(1, 10)}
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\Z", re.ASCII)
_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}\Z", re.ASCII)
_PART = r"(?:0|[1-9][0-9]{0,8})"
_SEMVER = re.compile(
    rf"({_PART})\.({_PART})\.({_PART})(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\Z"
)
_LOOSE = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(?:[-+][0-9A-Za-z.+-]*)?\Z")


class _Bad(Exception):
    """The verdict: a code."""


def _bad(code: str) -> NoReturn:
    raise _Bad(code)


def verdict(
    data: bytes, *, built_in: list[str], idle: set[str], running: tuple[int, int, int]
) -> str:
    """`ok <package digest>` or the code of the refusal.

    built_in: ids of built-in workflows in order; idle: ids that a profile may name for nothing.
    """
    try:
        return "ok " + _decode(data, built_in, idle, running)
    except _Bad as bad:
        return str(bad)


def _decode(data: bytes, built_in: list[str], idle: set[str], running: tuple[int, int, int]) -> str:
    if len(data) > 16777216:
        _bad("package_too_large")
    if not data:
        _bad("package_empty")
    if data[:3] == b"\xef\xbb\xbf":
        _bad("package_bom_forbidden")
    try:
        text = data.decode("utf-8", "strict")
    except UnicodeDecodeError:
        _bad("package_utf8_invalid")
    value = _json(text)
    _gate(value, running)
    _shape(value)
    if _canonical(value) != data:
        _bad("package_non_canonical")
    if value["kind"] == "pipeline":
        _check_pipelines(value)
    else:
        _check_workflows(value, built_in, idle)
    claimed = value.pop("packageDigest")
    preimage = {
        "format": "rasen-package-digest",
        "version": 1,
        "kind": value["kind"],
        "package": value,
    }
    if _sha(_canonical(preimage)) != claimed:
        _bad("package_digest_mismatch")
    return str(claimed)


# JSON


def _json(text: str) -> Any:
    count = 0

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal count
        count += len(pairs)
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys) or count > 4096:
            _bad("package_json_invalid")
        if {"__proto__", "prototype", "constructor"} & set(keys):
            _bad("package_json_invalid")
        return dict(pairs)

    def number(token: str) -> Any:
        value = float(token)
        if value in (float("inf"), float("-inf")):
            _bad("package_json_invalid")
        if value == int(value):
            if not -_SAFE <= int(value) <= _SAFE:
                _bad("package_json_invalid")
            return int(value)
        return value

    try:
        value = json.loads(
            text,
            object_pairs_hook=members,
            parse_int=number,
            parse_float=number,
            parse_constant=lambda _: _bad("package_json_invalid"),
        )
    except (ValueError, RecursionError):
        _bad("package_json_invalid")
    _look(value, 0)
    return value


def _look(value: Any, depth: int) -> None:
    if isinstance(value, str) and any(0xD800 <= ord(letter) <= 0xDFFF for letter in value):
        _bad("package_json_invalid")
    if isinstance(value, dict | list):
        if depth == 32:
            _bad("package_json_invalid")
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        for one in inner:
            _look(one, depth + 1)


def _units(text: str) -> list[int]:
    data = text.encode("utf-16-le")
    return [data[at] + 256 * data[at + 1] for at in range(0, len(data), 2)]


def _canonical(value: Any) -> bytes:
    if isinstance(value, dict):
        rows = [
            _canonical(key) + b":" + _canonical(value[key]) for key in sorted(value, key=_units)
        ]
        return b"{" + b",".join(rows) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(_canonical, value)) + b"]"
    return json.dumps(value, ensure_ascii=False).encode("utf-8")


def _sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


# The form


def _gate(value: Any, running: tuple[int, int, int]) -> None:
    if not isinstance(value, dict):
        return
    version = value.get("formatVersion")
    if type(version) in (int, float) and version > 1:
        _bad("package_format_unsupported")
    least = value.get("minRasenVersion")
    found = _LOOSE.match(least) if isinstance(least, str) else None
    if found and tuple(int(part) for part in found.groups()) > running:
        _bad("package_requires_newer_rasen")


def _object(value: Any, needed: set[str], allowed: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    if not isinstance(value, dict) or not needed <= set(value) <= needed | allowed:
        _bad("package_schema_invalid")


def _need(is_right: bool) -> None:
    if not is_right:
        _bad("package_schema_invalid")


def _texts(value: Any) -> None:
    _need(isinstance(value, list) and all(isinstance(one, str) for one in value))


def _digest_form(value: Any) -> None:
    _need(isinstance(value, str) and _DIGEST.match(value) is not None)


def _shape(value: Any) -> None:
    _need(isinstance(value, dict))
    base = {"format", "formatVersion", "kind", "packageDigest", "roots", "workflows"}
    kind = value.get("kind")
    _need(isinstance(kind, str) and kind in ("workflow", "profile", "pipeline"))
    extra = {"workflow": set(), "profile": {"name", "profile"}, "pipeline": {"pipelines"}}[kind]
    _object(value, base | extra, {"minRasenVersion"})
    _need(value["format"] == "rasen-package")
    _need(type(value["formatVersion"]) is int and value["formatVersion"] == 1)
    _digest_form(value["packageDigest"])
    _texts(value["roots"])
    if "minRasenVersion" in value:
        least = value["minRasenVersion"]
        _need(isinstance(least, str) and _SEMVER.match(least) is not None)
    _need(isinstance(value["workflows"], list))
    for one in value["workflows"]:
        _entry_shape(one, "id")
    if kind == "pipeline":
        _need(value["workflows"] == [] and isinstance(value["pipelines"], list))
        for one in value["pipelines"]:
            _entry_shape(one, "name")
    if kind == "profile":
        name = value["name"]
        _need(isinstance(name, str) and _PROFILE_NAME.match(name) is not None)
        _profile_shape(value["profile"])


def _entry_shape(value: Any, key: str) -> None:
    _object(value, {key, "digest", "files"})
    _need(isinstance(value[key], str) and isinstance(value["files"], list))
    _digest_form(value["digest"])
    for one in value["files"]:
        _object(one, {"path", "encoding", "sha256", "content"})
        _need(isinstance(one["path"], str) and isinstance(one["content"], str))
        _need(one["encoding"] == "utf8")
        _digest_form(one["sha256"])


def _profile_shape(value: Any) -> None:
    _need(isinstance(value, dict) and type(value.get("version")) is int)
    if value["version"] == 1:
        _object(value, {"version", "workflows"}, {"delivery"})
        _need(isinstance(value.get("delivery", ""), str))
    else:
        _object(value, {"version", "workflows", "retention"})
        retention = value["retention"]
        _need(value["version"] == 2)
        _need(isinstance(retention, str) and retention in ("off", "report", "codify"))
    _texts(value["workflows"])


# What it means


class _Totals:
    files = 0
    content = 0


def _check_workflows(value: Any, built_in: list[str], idle: set[str]) -> None:
    entries = value["workflows"]
    if len(entries) > 64:
        _bad("workflow_limit_exceeded")
    if value["kind"] == "workflow" and not value["roots"]:
        _bad("package_roots_empty")
    totals, needs = _Totals(), {}
    for one in entries:
        if not _ID.match(one["id"]):
            _bad("workflow_id_invalid")
        if one["id"] in needs:
            _bad("workflow_duplicate")
        texts = _check_files(one, totals)
        if "workflow.yaml" not in texts or "SKILL.md" not in texts:
            _bad("workflow_required_file_missing")
        id, needed = _manifest(texts["workflow.yaml"])
        if id != one["id"]:
            _bad("packaged_manifest_id_mismatch")
        if _entry_digest(one, "rasen-workflow-digest", "id") != one["digest"]:
            _bad("workflow_digest_mismatch")
        needs[one["id"]] = needed
    _check_roots(value["roots"], needs)
    if value["kind"] == "profile":
        _check_profile(value, needs, built_in, idle)
    for needed in needs.values():
        if any(one not in needs and one not in built_in for one in needed):
            _bad("package_dependency_missing")
    reached: set[str] = set()
    todo = list(value["roots"])
    while todo:
        one = todo.pop()
        if one in needs and one not in reached:
            reached.add(one)
            todo += needs[one]
    if reached != set(needs):
        _bad("package_workflow_unreachable")
    _check_orders(value, entries, needs, built_in, idle)


def _check_orders(
    value: Any, entries: Any, needs: Any, built_in: list[str], idle: set[str]
) -> None:
    ids = [one["id"] for one in entries]
    if ids != sorted(ids, key=_units):
        _bad("package_workflows_not_normalized")
    _check_file_orders(entries)
    roots = value["roots"]
    if value["kind"] == "profile":
        listed = [one for one in value["profile"]["workflows"] if one in needs or one not in idle]
        if listed != _ranked(listed, built_in):
            _bad("profile_workflows_not_normalized")
    if roots != _ranked(roots, built_in if value["kind"] == "profile" else []):
        _bad("package_roots_not_normalized")


def _check_file_orders(entries: Any) -> None:
    for one in entries:
        paths = [file["path"] for file in one["files"]]
        if paths != sorted(paths, key=_units):
            _bad("package_files_not_normalized")


def _ranked(ids: list[str], built_in: list[str]) -> list[str]:
    first = [one for one in built_in if one in ids]
    return first + sorted((one for one in ids if one not in built_in), key=_units)


def _check_roots(roots: list[str], held: Any) -> None:
    for at, one in enumerate(roots):
        if one in roots[:at]:
            _bad("package_root_duplicate")
        if one not in held:
            _bad("package_root_missing")


def _check_profile(value: Any, needs: Any, built_in: list[str], idle: set[str]) -> None:
    selected = value["profile"]["workflows"]
    for at, one in enumerate(selected):
        if not _ID.match(one):
            _bad("profile_workflow_id_invalid")
        if one in selected[:at]:
            _bad("profile_workflow_duplicate")
    if any(one not in selected for one in value["roots"]):
        _bad("profile_root_not_selected")
    if any(one not in built_in and one not in idle and one not in needs for one in selected):
        _bad("profile_workflow_missing")
    if {one for one in selected if one in needs} != set(value["roots"]):
        _bad("profile_roots_mismatch")


def _check_pipelines(value: Any) -> None:
    if not value["pipelines"]:
        _bad("package_pipelines_empty")
    if not value["roots"]:
        _bad("package_roots_empty")
    totals, names = _Totals(), []
    for one in value["pipelines"]:
        if not _ID.match(one["name"]):
            _bad("pipeline_id_invalid")
        if one["name"] in names:
            _bad("pipeline_duplicate")
        texts = _check_files(one, totals)
        if "pipeline.yaml" not in texts:
            _bad("pipeline_required_file_missing")
        if _pipeline(texts["pipeline.yaml"]) != one["name"]:
            _bad("packaged_pipeline_name_mismatch")
        if _entry_digest(one, "rasen-pipeline-digest", "name") != one["digest"]:
            _bad("pipeline_digest_mismatch")
        names.append(one["name"])
    _check_roots(value["roots"], names)
    if any(one not in value["roots"] for one in names):
        _bad("pipeline_root_missing")
    if names != sorted(names, key=_units):
        _bad("package_pipelines_not_normalized")
    _check_file_orders(value["pipelines"])
    if value["roots"] != sorted(value["roots"], key=_units):
        _bad("package_roots_not_normalized")


def _check_files(entry: Any, totals: _Totals) -> dict[str, str]:
    totals.files += len(entry["files"])
    if totals.files > 256:
        _bad("entry_limit_exceeded")
    texts: dict[str, str] = {}
    folded: set[str] = set()
    for one in entry["files"]:
        path, data = one["path"], one["content"].encode("utf-8")
        _check_path(path)
        if path in texts:
            _bad("file_path_duplicate")
        key = unicodedata.normalize("NFKC", path).lower().upper().lower()
        key = unicodedata.normalize("NFC", key)
        if key in folded:
            _bad("file_path_collision")
        folded.add(key)
        texts[path] = one["content"]
        if len(data) > 1048576:
            _bad("file_limit_exceeded")
        totals.content += len(data)
        if totals.content > 12582912:
            _bad("content_limit_exceeded")
        if _sha(data) != one["sha256"]:
            _bad("file_digest_mismatch")
    return texts


def _check_path(path: str) -> None:
    if path == "":
        _bad("path_empty")
    if path.startswith("/") or (
        len(path) > 1 and path[1] == ":" and path[0].isascii() and path[0].isalpha()
    ):
        _bad("path_absolute")
    if "\\" in path:
        _bad("path_backslash")
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in path):
        _bad("path_control_character")
    if unicodedata.normalize("NFC", path) != path:
        _bad("path_not_nfc")
    if len(path.encode("utf-8")) > 240:
        _bad("path_too_long")
    for part in path.split("/"):
        if part == "":
            _bad("path_empty_segment")
        if part in (".", ".."):
            _bad("path_traversal")
        if part.endswith((".", " ")):
            _bad("path_trailing_dot_space")
        if unicodedata.normalize("NFKC", part).split(".")[0].lower() in _DEVICES:
            _bad("path_windows_device")
        if set(part) & set('<>:"|?*'):
            _bad("path_windows_character")


def _entry_digest(entry: Any, format: str, key: str) -> str:
    files = sorted(entry["files"], key=lambda one: _units(one["path"]))
    rows = [{"path": one["path"], "sha256": one["sha256"]} for one in files]
    return _sha(_canonical({"format": format, "version": 1, key: entry[key], "files": rows}))


# The YAML files inside; only as much as the envelope asks of them


def _manifest(text: str) -> tuple[str, list[str]]:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        top = _mapping(node)
        version = top["version"]
        is_one = isinstance(version, yaml.ScalarNode) and (version.value, version.style) == (
            "1",
            None,
        )
        needed: list[str] = []
        if "requires" in top:
            lists = _mapping(top["requires"])
            needed = [one.value for one in lists["workflows"].value] if "workflows" in lists else []
        if not is_one or set(top) - _FIELDS:
            _bad("packaged_manifest_invalid")
        return str(top["id"].value), needed
    except (yaml.YAMLError, KeyError, AttributeError):
        _bad("packaged_manifest_invalid")


_FIELDS = {"version", "id", "kind", "skill", "command", "files", "requires", "recommends"}


def _mapping(node: Any) -> dict[str, Any]:
    if not isinstance(node, yaml.MappingNode):
        _bad("packaged_manifest_invalid")
    keys = [key.value for key, _ in node.value]
    if len(set(keys)) != len(keys):
        _bad("packaged_manifest_invalid")
    return {key.value: value for key, value in node.value}


def _pipeline(text: str) -> str:
    try:
        value = yaml.safe_load(text)
        if not value["stages"] or not all(one["id"] and one["skill"] for one in value["stages"]):
            _bad("packaged_pipeline_invalid")
        return str(value["name"])
    except (yaml.YAMLError, KeyError, TypeError):
        _bad("packaged_pipeline_invalid")
