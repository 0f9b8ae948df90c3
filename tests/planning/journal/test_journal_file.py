"""The journals of archives and syncs: exact texts, round trips, what is refused, what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.files.atomic import ABSENT
from rasen.planning.journal import journal_file
from rasen.planning.journal.journal_file import parse, parse_syncs, render, render_syncs
from rasen.planning.journal.model import (
    ARCHIVE,
    SYNC,
    ArchiveJournalInvalid,
    Commit,
    Record,
    RequirementStep,
    SpecStep,
)
from rasen.planning.merging.model import Counts

SCHEMA = json.loads(
    Path(journal_file.__file__).with_name("journal_file.v1.schema.json").read_text()
)
FROZEN = Path(__file__).parents[2] / "frozen" / "archive-journal" / "v1"
STEPS = (RequirementStep("ADDED", "New"), RequirementStep("RENAMED", "B", former="A"))


def record(
    before: str | None = "one\r\n", after: str | None = "one\r\ntwo\n", **more: Any
) -> Record:
    spec = SpecStep("area/lending", before, after, Counts(1, 0, 0, 1), STEPS)
    fields: dict[str, Any] = {
        "kind": ARCHIVE,
        "id": "1",
        "change": "better",
        "at": "2026-01-31T12:00:00.000Z",
        "program": "0.2.0",
        "specs": (spec,),
        "archived_as": "2026-01-31-better",
        "destination": "in-repo",
    }
    return Record(**{**fields, **more})


def sync(number: str) -> Record:
    spec = SpecStep("lending", None, "new\n", Counts(1), (), delta="## ADDED Requirements\n")
    return record(kind=SYNC, id=number, specs=(spec,), archived_as=None, destination=None)


def without_source(one: Record) -> Record:
    fields = {name: getattr(one, name) for name in one.__dataclass_fields__}
    return Record(**{**fields, "source": None})


def changed(**more: Any) -> str:
    return json.dumps({**json.loads(render(record())), **more})


RECORDS = {
    "changed": record(),
    "new": record(before=None),
    "gone": record(after=None),
    "same": record(after="one\r\n"),
    "shorter": record(before="abcabc", after="abc"),
    "byte-order mark": record(before="\ufeffa\r\nb\n", after="\ufeffa\r\nc\n"),
    "with metadata": record(metadata=("schema: a\n", "schema: a\nquality: 1\n")),
    "pruned": record(destination="prune", deleted_at=Commit("a" * 40, "rasen/changes/better")),
    "nothing done": record(specs=()),
}


@pytest.mark.parametrize("one", RECORDS.values(), ids=RECORDS)
def test_a_record_is_read_back(one: Record) -> None:
    text = render(one)

    assert without_source(parse(text, file="j")) == one
    assert render(parse(text, file="j")) == text
    jsonschema_rs.validate(SCHEMA, json.loads(text))


def test_syncs_are_read_back_in_order() -> None:
    text = render_syncs([sync("1"), sync("2")])

    assert [without_source(one) for one in parse_syncs(text, file="j")] == [sync("1"), sync("2")]
    jsonschema_rs.validate(SCHEMA, json.loads(text))


@given(before=st.text() | st.none(), after=st.text() | st.none())
def test_any_two_texts_are_kept_exactly(before: str | None, after: str | None) -> None:
    step = parse(render(record(before, after)), file="j").specs[0]

    assert (step.before, step.after) == (before, after)


def test_a_text_after_is_stored_as_what_differs() -> None:
    before = "a" * 1000 + "old" + "b" * 1000

    text = render(record(before, before.replace("old", "new")))

    assert json.loads(text)["specs"][0]["after"]["text"] == "new"
    assert len(text) < 3000


def test_a_spec_that_is_gone_has_no_text() -> None:
    after = json.loads(render(record(after=None)))["specs"][0]["after"]

    assert after == {"digest": ABSENT, "text": None}


def test_unknown_keys_are_kept() -> None:
    text = changed(later={"key": [1]})

    assert json.loads(render(parse(text, file="j")))["later"] == {"key": [1]}


def test_unknown_keys_of_syncs_are_kept_when_one_is_added() -> None:
    old = json.loads(render_syncs([sync("1")]))
    old["later"], old["syncs"][0]["mine"] = 1, 2
    former = json.dumps(old)

    new = json.loads(render_syncs([*parse_syncs(former, file="j"), sync("2")], former=former))

    assert new["later"] == 1
    assert [one.get("mine") for one in new["syncs"]] == [2, None]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        pytest.param("", "JSON", id="empty"),
        pytest.param("[]", "mapping", id="list"),
        pytest.param("{}", "version", id="no version"),
        pytest.param(changed(version=2), "newer", id="newer version"),
        pytest.param(changed(version=True), "version", id="version is a boolean"),
        pytest.param(changed(version=0), "version", id="version zero"),
        pytest.param(changed(kind="sync"), "kind", id="another kind"),
        pytest.param(changed(change=""), "change", id="empty change"),
        pytest.param(changed(archivedAs=None), "archivedAs", id="no archived name"),
        pytest.param(changed(at=5), "at", id="time is a number"),
        pytest.param(changed(specs={}), "specs", id="specs are no list"),
        pytest.param(changed(specs=[1]), "specs", id="spec is no mapping"),
        pytest.param(changed(specs=[{}]), "before", id="spec is empty"),
        pytest.param(changed(metadata=1), "metadata", id="metadata is a number"),
        pytest.param(changed(git={"commit": 1}), "commit", id="commit is a number"),
    ],
)
def test_what_is_no_journal_is_refused(text: str, word: str) -> None:
    with pytest.raises(ArchiveJournalInvalid) as refused:
        parse(text, file="that/.archive.json")

    assert refused.value.code == "journal_invalid"
    assert "that/.archive.json" in str(refused.value)
    assert word in str(refused.value)


@pytest.mark.parametrize(
    ("side", "value"),
    [
        ("before", {"text": "other"}),
        ("before", {"digest": "sha256:0"}),
        ("before", {"text": None}),
        ("after", {"text": "other"}),
        ("after", {"head": 99}),
        ("after", {"head": -1}),
        ("after", {"tail": True}),
    ],
)
def test_a_text_that_does_not_fit_its_digest_is_refused(side: str, value: Any) -> None:
    row = json.loads(render(record()))
    row["specs"][0][side] |= value

    with pytest.raises(ArchiveJournalInvalid):
        parse(json.dumps(row), file="j")


@pytest.mark.parametrize("key", ["operation", "name", "from"])
def test_a_requirement_of_another_form_is_refused(key: str) -> None:
    row = json.loads(render(record()))
    row["specs"][0]["requirements"][1][key] = 5

    with pytest.raises(ArchiveJournalInvalid):
        parse(json.dumps(row), file="j")


def test_old_journals_load_for_ever() -> None:
    archived = parse((FROZEN / "archive.json").read_text("utf-8"), file="j")
    syncs = parse_syncs((FROZEN / "sync.json").read_text("utf-8"), file="j")

    assert [one.capability for one in archived.specs] == ["fines", "lending", "old"]
    assert archived.metadata is not None
    assert [one.change for one in syncs] == ["better"]
    for name in ("archive.json", "sync.json"):
        jsonschema_rs.validate(SCHEMA, json.loads((FROZEN / name).read_text("utf-8")))
