"""Beginning a workflow: the smallest one that is sound, in a folder outside the library."""

from __future__ import annotations

import os
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, InvalidInput
from rasen.base.messages import N_
from rasen.files.scratch import fill_folder
from rasen.hosts.model import PREFIX, SKILL
from rasen.syntax import yaml
from rasen.syntax.portable_path import collision_key, is_id
from rasen.workflows import disk
from rasen.workflows.builtin_ops import always, experts
from rasen.workflows.model import MANIFEST

_MANIFEST = """\
kind: task
files:
  sidecars: []
  scripts: []
requires:
  workflows: []
  skills: []
  pipelines: []
  schemas: []
recommends:
  workflows: []
"""
_SKILL = """\
---
name: {name}
description: "Say in one sentence what {id} does, and when to use it."
---

# {id}

1. Say what has to be there before the work begins.
2. Say what to do, step by step.
3. Say how to tell that it is done, and what must not be done.
"""


class WorkflowIdInvalid(InvalidInput):
    """No workflow can have this id."""

    code = "workflow_id_invalid"
    text = N_("'{id}' cannot be the id of a workflow")
    fix = N_("use small letters, digits and hyphens, at most 64, and begin with no hyphen")


class WorkflowIdTaken(Conflict):
    """The library has a workflow of this id, sound or not."""

    code = "workflow_id_collision"
    text = N_("there is a workflow {id} already")
    fix = N_("choose another id")


class SkillTaken(WorkflowIdTaken):
    """The skill of such a workflow would be called as another is."""

    text = N_("the skill of a workflow {id} would be called {skill}, as that of {owner} is")


class OutputMismatch(InvalidInput):
    code = "output_id_mismatch"
    text = N_("the folder is called {name}, and the workflow {id}")
    fix = N_("name a folder that is called {id}")


class OutputNotFolder(InvalidInput):
    code = "output_not_directory"
    text = N_("{path} is there and is no folder of its own")
    fix = N_("name a folder that is empty or not there yet")


class OutputNotEmpty(Conflict):
    code = "output_not_empty"
    text = N_("{path} is not empty")
    fix = N_("name a folder that is empty or not there yet")


class OutputInLibrary(InvalidInput):
    code = "output_in_library"
    text = N_("{path} lies among the installed workflows")
    fix = N_("write the draft somewhere else, and install it with `rasen workflow import`")


def draft(ctx: Context, id: str, output: Path) -> Path:
    """Write the smallest sound workflow to the folder `output`; where it is.

    Errors: workflow_id_invalid, workflow_id_collision, output_id_mismatch, output_not_directory,
    output_not_empty, output_in_library; those of writing. Source: library WC-002, WC-015.
    """
    check_free(ctx, id)
    if output.name != id:
        raise OutputMismatch(name=output.name, id=id)
    check_output(ctx, output)
    head = yaml.dump({"version": 1, "id": id})
    texts = {MANIFEST: head + _MANIFEST, SKILL: _SKILL.format(id=id, name=skill_name(id))}
    fill_folder(output, {path: text.encode() for path, text in texts.items()})
    return output


def skill_name(id: str) -> str:
    """The name of the skill of a new workflow: `rasen-<id>`, as far as a name may be long."""
    return id if id.startswith(PREFIX) else f"{PREFIX}{id}"[:64]


def check_free(ctx: Context, id: str) -> None:
    """Pass for an id that a new workflow can have. Errors: workflow_id_invalid, workflow_id_collision."""
    if not is_id(id):
        raise WorkflowIdInvalid(id=id[:80])
    catalogue = disk.load(ctx)
    taken = {one.id for one in (*catalogue.definitions, *experts())}
    taken |= {one.id for one in catalogue.invalid}
    if id in taken:
        raise WorkflowIdTaken(id=id)
    ours = (*catalogue.definitions, *always(), *experts())
    owners = {collision_key(one.folder): one.id for one in ours}
    skill = skill_name(id)
    owner = owners.get(collision_key(skill))
    if owner is not None:
        raise SkillTaken(id=id, skill=skill, owner=owner)


def check_output(ctx: Context, output: Path) -> None:
    """Pass for a folder that is empty or not there. Errors: output_not_directory, and the like."""
    library = os.path.realpath(disk.home(ctx))
    if Path(os.path.realpath(output)).is_relative_to(library):
        raise OutputInLibrary(path=str(output))
    if not os.path.lexists(output):
        return
    if output.is_symlink() or not output.is_dir():
        raise OutputNotFolder(path=str(output))
    if any(output.iterdir()):
        raise OutputNotEmpty(path=str(output))
