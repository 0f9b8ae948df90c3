"""What every skill text of ours has to be: short, true to the command line, tied to nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import other_yaml, skills
from tests.support.skills import Text
from tests.support.source import errors, rules

from rasen.config import keys
from rasen.hosts.model import Host
from rasen.hosts.ops import HOSTS, check, render
from rasen.workflows import ops
from rasen.workflows.model import Kind

SCHEMAS = Path(skills.__file__).resolve().parents[2] / "src/rasen/surfaces/schemas"
MOST_LINES = 200
WORKFLOWS = skills.texts("workflows")
ALL = skills.texts("workflows", "experts")
HEADS = [text for text in ALL if text.path.name == "SKILL.md"]
PLANNERS = r"open-?spec|spec-?kit|\bkiro\b|\bbmad\b|superpowers|gstack|task-?master|\bbeads\b"
AGENTS = r"\bclaude|\bcodex\b|\bcursor\b|\bgemini\b|copilot|\bopencode\b|windsurf|\bcline\b|\broo ?code|\bqwen\b"
TOOLS = r"AskUserQuestion|TodoWrite|SlashCommand|ExitPlanMode|WebFetch|\bTask tool\b|\bBash tool\b"
MACHINE = r"(?<![\w.<>~])/(?:home|Users|usr|tmp|root|etc|var|opt)/|[A-Z]:\\|~/|\$HOME"
TIME = r"\b20\d\d-\d\d(?:-\d\d)?\b|\b20[23]\d\b"


def _ids(text: Text) -> str:
    return text.name


def _front(text: Text) -> tuple[str, str]:
    _, front, body = text.text.split("---\n", 2)
    return front, body


def _fields() -> Iterator[str]:
    """The members of our JSON documents, and the words that some of them may hold."""

    def walk(node: object) -> Iterator[str]:
        if isinstance(node, dict):
            yield from node.get("properties", {})
            yield from (one for one in node.get("enum", ()) if isinstance(one, str))
            for value in node.values():
                yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)

    for path in SCHEMAS.glob("*.json"):
        yield from walk(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("text", ALL, ids=_ids)
def test_each_command_in_it_is_one_that_the_program_takes(text: Text) -> None:
    told = {command: skills.wrong_with(command) for command in skills.all_commands(text.text)}

    assert {command: wrong for command, wrong in told.items() if wrong} == {}


def test_the_workflows_name_commands_at_all() -> None:
    silent = [text.folder for text in WORKFLOWS if not skills.all_commands(text.text)]

    assert silent == ["rasen-retro"]


@pytest.mark.parametrize(
    "command",
    [
        "rasen approve x",
        "rasen task mark x 1",
        "rasen list --everything",
        "rasen archive a b",
        "rasen archive a --dry-run --agree",
        "rasen task done x",
        "rasen --loud list",
    ],
)
def test_a_command_that_does_not_exist_is_found(command: str) -> None:
    assert skills.wrong_with(command)


@pytest.mark.parametrize("text", ALL, ids=_ids)
def test_each_setting_that_it_asks_for_exists(text: Text) -> None:
    asked = [
        words[-1]
        for command in skills.all_commands(text.text)
        if (words := command.split())[1:2] == ["config"] and "get" in words[:-1]
    ]

    assert [name for name in asked if keys.find(name) is None] == []


@pytest.mark.parametrize("text", WORKFLOWS, ids=_ids)
def test_each_field_and_code_in_it_exists(text: Text) -> None:
    known = {*_fields(), *(one.code for one in (*errors(), *rules()))}
    looks_like_one = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:_[a-z]+)+")
    named = [one for one in skills.spans(text.text) if looks_like_one.fullmatch(one)]

    assert [one for one in named if one not in known and not one.startswith("test_")] == []


@pytest.mark.parametrize("text", WORKFLOWS, ids=_ids)
def test_it_says_which_of_its_commands_take_no_store(text: Text) -> None:
    asked = [*skills.fenced_commands(text.text), *skills.spans(text.text)]
    words = [c for c in asked if re.match(r"rasen (?!--|init|store)", c) and " " in c[6:]]
    refused = {
        f"rasen {c.split()[1]}" for c in words if "--store" in skills.wrong_with(f"{c} --store x")
    }

    told = skills.without_store(text.text)
    if "every command about changes and specs" in text.text:
        told |= {"rasen config", "rasen profile", "rasen update"}

    assert refused - told == set()


@pytest.mark.parametrize("text", ALL, ids=_ids)
def test_it_is_short(text: Text) -> None:
    lines = text.text.splitlines()

    assert len(lines) <= MOST_LINES
    assert text.text.endswith("\n")
    assert not text.text.endswith("\n\n")
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("what", [MACHINE, TIME, PLANNERS, TOOLS])
@pytest.mark.parametrize("text", ALL, ids=_ids)
def test_it_is_tied_to_no_machine_moment_or_other_program(text: Text, what: str) -> None:
    allowed = re.sub(r"no_openspec_root|\.openspec\.yaml", "", text.text)

    assert re.findall(what, allowed, re.IGNORECASE if what in (PLANNERS,) else 0) == []


@pytest.mark.parametrize("text", WORKFLOWS, ids=_ids)
def test_a_workflow_is_written_for_no_single_agent(text: Text) -> None:
    assert re.findall(AGENTS, text.text.replace("rasen-codex", ""), re.IGNORECASE) == []


@pytest.mark.parametrize("text", ALL, ids=_ids)
def test_it_refers_to_skills_and_files_that_exist(text: Text) -> None:
    available = {one.folder for one in (*ops.built_in(), *ops.always()) if one.is_available}
    named = set(re.findall(r"\brasen-[a-z]+(?:-[a-z]+)*\b", text.text))
    links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", text.text)
    [owner] = [one for one in (*ops.built_in(), *ops.always()) if one.folder == text.folder][:1]
    beside = {one.path for one in owner.load().sidecars}

    assert named - available == set()
    assert [link for link in links if link not in beside] == []


def test_core_skills_lean_on_nothing_that_core_lacks() -> None:
    """What may be missing is named with a word about it, or in the router's table."""
    here = {one.folder for one in ops.built_in() if one.is_core}
    here |= {one.folder for one in ops.always()}
    alone = []
    for text in WORKFLOWS:
        if text.folder in here - {"rasen-help", "rasen-retain"}:
            for paragraph in text.text.split("\n\n"):
                absent = set(re.findall(r"`(rasen-[a-z-]+)`", paragraph)) - here
                if absent and "is installed" not in paragraph.replace("\n", " "):
                    alone.append((text.folder, absent))

    assert alone == []


