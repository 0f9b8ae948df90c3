"""`rasen validate` as people and agents see it."""

from __future__ import annotations

import pytest
from tests.support.documents import fits
from tests.support.fixtures import (
    ADDED,
    CHANGE,
    FOLDER,
    HEAD,
    LOAN_PERIOD,
    RENEWALS,
    S1,
    STUDENT_LOANS,
    base_spec,
    change,
    desk,
)
from tests.support.stores import Stores
from tests.support.verdict import checked, codes
from tests.support.world import World

BROKEN = (
    "# x\n\n## Purpose\nAn overview that is long enough to be no reason for a warning at all.\n"
)
NO_SCENARIO = "### Requirement: Bare\nIt SHALL have a scenario.\n"


@pytest.fixture
def mixed(world: World) -> World:
    """A valid change, a broken one, a valid spec and a broken one."""
    desk(world)
    change(world, "nothing\n", name="broken")
    world.write("rasen/specs/fines/spec.md", BROKEN)
    return world


def test_document_of_a_bulk_run(mixed: World) -> None:
    result = mixed.cli("validate", "--all", "--json")

    document = fits("validate", result.json)
    assert result.code == 1
    assert list(document) == ["items", "summary", "version", "root"]
    shown = [(one["id"], one["type"], one["valid"]) for one in document["items"]]
    assert shown == [
        ("broken", "change", False),
        ("fines", "spec", False),
        ("lending", "spec", True),
        ("longer-loans", "change", True),
    ]
    assert document["summary"] == {
        "totals": {"items": 4, "passed": 2, "failed": 2},
        "byType": {
            "change": {"items": 2, "passed": 1, "failed": 1},
            "spec": {"items": 2, "passed": 1, "failed": 1},
        },
    }
    assert document["version"] == "1.0"
    assert list(document["items"][0]) == ["id", "type", "valid", "issues", "durationMs"]


@pytest.mark.parametrize(
    ("flags", "kinds"),
    [
        (("--all",), ["change", "spec"]),
        (("--changes",), ["change"]),
        (("--specs",), ["spec"]),
        (("--changes", "--specs"), ["change", "spec"]),
        (("--pipelines",), ["pipeline"]),
        (("--type", "pipeline"), ["pipeline"]),
        (("--specs", "--pipelines"), ["spec", "pipeline"]),
        (("--all", "some-name"), ["change", "spec"]),
    ],
    ids=str,
)
def test_only_the_kinds_asked_for_are_checked_and_counted(
    mixed: World, flags: tuple[str, ...], kinds: list[str]
) -> None:
    document = mixed.cli("validate", *flags, "--json").json

    assert list(document["summary"]["byType"]) == kinds
    found = sorted({one["type"] for one in document["items"]})
    assert found == [kind for kind in kinds if kind != "pipeline"]  # nobody has written one here


def test_text_of_a_bulk_run(mixed: World) -> None:
    result = mixed.cli("validate", "--all")

    assert result.code == 1
    assert result.out == (
        "✓ spec/lending\n"
        "✓ change/longer-loans\n"
        "Totals: 2 passed, 2 failed (4 items)\n"
        "Details: rasen validate broken --type change\n"
    )
    assert result.err == "✗ change/broken\n✗ spec/fines\n"


def test_a_bulk_run_without_failures_names_no_details(world: World) -> None:
    desk(world)

    result = world.cli("validate", "--all")

    assert (result.code, result.err) == (0, "")
    assert result.out.endswith("Totals: 2 passed, 0 failed (2 items)\n")


@pytest.mark.parametrize("flag", ["--all", "--changes", "--specs", "--pipelines"])
def test_nothing_to_check_is_said_and_no_failure(world: World, flag: str) -> None:
    world.workspace()

    told = world.cli("validate", flag)
    document = world.cli("validate", flag, "--json")

    assert (told.code, told.out.count("\n")) == (0, 1)
    assert document.code == 0
    assert fits("validate", document.json)["summary"]["totals"] == {
        "items": 0,
        "passed": 0,
        "failed": 0,
    }


@pytest.mark.parametrize("value", ["1", "64", "0", "-3", "many", ""])
def test_any_concurrency_is_accepted(world: World, value: str) -> None:
    desk(world)

    flag = world.cli("validate", "--all", f"--concurrency={value}", "--json")
    variable = world.cli("validate", "--all", "--json", env={"RASEN_CONCURRENCY": value})

    assert (flag.code, variable.code) == (0, 0)


