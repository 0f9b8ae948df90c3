"""Settings as values, and what can be wrong when they are changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rasen.base.errors import External, InvalidInput, NotFound, Refused
from rasen.base.messages import N_

GLOBAL = "global"
STORE = "store"
PROJECT = "project"
DEFAULT = "default"
ENVIRONMENT = "env-override"


class StorePointer(NamedTuple):
    """Which store a project names: `uid` is the authority; without it `id` is looked up."""

    uid: str | None = None
    id: str | None = None
    remote: str | None = None

    def to_value(self) -> object:
        """The pointer as the file writes it."""
        if self.uid is None:
            return self.id
        pairs = (("uid", self.uid), ("id", self.id), ("remote", self.remote))
        return {name: value for name, value in pairs if value is not None}


class StoreDeclaration(NamedTuple):
    """What a configuration file says about its store; malformed: what is wrong with it."""

    file: Path | None = None
    pointer: StorePointer | None = None
    malformed: str | None = None


class Reference(NamedTuple):
    """A store or project whose specs this project wants to see; `type` is `store` or `project`."""

    id: str
    type: str = "store"
    remote: str | None = None

    def to_value(self) -> object:
        """The reference as the file writes it, in the shorter form where it has one."""
        if self.remote is not None:
            kind = {"type": self.type} if self.type != "store" else {}
            return {"id": self.id, **kind, "remote": self.remote}
        return self.id if self.type == "store" else f"{self.type}:{self.id}"


@dataclass(frozen=True)
class ProjectConfig:
    """The fields of a project's configuration that could be read; None and empty mean not set.

    values: every field that could be read, nested and named as in the file.
    path: the file; None for one that was put together.
    """

    values: Mapping[str, object] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    store: StorePointer | None = None
    store_memberships: tuple[StorePointer, ...] = ()
    path: Path | None = None

    @property
    def schema(self) -> str | None:
        return self._text("schema")

    @property
    def context(self) -> str | None:
        return self._text("context")

    @property
    def rules(self) -> Mapping[str, tuple[str, ...]]:
        """The rules of each artifact that has some."""
        return {name: tuple(items) for name, items in self._map("rules").items()}

    @property
    def quality_rules(self) -> tuple[str, ...]:
        return self._texts("quality-rules") or ()

    @property
    def project_id(self) -> str | None:
        return self._text("projectId")

    @property
    def archive_timing(self) -> str | None:
        """`on-merge` or `in-ship`."""
        return self._map("archive").get("timing")

    @property
    def archive_destination(self) -> str | None:
        """`in-repo`, `external` or `prune`."""
        return self._map("archive").get("destination")

    @property
    def profile(self) -> str | None:
        """The locked profile."""
        return self._text("profile")

    def _text(self, name: str) -> str | None:
        value = self.values.get(name)
        return value if isinstance(value, str) else None

    def _texts(self, name: str) -> tuple[str, ...] | None:
        value = self.values.get(name)
        return tuple(value) if isinstance(value, list) else None

    def _map(self, name: str) -> Mapping[str, Any]:
        value = self.values.get(name)
        return value if isinstance(value, dict) else {}


class GlobalConfig(NamedTuple):
    """This machine's settings; values: the valid ones of the file, with all keys we do not know.

    is_broken: the file could not be read, so nothing in it counts.
    """

    values: Mapping[str, object]
    is_broken: bool = False


class Setting(NamedTuple):
    """One key with the value that counts and where it comes from; value None: not set anywhere."""

    key: str
    value: object
    source: str


class Change(NamedTuple):
    """A key as typed, the scope it is meant for, and whether a key we do not know is welcome."""

    key: str
    scope: str = GLOBAL
    allow_unknown: bool = False


class Saved(NamedTuple):
    """What a change came to. note: why nothing was written, for a person; None when it was."""

    key: str
    value: object
    note: str | None = None


class Removed(NamedTuple):
    """What taking a setting away came to. value: what counts in its scope now; None: nothing."""

    key: str
    was_set: bool
    value: object = None


class Reset(NamedTuple):
    """What a reset did. kept: names in the file that are no settings of ours, sorted."""

    kept: tuple[str, ...]
    has_changed: bool = True


class ConfigKeyUnknown(InvalidInput):
    """A key that the registry does not have."""

    code = "config_key_unknown"
    text = N_("there is no setting named {key}")
    fix = N_("the nearest settings are: {nearest}")


class ConfigKeyScope(InvalidInput):
    """A key that exists, but not in this scope."""

    code = "config_key_scope"
    text = N_("{key} cannot be set in the {scope} settings")
    fix = N_("use --scope {other}")


class ConfigValueInvalid(InvalidInput):
    """A value that its key does not take."""

    code = "config_value_invalid"
    text = N_("{key} cannot be {value}: it must be {wanted}")


class ConfigFileMissing(NotFound):
    """Project settings are wanted where there is no file for them."""

    code = "config_file_missing"
    text = N_("there is no {file}")
    fix = N_("run 'rasen init' to make a workspace here")


class ConfigScopeRefused(Refused):
    """A form of the command that exists for the global settings only."""

    code = "config_scope_refused"
    text = N_("{form} works on the global settings only")
    fix = N_("leave out --scope project")


class ConfigResetRefused(Refused):
    """Everything would be reset without the word that says so."""

    code = "config_reset_refused"
    text = N_("reset puts every setting back to its default")
    fix = N_("say so with 'rasen config reset --all'")


class ConfigShape(InvalidInput):
    """The settings file is JSON, but no object."""

    code = "config_shape_invalid"
    text = N_("{file} must hold one JSON object")
    fix = N_("correct {file}, or move it away")


class EditorNotSet(InvalidInput):
    """No editor is named in the environment."""

    code = "editor_not_set"
    text = N_("neither EDITOR nor VISUAL names an editor")
    fix = N_("set EDITOR, or use 'rasen config set'")


class EditorFailed(External):
    """The editor ended with an error."""

    code = "editor_failed"
    text = N_("{program} ended with exit code {status}")


class WorkspaceNameInvalid(InvalidInput):
    """RASEN_WORKSPACE names something that is no planning folder."""

    code = "workspace_name_invalid"
    text = N_("RASEN_WORKSPACE is {value}; it may be 'rasen' or 'openspec'")
    fix = N_("unset RASEN_WORKSPACE, or set it to one of the two")