@pytest.mark.parametrize("text", HEADS, ids=_ids)
def test_front_matter_obeys_the_rules_for_agent_skills(text: Text) -> None:
    head = other_yaml.read(_front(text)[0])

    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["name"])
    assert head["name"] == text.folder
    assert len(head["name"]) <= 64
    assert 1 <= len(head["description"]) <= 1024
    assert not re.search(r"[<>\n]", head["description"])
    assert head.keys() <= {"name", "description", "disable-model-invocation"}
    assert head.get("disable-model-invocation", "true") == "true"


@pytest.mark.parametrize("text", HEADS, ids=_ids)
def test_another_yaml_reader_sees_what_ours_sees(text: Text) -> None:
    theirs = other_yaml.read(_front(text)[0])
    [owner] = [one for one in (*ops.built_in(), *ops.always()) if one.folder == text.folder][:1]
    ours = owner.load()

    assert (ours.name, ours.description) == (theirs["name"], theirs["description"])
    assert ours.is_user_invoked is ("disable-model-invocation" in theirs)
    assert ours.body.strip() == _front(text)[1].strip()


@pytest.mark.parametrize("text", HEADS, ids=_ids)
def test_a_workflow_says_when_to_use_it_and_what_is_forbidden(text: Text) -> None:
    if text.path.relative_to(skills.ASSETS).parts[0] != "workflows":
        return
    headings = re.findall(r"(?m)^## (.+)$", text.text)

    assert "Never" in headings
    assert "**Use it**" in text.text or text.folder in ("rasen-help", "rasen-retain")


@pytest.mark.requirement("RT-011")
def test_only_the_old_name_of_retention_waits_for_a_person_among_workflows() -> None:
    waiting = [
        one.folder
        for one in (*ops.built_in(), *ops.always())
        if one.is_available and one.kind is not Kind.EXPERT and one.load().is_user_invoked
    ]

    assert waiting == ["rasen-retro"]


def test_code_fences_and_tables_are_sound() -> None:
    wrong = []
    for text in ALL:
        marks = re.findall(r"(?m)^ *(```+)", text.text)
        if len(marks) % 2:
            wrong.append(text.name)
    assert wrong == []


def test_the_router_knows_every_skill_and_every_skill_only_once() -> None:
    [router] = [text for text in WORKFLOWS if text.folder == "rasen-help"]
    available = {one.folder for one in (*ops.built_in(), *ops.always()) if one.is_available}
    named = re.findall(r"`(rasen-[a-z-]+)`", router.text)

    assert available - set(named) == {"rasen-help", "rasen-retro"}
    assert sorted(named) == sorted(set(named))


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.id)
def test_each_agent_takes_each_skill_as_it_is_written_for_it(host: Host) -> None:
    wrong = []
    for one in {one.folder: one for one in (*ops.built_in(), *ops.always())}.values():
        if one.is_available:
            skill = one.load()
            wrong += check(host, skill)
            text = render(host, skill)[0].data.decode()
            head = other_yaml.read(text.split("---\n", 2)[1])
            if (head["name"], head["description"]) != (skill.name, skill.description):
                wrong.append(one.folder)

    assert wrong == []
