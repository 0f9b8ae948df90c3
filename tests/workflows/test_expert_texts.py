"""What holds for the text of every expert, beside what holds for every skill."""

from __future__ import annotations

import re

import pytest
from tests.support.skills import blocks

from rasen.workflows import ops, references
from rasen.workflows.model import Definition

EXPERTS = ops.experts()
BY_HAND = ("careful", "freeze", "unfreeze", "guard", "navigator")


def _ids(one: Definition) -> str:
    return one.id


@pytest.mark.requirement("WF-054", "WF-055")
@pytest.mark.parametrize("expert", EXPERTS, ids=_ids)
def test_it_refers_to_its_files_as_we_ask_of_authors(expert: Definition) -> None:
    skill = expert.load()

    named = {one.text for one in references.sidecars(skill.body)}

    assert named - {one.path for one in skill.sidecars} == set()


@pytest.mark.parametrize("expert", EXPERTS, ids=_ids)
def test_no_file_lies_beside_it_for_nothing(expert: Definition) -> None:
    skill = expert.load()
    words = skill.body + "".join(
        one.data.decode() for one in skill.sidecars if one.path.endswith(".md")
    )

    assert [one.path for one in skill.sidecars if one.path not in words] == []


@pytest.mark.requirement("WF-056", "WF-057")
@pytest.mark.parametrize("expert", EXPERTS, ids=_ids)
def test_what_we_warn_authors_about_is_not_in_it(expert: Definition) -> None:
    body = expert.load().body

    assert not [*references.placeholders(body), *references.machine_paths(body)]
    assert not [*references.old_names(body)]


@pytest.mark.parametrize("id", BY_HAND)
def test_a_protection_is_put_up_by_people_alone(id: str) -> None:
    [expert] = [one for one in EXPERTS if one.id == id]

    assert expert.load().is_user_invoked


@pytest.mark.parametrize("expert", EXPERTS, ids=_ids)
def test_its_shell_lines_run_files_beside_it_by_a_path_from_there(expert: Definition) -> None:
    skill = expert.load()
    run = {
        path
        for kind, lines in blocks(skill.body)
        if kind == "bash"
        for line in lines
        for path in re.findall(r"(?<![\w/])(?:bin|scripts)/[\w.-]+", line)
    }

    assert run - {one.path for one in skill.sidecars} == set()
