"""Owns the generated SKILL.md: front matter that every YAML reader takes alike, then the body.

Source: library GN-011, GN-012; planning §8.2.
"""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import NamedTuple

from rasen import __version__
from rasen.base.errors import InvalidInput
from rasen.base.messages import N_, Phrase
from rasen.hosts.model import SKILL, Host, Skill

FORMAT = SKILL
AUTHOR, VERSION = "rasen", "1.0"

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ,;.()/'’–_+-]*")
_WORDS_WITH_A_MEANING = frozenset(
    ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
)  # YAML 1.1 readers are about too
_CALL = re.compile(r"(?<![\w/])/rasen:(?=[a-z])")
_ODD = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # readers differ on these
_SCRIPTS = (".sh", ".mjs", ".js")


_FENCED = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


class FrontMatterInvalid(InvalidInput):
    code = "skill_file_invalid"
    text = N_("{file}: {problem}")
    fix = N_("begin the file with front matter: `name:` and `description:` between lines of `---`")


class Rendered(NamedTuple):
    """A file of a skill. path: below the skills folder, with `/`."""

    path: str
    data: bytes
    is_executable: bool = False


def render(host: Host, skill: Skill) -> tuple[Rendered, ...]:
    """All files of `skill` as `host` takes them, SKILL.md first."""
    text = f"{_front_matter(skill)}\n{_body(host, skill)}"
    files = [Rendered(f"{skill.name}/{FORMAT}", text.encode())]
    files += [
        Rendered(f"{skill.name}/{one.path}", one.data, is_script(one.path))
        for one in skill.sidecars
    ]
    return tuple(files)


def is_script(path: str) -> bool:
    """True for a sidecar that is made executable. Source: library GN-012."""
    place = PurePosixPath(path)
    return place.parts[0] in ("scripts", "bin") or place.suffix in _SCRIPTS


def front_matter(text: str) -> tuple[dict[str, object], str]:
    """The fields and the body of a SKILL.md. Errors: skill_file_invalid, yaml_invalid."""
    from rasen.syntax import yaml

    found = front_text(text)
    if found is None:
        problem = N_("it has no front matter between lines of `---`")
        raise FrontMatterInvalid(file=FORMAT, problem=Phrase(problem))
    fields = yaml.load(found[0], file=FORMAT)
    if not isinstance(fields, dict):
        raise FrontMatterInvalid(file=FORMAT, problem=Phrase(N_("its front matter is no map")))
    return fields, found[1]


def front_text(text: str) -> tuple[str, str] | None:
    """The YAML of the front matter, on the lines where it stands in the file, and the body."""
    found = _FENCED.match(text)
    return None if found is None else (f"\n{found[1]}", text[found.end() :])


def _front_matter(skill: Skill) -> str:
    lines = [f"name: {_scalar(skill.name)}", f"description: {_text(skill, skill.description)}"]
    if skill.is_user_invoked:
        lines.append("disable-model-invocation: true")
    lines.append(f"license: {_text(skill, skill.license)}")
    lines.append(f"compatibility: {_text(skill, skill.compatibility)}")
    lines.append("metadata:")
    lines += [f"  {_scalar(key)}: {_quoted(value)}" for key, value in _metadata(skill)]
    return "---\n" + "\n".join(lines) + "\n---\n"


def _metadata(skill: Skill) -> list[tuple[str, str]]:
    own = dict(skill.metadata)
    own.pop("generatedBy", None)
    first = [("author", own.pop("author", None)), ("version", own.pop("version", None))]
    if not skill.is_authored:
        first = [("author", AUTHOR), ("version", VERSION)]
    told = [(key, value) for key, value in first if value is not None]
    return [*told, *sorted(own.items()), ("generatedBy", __version__)]


def _body(host: Host, skill: Skill) -> str:
    body = skill.body.strip("\n") + "\n"
    if host.hyphen_calls and not skill.is_authored:
        return _CALL.sub("/rasen-", body)
    return body


def _text(skill: Skill, value: str) -> str:
    return _quoted(value) if skill.is_authored else _scalar(value)


def _scalar(value: str) -> str:
    """Plain where no reader could take it for something else, because some only know that form."""
    is_plain = (
        _PLAIN.fullmatch(value) is not None
        and value == value.strip()
        and value.lower() not in _WORDS_WITH_A_MEANING
    )
    return value if is_plain else _quoted(value)


def _quoted(value: str) -> str:
    """In double quotes; the escapes of JSON mean the same in YAML, 1.1 and 1.2."""
    text = json.dumps(value, ensure_ascii=False)
    return _ODD.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