def test_text_of_a_valid_item(world: World) -> None:
    desk(world)

    assert world.cli("validate", CHANGE).out == "Change 'longer-loans' is valid\n"
    assert world.cli("validate", "lending").out == "Specification 'lending' is valid\n"
    assert world.cli("validate", "lending").err == ""


def test_warnings_of_a_valid_item_are_told_on_stderr(world: World) -> None:
    base_spec(
        world,
        S1.replace(
            "Rules for lending books and other stock to members at the branch desk.", "Short."
        ),
    )

    result = world.cli("validate", "lending")

    assert (result.code, result.out) == (0, "Specification 'lending' is valid\n")
    assert result.err.startswith("⚠ [WARNING] overview: ")


def test_strict_lets_warnings_fail(world: World) -> None:
    base_spec(
        world,
        S1.replace(
            "Rules for lending books and other stock to members at the branch desk.", "Short."
        ),
    )

    result = world.cli("validate", "lending", "--strict", "--json")

    assert result.code == 1
    assert result.json["items"][0]["valid"] is False


def test_strict_lets_information_pass(world: World) -> None:
    desk(world, f"{ADDED}\n## Notes\nSome words that nobody merges.\n")

    item = checked(world, CHANGE, "--strict")

    assert item["valid"]
    assert [code for code, _ in codes(item, "INFO")] == ["delta_section_ignored"]


def test_text_of_an_invalid_change(world: World) -> None:
    desk(world, f"## ADDED Requirements\n\n{NO_SCENARIO}")

    result = world.cli("validate", CHANGE)

    assert (result.code, result.out) == (1, "")
    lines = result.err.splitlines()
    assert lines[0] == "Change 'longer-loans' has issues"
    assert lines[1].startswith("✗ [ERROR] lending/spec.md: ")
    steps = lines[lines.index("Next steps:") + 1 :]
    assert len(steps) == 3
    assert "rasen show longer-loans --json --deltas-only" in steps[2]


def test_text_of_an_invalid_spec(world: World) -> None:
    base_spec(world, f"{S1}\n{NO_SCENARIO}")

    lines = world.cli("validate", "lending").err.splitlines()

    assert lines[0] == "Specification 'lending' has issues"
    assert len(lines[lines.index("Next steps:") + 1 :]) == 3


