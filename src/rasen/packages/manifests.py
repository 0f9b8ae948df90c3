"""What a package needs to know of the workflow and pipeline files that it holds."""

from __future__ import annotations

from typing import NamedTuple

from rasen.base.errors import ToolError
from rasen.workflows import workflow_file


class Facts(NamedTuple):
    """What one manifest says. problem: why it cannot be used; then nothing else counts."""

    id: str
    requires: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    problem: str | None = None


def of_workflow(text: str) -> Facts:
    """The id of a workflow, the workflows that it requires and the scripts that it declares."""
    found = workflow_file.parse(text)
    if found.manifest is None:
        return Facts("", problem="; ".join(one.message for one in found.found))
    one = found.manifest
    return Facts(one.id, one.requires.workflows, one.scripts)


def of_pipeline(text: str) -> Facts:
    """The name of a pipeline whose stages make sense together."""
    from rasen.pipelines import disk
    from rasen.pipelines.pipeline_file import FORMAT
    from rasen.syntax import yaml

    try:
        document = yaml.load_positioned(text, file=FORMAT)
    except ToolError as error:
        return Facts("", problem=str(error))
    found = disk.read_value(document.value, document.where)
    if found.pipeline is None:
        return Facts("", problem="; ".join(one.message for one in found.findings))
    return Facts(found.pipeline.name)
