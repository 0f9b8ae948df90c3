"""The worksets of this machine, `<data>/worksets/worksets.yaml`, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rasen.syntax import yaml
from rasen.syntax.strict import problems, summary
from rasen.worksets.model import InvalidWorksetFile, Member, Workset

FORMAT = "worksets"
VERSION = 1

_SCHEMA = "worksets_file.v1.schema.json"


def parse(text: str, *, file: str) -> dict[str, Workset]:
    """The worksets in `text` by name, in the order of the file.

    Errors: invalid_workset_file. Source: planning §7.12.
    """
    try:
        value = yaml.load(text, file=file)
    except yaml.YamlInvalid as error:
        raise _invalid(file, error) from error
    broken = problems(value, Path(__file__).with_name(_SCHEMA))
    if broken or not isinstance(value, dict):
        raise _invalid(file, summary(broken))
    found = {}
    for name, row in value["worksets"].items():
        members = tuple(Member(one["name"], one["path"]) for one in row["members"])
        for member in members:
            if not Path(member.path).is_absolute():
                raise _invalid(file, f"worksets.{name}: the path {member.path} is not absolute")
        if len({member.name for member in members}) != len(members):
            raise _invalid(file, f"worksets.{name}: two members have one name")
        found[name] = Workset(name, members, row.get("tool"))
    return found


def render(worksets: Mapping[str, Workset]) -> str:
    """The text of `worksets`, names sorted."""
    rows: dict[str, object] = {}
    for name in sorted(worksets):
        one = worksets[name]
        tool = {} if one.tool is None else {"tool": one.tool}
        rows[name] = {**tool, "members": [member.to_json() for member in one.members]}
    return yaml.dump({"version": VERSION, "worksets": rows})


def _invalid(file: str, problem: object) -> InvalidWorksetFile:
    return InvalidWorksetFile(target="workset.file", file=file, problem=problem)
