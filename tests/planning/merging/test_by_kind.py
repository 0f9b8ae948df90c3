"""Which merge a file of a store takes."""

from __future__ import annotations

import pytest

from rasen.planning.merging.by_kind import kind_of

MEMBER = ".rasen-store/projects/web.yaml"


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("rasen/specs/rental/spec.md", "requirements"),
        ("rasen/specs/rental/returns/spec.md", "requirements"),
        ("rasen/changes/hold/tasks.md", "tasks"),
        ("rasen/changes/archive/2026-01-31-hold/tasks.md", "tasks"),
        ("rasen/changes/hold/.openspec.yaml", "keys"),
        ("rasen/config.yaml", "keys"),
        (".rasen-store/store.yaml", "keys"),
        (MEMBER, "keys"),
        (".rasen-store/adoptions.yaml", "keys"),
        ("rasen/changes/hold/specs/rental/spec.md", None),
        ("rasen/changes/hold/proposal.md", None),
        ("specs/rental/spec.md", None),
        ("other/specs/rental/spec.md", None),
        ("README.md", None),
    ],
)
def test_kind(path: str, how: str | None) -> None:
    kind = kind_of(path, workspace="rasen")

    assert (None if kind is None else kind.how) == how


def record(**fields: str) -> str:
    lines = ["version: 1", "projectId: web", *(f"{key}: {value}" for key, value in fields.items())]
    return "\n".join(lines) + "\n"


def test_a_member_that_both_recorded_has_the_roles_of_both() -> None:
    kind = kind_of(MEMBER, workspace="rasen")
    assert kind is not None

    merged = kind.merge(
        "",
        record(id="web-shop", roles="{planning: true, knowledge: false}"),
        record(roles="{planning: false, knowledge: true}"),
    )

    assert merged.text is not None
    assert merged.text.splitlines()[2:] == [
        "id: web-shop",
        "roles:",
        "  planning: true",
        "  knowledge: true",
    ]


def test_two_names_for_one_member_are_shown() -> None:
    kind = kind_of(MEMBER, workspace="rasen")
    assert kind is not None

    merged = kind.merge(
        "",
        record(id="shop", roles="{planning: true, knowledge: false}"),
        record(id="web", roles="{planning: true, knowledge: false}"),
    )

    assert [clash.place for clash in merged.clashes] == ["id"]


def test_a_change_that_would_not_be_read_any_more_is_shown() -> None:
    kind = kind_of("rasen/changes/hold/.openspec.yaml", workspace="rasen")
    assert kind is not None

    merged = kind.merge("schema: a\ngoal: x\n", "schema: b\ngoal: x\n", "schema: c\ngoal: x\n")

    assert [clash.place for clash in merged.clashes] == ["schema"]
