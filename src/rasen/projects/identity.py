"""A project's identity: one `projectId` line in its configuration, added once, never changed."""

from __future__ import annotations

from pathlib import Path

from rasen.base.errors import ToolError
from rasen.base.messages import N_, Phrase
from rasen.files.atomic import digest, read_text, replace_file
from rasen.projects.model import ProjectIdentityNotWritten
from rasen.syntax import yaml

KEY = "projectId"


def read(config: Path) -> str | None:
    """The identity that `config` carries; None when it carries none that can be used.

    Errors: yaml_invalid, and those of reading a file.
    """
    return _identity(read_text(config), str(config))


def with_identity(text: str, project_id: str) -> str:
    """`text` with one line more, in the line ending that most of it uses."""
    ending = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    seam = "" if not text or text.endswith("\n") else ending
    return f"{text}{seam}{KEY}: {project_id}{ending}"


def mint(config: Path, project_id: str) -> str:
    """Give `config` the identity `project_id` unless it has one; say which one it has now.

    Every byte that was there stays. The file is read again afterwards; when it does not carry the
    identity, the former bytes are put back. Hold the lock of the project registry.
    Errors: project_identity_not_written, yaml_invalid, file_changed, and those of reading a file.
    Source: planning §1.4.
    """
    before = read_text(config)
    known = _identity(before, str(config))
    if known is not None:
        return known
    after = with_identity(before, project_id)
    _check(after, before, config, project_id)
    old, new = before.encode(), after.encode()
    replace_file(config, new, expect=digest(old))
    if config.read_bytes() != new:
        replace_file(config, old)
        raise _refusal(config, project_id, Phrase(N_("it reads back differently")))
    return project_id


def _check(after: str, before: str, config: Path, project_id: str) -> None:
    """Refuse a line that would not be read as a key of its own, before anything is written."""
    try:
        read_back = yaml.load(after, file=str(config))
    except ToolError as error:
        raise _refusal(config, project_id, error) from error
    former = yaml.load(before, file=str(config))
    expected = {**former, KEY: project_id} if isinstance(former, dict) else {KEY: project_id}
    if read_back != expected:
        raise _refusal(config, project_id, Phrase(N_("the end of the file is no place for a key")))


def _identity(text: str, file: str) -> str | None:
    value = yaml.load(text, file=file)
    found = value.get(KEY) if isinstance(value, dict) else None
    return found if isinstance(found, str) and found.strip() else None


def _refusal(config: Path, project_id: str, problem: object) -> ProjectIdentityNotWritten:
    return ProjectIdentityNotWritten(
        target="project.registry", file=config, problem=problem, project_id=project_id
    )
