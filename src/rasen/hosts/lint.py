"""What can be wrong with a skill for a host: its name, folder, lengths, front matter. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, Phrase
from rasen.hosts.model import Host, Skill
from rasen.hosts.skill_file import FrontMatterInvalid, front_matter, front_text
from rasen.hosts.table import COMPATIBILITY, DESCRIPTION, LISTING, NAME

_NO_TEXT = {
    NAME: Phrase(N_("its name is not text")),
    DESCRIPTION: Phrase(N_("its description is not text")),
    COMPATIBILITY: Phrase(N_("its compatibility is not text")),
}
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

NAME_INVALID = Rule(
    "skill_name_unfit",
    Level.ERROR,
    N_("{skill}: a skill's name has lower-case letters, digits and single hyphens only"),
)
TOO_LONG = Rule(
    "skill_too_long",
    Level.ERROR,
    N_("{skill}: its {part} has {size} characters, and {host} takes {most}"),
    N_("shorten it"),
)
EMPTY = Rule("skill_part_empty", Level.ERROR, N_("{skill}: its {part} is empty"))
LISTING_LONG = Rule(
    "skill_listing_long",
    Level.WARNING,
    N_("the descriptions of all skills have {size} characters, and {host} lists {most}"),
    N_("choose a smaller profile; `rasen budget` says what costs most"),
)
FRONT_UNREADABLE = Rule(
    "skill_left_out",
    Level.ERROR,
    N_("{skill}: its front matter cannot be read, so {host} leaves the skill out: {problem}"),
    N_("put texts with a colon, a hash or a bracket in double quotes"),
)
FRONT_MISSING = Rule(
    FRONT_UNREADABLE.code, Level.ERROR, FRONT_UNREADABLE.text, FrontMatterInvalid.fix
)
FRONT_QUOTES = Rule(
    FRONT_UNREADABLE.code,
    Level.ERROR,
    FRONT_UNREADABLE.text,
    N_("write line {line} so: {line_text}"),
)
NOT_TEXT = Rule(
    FRONT_UNREADABLE.code,
    Level.ERROR,
    FRONT_UNREADABLE.text,
    N_("put it in double quotes"),
)
FOLDER_DIFFERS = Rule(
    "skill_folder_differs",
    Level.ERROR,
    N_("{skill}: it calls itself {name}, and {host} wants the name of its folder"),
    N_("name both alike"),
)


def check(host: Host, skill: Skill) -> list[Finding]:
    """Everything about `skill` that `host`, or the Agent Skills format, would refuse."""
    parts = {
        NAME: skill.name,
        DESCRIPTION: skill.description,
        COMPATIBILITY: skill.compatibility,
        "body": skill.body,
    }
    return _check_parts(host, skill.name, parts)


def check_written(host: Host, folder: str, text: str) -> list[Finding]:
    """Everything about a SKILL.md, as it lies in `folder`, for which `host` would leave it out."""
    params = {"skill": folder, "host": host.name}
    try:
        head, body = front_matter(text)
    except ToolError as problem:
        return [_unreadable(folder, {**params, "problem": problem}, text, problem)]
    parts = {key: str(head.get(key) or "") for key in (NAME, DESCRIPTION)}
    if COMPATIBILITY in head:
        parts[COMPATIBILITY] = str(head[COMPATIBILITY] or "")
    found = [
        Finding(NOT_TEXT, folder, {**params, "problem": _NO_TEXT[part]})
        for part in parts
        if not isinstance(head.get(part, ""), str | None)
    ]
    found += _check_parts(host, folder, {**parts, "body": body})
    if parts[NAME] and parts[NAME] != folder:
        found.append(Finding(FOLDER_DIFFERS, folder, {**params, "name": parts[NAME]}))
    return found


def _unreadable(folder: str, params: dict[str, object], text: str, problem: ToolError) -> Finding:
    """Why the front matter cannot be read; where quotes are all that it lacks, the line with them."""
    from rasen.syntax.yaml import YamlInvalid
    from rasen.syntax.yaml_quotes import cure

    if not isinstance(problem, YamlInvalid):
        return Finding(FRONT_MISSING, folder, params)
    found = front_text(text)
    quoted = None if found is None else cure(problem, found[0])
    line = int(str(problem.params["line"]))
    if quoted is None:
        return Finding(FRONT_UNREADABLE, folder, params, line)
    return Finding(FRONT_QUOTES, folder, {**params, "line": line, "line_text": quoted}, line)


def check_listing(host: Host, skills: Iterable[Skill]) -> list[Finding]:
    """Whether the descriptions of all `skills` together fit what `host` loads always."""
    return check_listed(host, sum(len(listed(host, one)) for one in skills))


def check_listed(host: Host, size: int) -> list[Finding]:
    """Whether names and descriptions of `size` characters together fit what `host` loads always."""
    most = host.limits.get(LISTING)
    if most is None or size <= most:
        return []
    params = {"size": size, "most": most, "host": host.name}
    return [Finding(LISTING_LONG, host.id, params)]


def listed(host: Host, skill: Skill) -> str:
    """Name and description as far as the agent always loads them: nothing of a skill that it hides."""
    is_hidden = skill.is_user_invoked and host.hides_user_invoked
    return "" if is_hidden else skill.name + skill.description


def _check_parts(host: Host, skill: str, parts: dict[str, str]) -> list[Finding]:
    found: list[Finding] = []
    params = {"skill": skill, "host": host.name}
    if parts[NAME] and not _NAME.fullmatch(parts[NAME]):
        found.append(Finding(NAME_INVALID, skill, params))
    for part, text in parts.items():
        most = host.limits.get(part)
        if not text.strip():
            found.append(Finding(EMPTY, skill, {**params, "part": part}))
        elif most is not None and len(text) > most:
            more = {"part": part, "size": len(text), "most": most}
            found.append(Finding(TOO_LONG, skill, {**params, **more}))
    return found
