"""What a store records of one member project, `.rasen-store/projects/<projectId>.yaml`, version 1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rasen.base.errors import Conflict, InvalidInput, Refused
from rasen.base.messages import N_
from rasen.stores.model import is_id, is_uid
from rasen.syntax import yaml
from rasen.syntax.strict import problems, summary

FORMAT = "store-project-record"
VERSION = 1
_SCHEMA = Path(__file__).with_name("membership_file.v1.schema.json")
FOLDER = Path(".rasen-store", "projects")

_DEVICES = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")


class InvalidStoreProjectRecord(InvalidInput):
    code = "invalid_store_project_record"
    text = N_("{file} is not the record of a member project: {problem}")
    fix = N_("correct {file}")


class RecordKeyMismatch(Conflict):
    code = "store_project_record_key_mismatch"
    text = N_(
        "{file} holds the projectId '{found}', which is not its name; neither of the two is believed"
    )
    fix = N_("rename {file}, or correct its projectId")


class IdentityUnrecordable(Refused):
    code = "project_identity_unrecordable"
    text = N_("the projectId '{project_id}' cannot be the name of a file on every system")
    fix = N_("give the project a UUID, or an id in kebab case, in the projectId line of {file}")


class Roles(NamedTuple):
    """What a project does in a store; it never says where a change is implemented."""

    planning: bool = False
    knowledge: bool = False

    def merged(self, other: Roles) -> Roles:
        """Every role that either has: a role is only ever added. Source: planning §7.10."""
        return Roles(self.planning or other.planning, self.knowledge or other.knowledge)

    def to_json(self) -> dict[str, bool]:
        """The `roles` member."""
        return {"planning": self.planning, "knowledge": self.knowledge}


class Adoption(NamedTuple):
    """What a project brought when its planning moved into the store; never a path of a machine."""

    specs: tuple[str, ...]
    changes: tuple[str, ...]
    adopted_at: str


class Membership(NamedTuple):
    """One member project. id: a display name. knowledge_bundle: relative to the store, with `/`."""

    project_id: str
    roles: Roles = Roles()
    id: str | None = None
    remote: str | None = None
    adoption: Adoption | None = None
    knowledge_bundle: str | None = None


def normal_project_id(text: str) -> str:
    """`text` in the form in which identities of projects are compared and name their record."""
    return text.strip().lower()


def is_recordable(project_id: str) -> bool:
    """Whether a project of this identity can have a record: a UUID or kebab, and no device name.

    Source: planning §7.10.
    """
    name = normal_project_id(project_id)
    return (is_uid(name) or is_id(name)) and _DEVICES.fullmatch(name) is None


def file_name(project_id: str, *, file: object = "rasen/config.yaml") -> str:
    """The name of the record of a project.

    file: the configuration that carries the identity, for the repair that is named.
    Errors: project_identity_unrecordable.
    """
    if not is_recordable(project_id):
        raise IdentityUnrecordable(target="project.identity", project_id=project_id, file=file)
    return f"{normal_project_id(project_id)}.yaml"


def parse(text: str, *, file: str) -> Membership:
    """The record in `text`. file: its path, whose stem must be its projectId.

    Errors: invalid_store_project_record, store_project_record_key_mismatch.
    Source: planning §7.10.
    """
    try:
        value = yaml.load(text, file=file)
    except yaml.YamlInvalid as error:
        raise _invalid(file, error) from error
    broken = problems(value, _SCHEMA)
    if broken or not isinstance(value, dict):
        raise _invalid(file, summary(broken))
    found = normal_project_id(value["projectId"])
    if not is_recordable(found):
        raise _invalid(file, f"projectId: '{found}' is neither a UUID nor in kebab case")
    if found != Path(file).stem:
        raise RecordKeyMismatch(target="store.membership", file=file, found=found)
    return Membership(
        found,
        Roles(**value["roles"]),
        id=value.get("id"),
        remote=value.get("remote"),
        adoption=_adoption(value.get("adoption")),
        knowledge_bundle=_bundle(value.get("knowledgeBundle"), file),
    )


def render(membership: Membership) -> str:
    """The text of a record, its fields in the order of the specification."""
    fields: dict[str, object] = {"version": VERSION, "projectId": membership.project_id}
    if membership.id is not None:
        fields["id"] = membership.id
    if membership.remote is not None:
        fields["remote"] = membership.remote
    fields["roles"] = membership.roles.to_json()
    if membership.adoption is not None:
        fields["adoption"] = {
            "specs": list(membership.adoption.specs),
            "changes": list(membership.adoption.changes),
            "adoptedAt": membership.adoption.adopted_at,
        }
    if membership.knowledge_bundle is not None:
        fields["knowledgeBundle"] = membership.knowledge_bundle
    return yaml.dump(fields)


def _adoption(row: Mapping[str, Any] | None) -> Adoption | None:
    if row is None:
        return None
    return Adoption(tuple(row["specs"]), tuple(row["changes"]), row["adoptedAt"])


def _bundle(value: str | None, file: str) -> str | None:
    if value is None:
        return None
    parts = value.split("/")
    if "\\" in value or ":" in value or any(part in ("", ".", "..") for part in parts):
        raise _invalid(file, "knowledgeBundle: it is not a path below the store")
    return value


def _invalid(file: str, problem: object) -> InvalidStoreProjectRecord:
    return InvalidStoreProjectRecord(target="store.membership", file=file, problem=problem)
