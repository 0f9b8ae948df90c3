"""What can be asked about the workflows and experts that we ship."""

from __future__ import annotations

import hashlib
import json

from rasen.hosts.model import Skill
from rasen.workflows import builtin
from rasen.workflows import experts as table
from rasen.workflows.model import Definition

_FORMAT = "rasen-built-in-workflow"


def built_in() -> tuple[Definition, ...]:
    """The workflows that we ship, in the order of the catalogue, also those that come later."""
    return builtin.BUILT_IN


def experts() -> tuple[Definition, ...]:
    """The experts that we ship, by id, also those that come later."""
    return table.EXPERTS


def always() -> tuple[Definition, ...]:
    """What is generated whatever is selected: the experts, the retention runner and its old name.

    Source: library GN-003, RT-011, RT-013.
    """
    runner = (one for one in builtin.BUILT_IN if one.id == builtin.RETAIN)
    return (*runner, *builtin.ALIASES, *(one for one in table.EXPERTS if one.is_available))


def core() -> tuple[str, ...]:
    """The ids of the profile `core`, in the order of the catalogue."""
    return tuple(one.id for one in builtin.BUILT_IN if one.is_core)


def full() -> tuple[str, ...]:
    """The ids of the profile `full`: all built-ins that can be selected."""
    return tuple(one.id for one in builtin.BUILT_IN if one.is_selectable)


def built_in_digest(definition: Definition) -> str:
    """`sha256:…` over everything that is generated from a definition of ours.

    It tells two versions of this program apart and means nothing to another. For a definition that
    is not available yet it covers the catalogue's row alone. Source: library §25.1.
    """
    document = {
        "format": _FORMAT,
        "version": 1,
        "id": definition.id,
        "dirName": definition.folder,
        "skill": _template(definition.load()) if definition.is_available else None,
    }
    compact = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(compact.encode()).hexdigest()}"


def _template(skill: Skill) -> dict[str, object]:
    return {
        "name": skill.name,
        "description": skill.description,
        "userInvoked": skill.is_user_invoked,
        "instructions": skill.body,
        "sidecars": {one.path: hashlib.sha256(one.data).hexdigest() for one in skill.sidecars},
    }
