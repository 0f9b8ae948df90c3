"""Records of member projects: strict, named after the project, roles only added."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.base.errors import ToolError
from rasen.stores import membership_file
from rasen.stores.membership_file import Adoption, Membership, Roles
from rasen.syntax import yaml

UID = "0b0e1d52-1111-4222-8333-444455556666"
FROZEN = Path(__file__).parents[1] / "frozen" / "store-project-record"
WHOLE = Membership(
    UID,
    Roles(planning=True),
    "shop",
    "git@host:shop.git",
    Adoption(("lending", "area/fines"), ("add-x",), "2026-01-31T12:00:00.000Z"),
    "knowledge/shop",
)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(WHOLE, id="everything"),
        pytest.param(Membership("shop", Roles(knowledge=True)), id="the least"),
        pytest.param(Membership("7", Roles()), id="a number as a name"),
    ],
)
def test_a_record_is_read_back(record: Membership) -> None:
    text = membership_file.render(record)
    file = f"/store/{record.project_id}.yaml"

    assert membership_file.parse(text, file=file) == record
    assert membership_file.render(membership_file.parse(text, file=file)) == text


def test_fields_have_a_fixed_order() -> None:
    keys = [
        line.split(":")[0]
        for line in membership_file.render(WHOLE).splitlines()
        if line[0].isalpha()
    ]

    assert keys == ["version", "projectId", "id", "remote", "roles", "adoption", "knowledgeBundle"]


@pytest.mark.parametrize("file", sorted(FROZEN.rglob("*.yaml")), ids=lambda path: path.parent.name)
def test_older_records_are_read(file: Path) -> None:
    text = file.read_text("utf-8")

    assert membership_file.render(membership_file.parse(text, file=str(file))) == text


def record(**changes: object) -> str:
    whole = {
        "version": 1,
        "projectId": "shop",
        "roles": {"planning": False, "knowledge": True},
        **changes,
    }
    return yaml.dump({key: value for key, value in whole.items() if value is not None})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("a: [\n", id="broken"),
        pytest.param(record(version=2), id="newer version"),
        pytest.param(record(version=True), id="version is a boolean"),
        pytest.param(record(roles=None), id="no roles"),
        pytest.param(record(roles={"planning": True}), id="a role is missing"),
        pytest.param(record(roles={"planning": "yes", "knowledge": True}), id="role is text"),
        pytest.param(record(projectId=None), id="no identity"),
        pytest.param(record(projectId="Not Kebab"), id="identity of another form"),
        pytest.param(record(projectId="nul"), id="identity is a device"),
        pytest.param(record(sourcePath="/work/shop"), id="a path of a machine"),
        pytest.param(record(knowledgeBundle="../x"), id="bundle leads out"),
        pytest.param(record(knowledgeBundle="/x"), id="bundle is absolute"),
        pytest.param(record(knowledgeBundle="c:/x"), id="bundle on a drive"),
        pytest.param(record(id="  "), id="blank name"),
        pytest.param(
            record(adoption={"specs": ["/work/x"], "changes": [], "adoptedAt": "t"}),
            id="an adopted path",
        ),
        pytest.param(
            record(adoption={"specs": [], "changes": [], "adoptedAt": "t", "sourcePath": "/w"}),
            id="a path in the adoption",
        ),
        pytest.param("projectId: a\nprojectId: b\n", id="duplicate key"),
    ],
)
def test_what_is_no_record_is_refused_with_its_file(text: str) -> None:
    with pytest.raises(ToolError) as refused:
        membership_file.parse(text, file="/store/shop.yaml")

    assert refused.value.code == "invalid_store_project_record"
    assert "/store/shop.yaml" in str(refused.value)


def test_a_name_that_differs_from_the_identity_makes_neither_count() -> None:
    with pytest.raises(ToolError) as refused:
        membership_file.parse(record(), file="/store/till.yaml")

    assert refused.value.code == "store_project_record_key_mismatch"
    assert "'shop'" in str(refused.value)


def test_an_identity_is_compared_trimmed_and_in_lower_case() -> None:
    text = record(projectId=f" {UID.upper()} ")

    assert membership_file.parse(text, file=f"{UID}.yaml").project_id == UID


@pytest.mark.parametrize(
    ("left", "right", "both"),
    [
        (Roles(), Roles(), Roles()),
        (Roles(planning=True), Roles(knowledge=True), Roles(planning=True, knowledge=True)),
        (Roles(planning=True), Roles(), Roles(planning=True)),
    ],
)
def test_merging_only_adds_roles(left: Roles, right: Roles, both: Roles) -> None:
    assert left.merged(right) == right.merged(left) == both


@pytest.mark.parametrize(
    ("project_id", "name"),
    [(UID.upper(), f"{UID}.yaml"), (" shop ", "shop.yaml"), ("com10", "com10.yaml")],
)
def test_a_record_is_named_after_its_project(project_id: str, name: str) -> None:
    assert membership_file.file_name(project_id) == name


@pytest.mark.parametrize("project_id", ["", "a/b", "..", "Aux", "com1", "a b", "ä", "a--b"])
def test_an_identity_that_is_no_portable_name_is_refused(project_id: str) -> None:
    with pytest.raises(ToolError) as refused:
        membership_file.file_name(project_id, file="c.yaml")

    assert refused.value.code == "project_identity_unrecordable"
    assert "c.yaml" in str(refused.value.fix_text.format(**refused.value.params))
