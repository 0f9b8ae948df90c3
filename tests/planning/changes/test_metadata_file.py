"""What a change says about itself, read and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.planning.changes import metadata_file
from rasen.planning.changes.metadata_file import Metadata, MetadataInvalid
from rasen.syntax.yaml import YamlInvalid

FULL = """\
# why we do this
schema: "team-flow"   # ours
created: '2026-01-31'
goal: Lend longer
affected_areas: [loans, desk]
initiative: {store: team, id: longer-loans}
quality: {files: [a-review.md]}
skip_specs: true
retire_capabilities: false
later: {kept: 1}
"""


def parse(text: str) -> Metadata:
    return metadata_file.parse(text, file="c/.openspec.yaml")


def test_every_field_is_read_and_unknown_keys_are_tolerated() -> None:
    assert parse(FULL) == Metadata(
        schema="team-flow",
        created="2026-01-31",
        goal="Lend longer",
        affected_areas=("loans", "desk"),
        initiative=("team", "longer-loans"),
        quality={"files": ["a-review.md"]},
        skip_specs=True,
    )


@pytest.mark.parametrize(
    "text",
    [
        "schema: spec-driven\ncreated: 2026-01-31\n",
        "schema: spec-driven\r\ncreated: 2026-01-31\r\n",
        "\ufeffschema: spec-driven\ncreated: 2026-01-31\n",
        "schema: spec-driven\ncreated: 2026-01-31",
    ],
    ids=["usual", "crlf", "bom", "no-final-newline"],
)
def test_usual_files(text: str) -> None:
    assert parse(text) == Metadata("spec-driven", "2026-01-31")


@pytest.mark.parametrize(
    ("text", "line", "place"),
    [
        ("", 1, "the file"),
        ("- a\n", 1, "the file"),
        ("created: 2026-01-31\n", 1, "schema"),
        ("schema:\n", 1, "schema"),
        ("schema: 7\n", 1, "schema"),
        ("schema: ' '\n", 1, "schema"),
        ("schema: a\ncreated: tomorrow\n", 2, "created"),
        ("schema: a\ncreated: 2026-1-3\n", 2, "created"),
        ("schema: a\ngoal: ''\n", 2, "goal"),
        ("schema: a\n\naffected_areas:\n  - x\n  - ''\n", 5, "affected_areas.1"),
        ("schema: a\naffected_areas: x\n", 2, "affected_areas"),
        ("schema: a\ninitiative: {store: team}\n", 2, "initiative"),
        ("schema: a\ninitiative: {store: team, id: x, more: y}\n", 2, "initiative"),
        ("schema: a\ninitiative: {store: Team, id: x}\n", 2, "initiative.store"),
        ("schema: a\nskip_specs: yes\n", 2, "skip_specs"),
        ("schema: a\nretire_capabilities: 1\n", 2, "retire_capabilities"),
        ("schema: a\nquality: good\n", 2, "quality"),
        ("schema: a\nbase: 1234567\n", 2, "base"),
        ("schema: a\nbase:\n  commit: HEAD\n", 3, "base.commit"),
        ("schema: a\nbase:\n  commit: abc123\n", 3, "base.commit"),
        (f"schema: a\nbase:\n  commit: {'a' * 65}\n", 3, "base.commit"),
        ("schema: a\nbase:\n  commit: 12345678\n", 3, "base.commit"),
    ],
)
def test_wrong_shapes_name_file_line_and_place(text: str, line: int, place: str) -> None:
    with pytest.raises(MetadataInvalid) as caught:
        parse(text)

    assert (caught.value.params["line"], caught.value.params["place"]) == (line, place)
    assert "c/.openspec.yaml" in str(caught.value)


@pytest.mark.parametrize("text", ["schema: [", "schema: a\nschema: b\n"], ids=["broken", "twice"])
def test_broken_yaml_is_refused(text: str) -> None:
    with pytest.raises(YamlInvalid):
        parse(text)


_texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1).filter(
    lambda text: text.strip() == text
)


@given(
    st.builds(
        Metadata,
        schema=st.one_of(st.sampled_from(["spec-driven", "null", "true", "1e3"]), _texts),
        created=st.one_of(st.none(), st.dates().map(lambda day: day.isoformat())),
        goal=st.one_of(st.none(), _texts),
        affected_areas=st.lists(_texts, max_size=3).map(tuple),
        initiative=st.one_of(st.none(), st.just(("team", "an-id"))),
        quality=st.one_of(st.none(), st.just({"files": ["a.md"], "metrics": {"a.md": 2}})),
        skip_specs=st.booleans(),
        retire_capabilities=st.booleans(),
        lane=st.none() | st.sampled_from(["note", "light", "full"]),
        base_commit=st.none() | st.text("0123456789abcdef", min_size=7, max_size=64),
    )
)
def test_what_is_written_reads_the_same(metadata: Metadata) -> None:
    assert parse(metadata_file.render(metadata)) == metadata


def test_new_files_look_as_published() -> None:
    assert metadata_file.render(Metadata("spec-driven", "2026-01-31", goal="Lend: longer")) == (
        'schema: spec-driven\ncreated: 2026-01-31\ngoal: "Lend: longer"\n'
    )


def test_a_base_may_hold_more_than_we_know() -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"

    assert parse(f"schema: a\nbase:\n  commit: {commit}\n  later: 1\n").base_commit == commit
    assert parse("schema: a\nbase: {later: 1}\n").base_commit is None


def test_edits_keep_comments_unknown_keys_and_layout() -> None:
    edited = metadata_file.edited(FULL, {"quality": {"files": ["b.md"]}}, file="x")

    assert parse(edited).quality == {"files": ["b.md"]}
    for line in FULL.splitlines():
        if not line.startswith("quality"):
            assert line in edited.splitlines()