def test_hints_carry_the_store(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team")
    stores.spec(root, "lending", "broken\n")
    stores.register("team", root)

    one = world.cli("validate", "lending", "--store", "team")
    everything = world.cli("validate", "--all", "--store", "team")
    nothing = world.cli("validate", "--store", "team")

    assert "rasen show lending --type spec --json --store team" in one.err
    assert "Details: rasen validate lending --type spec --store team" in everything.out
    assert "rasen validate --all --store team" in nothing.err


def test_the_two_findings_about_a_missing_scenario(world: World) -> None:
    base_spec(world, f"{HEAD}{NO_SCENARIO}")

    issues = world.cli("validate", "lending", "--json").json["items"][0]["issues"]

    assert [(one["level"], one["path"]) for one in issues] == [
        ("ERROR", "requirements.0.scenarios"),
        ("WARNING", "requirements[0].scenarios"),
    ]


def test_issues_have_code_and_fix(world: World) -> None:
    base_spec(world, f"{S1}\n## ADDED Requirements\n")

    issues = world.cli("validate", "lending", "--json").json["items"][0]["issues"]

    line = S1.count("\n") + 2
    assert issues == [
        {
            "level": "ERROR",
            "path": "file",
            "message": issues[0]["message"],
            "line": line,
            "code": "spec_delta_heading",
            "fix": issues[0]["fix"],
            "fixable": True,
        }
    ]


@pytest.mark.parametrize(
    ("body", "is_valid"),
    [
        ("The system does it.\n\nAnd it MUST be quick.", True),
        ("The system does it.\n```\nIt MUST be quick.\n```", False),
        ("The system must do it.", False),
        ("MUSTARD is served.", False),
        ("系统必须发送通知。", True),
        ("系统发送通知。", False),
        ("システムは通知を送らなければならない。", True),
    ],
    ids=[
        "second-line",
        "fenced",
        "lower-case",
        "part-of-a-word",
        "chinese",
        "chinese-without",
        "japanese",
    ],
)
def test_normative_words(world: World, body: str, is_valid: bool) -> None:
    desk(world, ADDED.replace("The system SHALL grant students 42 days.", body))

    assert checked(world)["valid"] is is_valid


def test_a_scaffolded_change_is_found_by_its_folder(world: World) -> None:
    world.workspace()
    world.write("rasen/changes/empty/.openspec.yaml", "schema: spec-driven\n")

    item = checked(world, "empty")

    assert codes(item) == [("change_deltas_missing", None)]
    assert item["issues"][0]["path"] == "file"


def test_the_proposal_is_not_judged(world: World) -> None:
    desk(world)
    world.write(f"{FOLDER}/proposal.md", "not much\n")

    assert checked(world)["issues"] == []


def test_a_change_that_touches_no_spec_can_say_so(world: World) -> None:
    world.workspace()
    world.write("rasen/changes/quiet/.openspec.yaml", "schema: spec-driven\nskip_specs: true\n")

    item = checked(world, "quiet")

    assert item["valid"]
    assert codes(item, "INFO") == [("change_specs_skipped", None)]


@pytest.mark.parametrize(
    ("tasks", "found"),
    [
        ("## 1. Desk\n- [ ] 2.1 a\n", [("task_group_mismatch", 2)]),
        ("## 1. Desk\n- [ ] 1.1 a\n- [ ] 1.1 b\n", [("task_number_duplicate", 3)]),
        ("## 1. Desk\n- [ ] 1.1 a\n- [ ] 1.1.1 b\n", []),
    ],
    ids=["group", "duplicate", "nested"],
)
def test_task_numbers_are_warned_about(
    world: World, tasks: str, found: list[tuple[str, int]]
) -> None:
    base_spec(world)
    change(world, tasks=tasks)

    item = checked(world)

    assert codes(item, "WARNING") == found
    assert {one["path"] for one in item["issues"]} <= {"tasks.md"}


def test_no_item_and_no_person_is_a_hint(world: World) -> None:
    desk(world)

    told = world.cli("validate")
    document = world.cli("validate", "--json")

    assert (told.code, told.out) == (1, "")
    assert "rasen validate --all" in told.err
    assert (document.code, document.error, document.err) == (1, "validate_error", "")


@pytest.mark.parametrize(
    ("answers", "out"),
    [
        ("1\n", "Totals: 2 passed, 0 failed (2 items)"),
        ("3\n", "Totals: 1 passed, 0 failed (1 items)"),
        ("4\n1\n1\n", "Change 'longer-loans' is valid"),
    ],
    ids=["all", "specs", "one"],
)
def test_a_person_picks(world: World, answers: str, out: str) -> None:
    desk(world)

    result = world.cli("--no-color", "validate", tty=True, input=answers)

    assert result.code == 0
    assert out in result.out


def test_a_person_who_declines_has_checked_nothing(world: World) -> None:
    desk(world)

    assert world.cli("validate", tty=True, input="\n").code == 1


def test_no_interactive_never_asks(world: World) -> None:
    desk(world)

    result = world.cli("validate", "--no-interactive", tty=True, input="1\n")

    assert result.code == 1
    assert "Totals" not in result.out


def test_both_halves_of_a_swap_of_names_are_one_verdict(world: World) -> None:
    desk(world, f"## MODIFIED Requirements\n\n{LOAN_PERIOD}\n## REMOVED Requirements\n\n{RENEWALS}")

    item = checked(world)

    assert item["valid"]
    assert world.cli("archive", CHANGE, "--yes").code == 0


def test_an_unreadable_spec_does_not_stop_the_run(world: World) -> None:
    desk(world)
    world.write("rasen/specs/latin/spec.md", S1.encode() + b"caf\xe9\n")

    result = world.cli("validate", "--all", "--json")

    item = next(one for one in result.json["items"] if one["id"] == "latin")
    assert result.code == 1
    assert [(one["path"], one["code"]) for one in item["issues"]] == [("file", "item_unreadable")]
    assert f"line {S1.count(chr(10)) + 1}" in item["issues"][0]["message"]
    assert len(result.json["items"]) == 3


def test_items_are_sorted_by_code_point(world: World) -> None:
    world.workspace()
    for name in ("b", "B", "a", "é", "1"):
        world.write(f"rasen/specs/{name}/spec.md", S1)

    items = world.cli("validate", "--specs", "--json").json["items"]

    assert [one["id"] for one in items] == ["1", "B", "a", "b", "é"]


def test_the_same_in_a_real_process(mixed: World) -> None:
    result = mixed.process("validate", "--all")

    assert result.code == 1
    assert result.out == mixed.cli("validate", "--all").out


def test_a_second_requirement_of_that_name_is_an_error(world: World) -> None:
    base_spec(world, f"{S1}\n{STUDENT_LOANS}\n{STUDENT_LOANS}")

    issues = world.cli("validate", "lending", "--json").json["items"][0]["issues"]

    assert [one["code"] for one in issues] == ["spec_requirement_duplicate"]
