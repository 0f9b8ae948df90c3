"""Pipelines on the command line."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.packages import jcs, px2, px5
from tests.support.world import World

BUILT_IN = [
    "auto-decompose", "bug-fix", "full-feature", "goal-loop-evaluate", "goal-loop-measure",
    "goal-loop-research", "small-feature",
]  # fmt: skip
OURS = "name: ours\ndescription: Ours\nstages:\n- {id: a, skill: rasen-propose}\n"


def write(world: World, name: str, text: str) -> None:
    world.write(f"rasen/pipelines/{name}/pipeline.yaml", text)


def show(world: World, name: str, *words: str) -> Any:
    result = world.cli("pipeline", "show", name, "--json", *words)
    assert result.code == 0, result.json
    return fits("pipeline-show", result.json)


def test_our_own_are_listed_by_name(world: World) -> None:
    world.workspace()

    rows = fits("pipeline-list", world.cli("pipeline", "list", "--json").json)["pipelines"]

    assert [row["name"] for row in rows] == BUILT_IN
    assert {row["source"] for row in rows} == {"package"}
    told = world.cli("pipeline", "list").out
    assert [line.split()[0] for line in told.splitlines()] == BUILT_IN


@pytest.mark.requirement("PL-047")
def test_people_read_what_ours_are_for_in_their_language_and_programs_as_written(
    world: World,
) -> None:
    world.workspace()
    raw = world.cli("pipeline", "list", "--json").json
    chinese = {"RASEN_LANG": "zh-cn"}

    told = world.cli("pipeline", "list", env=chinese).out

    assert world.cli("pipeline", "list", "--json", env=chinese).json == raw
    assert [row["description"] for row in raw["pipelines"] if row["description"] in told] == []
    assert [line.split()[0] for line in told.splitlines()] == BUILT_IN


@pytest.mark.requirement("PL-010", "PL-011")
def test_a_higher_layer_hides_a_lower_one_and_what_is_broken_is_left_out(world: World) -> None:
    world.workspace()
    mine = world.data_dir / "pipelines"
    for name in ("ours", "bug-fix", "mine"):
        (mine / name).mkdir(parents=True)
        (mine / name / "pipeline.yaml").write_text(OURS.replace("ours", name), "utf-8")
    write(world, "ours", OURS)
    write(world, "broken", "stages: 3\n")

    rows = world.cli("pipeline", "list", "--json").json["pipelines"]

    found = {row["name"]: row["source"] for row in rows}
    assert (found["ours"], found["mine"], found["bug-fix"]) == ("project", "user", "user")
    assert "broken" not in found
    assert list(found) == sorted(found)
    for name in ("ours", "ours.yaml", "ours.yml"):
        assert show(world, name)["name"] == "ours"
    assert show(world, "bug-fix")["buildOrder"] == ["a"]


def test_every_built_in_pipeline_is_sound(world: World) -> None:
    world.workspace()

    for name in BUILT_IN:
        result = world.cli("pipeline", "validate", name, "--json")
        assert fits("pipeline-validate", result.json) == {
            "validation": {"valid": True, "kind": "installed", "name": name, "diagnostics": []},
            "status": [],
        }


@pytest.mark.requirement("PL-006", "RT-008")
def test_stages_come_in_the_order_in_which_they_are_built(world: World) -> None:
    world.workspace()

    document = show(world, "full-feature")

    assert document["buildOrder"] == [
        "office-hours", "propose", "apply", "benchmark", "cso", "design-review", "qa", "qa-only",
        "review", "review-loop", "ship", "retain", "archive",
    ]  # fmt: skip
    told = world.cli("pipeline", "show", "full-feature").out
    assert "1. office-hours: rasen-office-hours-command\n" in told
    assert "repeats as review-cycle, at most 3 rounds" in told


def test_the_small_way_is_what_large_work_falls_back_on(world: World) -> None:
    world.workspace()

    whole, small = show(world, "auto-decompose"), show(world, "small-feature")

    decompose, *rest = whole["stages"]
    assert (decompose["kind"], decompose["childPipeline"]) == ("decompose", "small-feature")
    assert (decompose["effectiveGate"], decompose["skill"]) == (False, None)
    rest[0] = {**rest[0], "requires": []}
    assert rest == small["stages"]


def test_settings_of_the_project_and_the_machine_count(world: World) -> None:
    world.workspace()
    world.write(
        "rasen/config.yaml",
        "schema: spec-driven\nautopilot: {gates: off}\npipelines:\n  bug-fix:\n"
        "    gates: {apply: on}\n    runtimes: {implementer: codex}\n",
    )
    assert world.cli("config", "set", "models.default", "fable").code == 0

    stages = {stage["id"]: stage for stage in show(world, "bug-fix")["stages"]}

    assert (stages["propose"]["effectiveGate"], stages["propose"]["gateSource"]) == (
        False,
        "autopilot-project",
    )
    assert stages["apply"]["gateSource"] == "stage-override-project"
    assert (stages["apply"]["runtime"], stages["apply"]["model"]) == ("codex", "fable")
    assert stages["ship"]["modelSource"] == "stage"
    told = world.cli("pipeline", "show", "bug-fix").out
    assert "does not wait for a yes (autopilot-project)" in told


@pytest.mark.requirement("PL-043")
def test_a_name_nobody_has(world: World) -> None:
    world.workspace()

    result = world.cli("pipeline", "show", "bug-fixes", "--json")

    assert result.code == 1
    assert fits("pipeline-show", result.json)["status"][0]["code"] == "pipeline_not_found"
    assert "bug-fix" in result.json["status"][0]["fix"]
    assert world.cli("pipeline", "show", "../bug-fix", "--json").json["status"][0]["code"] == (
        "pipeline_not_found"
    )


def test_a_broken_one_says_where(world: World) -> None:
    world.workspace()
    write(world, "ours", "name: ours\nstages:\n- {id: a, skill: s, gate: 3}\n")

    shown = world.cli("pipeline", "show", "ours", "--json")
    assert shown.json["status"][0]["code"] == "pipeline_invalid"
    assert "line 3: stages[0].gate" in shown.json["status"][0]["message"]
    result = world.cli("pipeline", "validate", "ours", "--json")
    assert result.code == 1
    assert fits("pipeline-validate", result.json)["validation"]["diagnostics"][0] == {
        "code": "pipeline_invalid",
        "severity": "error",
        "message": "stages[0].gate has to be true or false",
        "path": "stages[0].gate",
        "line": 3,
    }
    assert "pipeline validate ours" in world.cli("validate", "ours").err


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2\n", "\x00"])
def test_what_is_no_yaml_is_told_with_its_line(world: World, text: str) -> None:
    world.workspace()
    write(world, "ours", text)

    document = world.cli("pipeline", "validate", "ours", "--json").json

    assert document["validation"]["valid"] is False
    assert document["validation"]["diagnostics"][0]["code"] == "yaml_invalid"


def test_a_folder_is_checked_where_it_lies(world: World) -> None:
    world.workspace()
    world.write("draft/pipeline.yaml", OURS)

    for words in ("draft", "draft/pipeline.yaml"):
        document = world.cli("pipeline", "validate", words, "--json").json
        assert document["validation"]["kind"] == "directory"
        assert document["validation"]["valid"] is True


@pytest.mark.requirement("PL-012")
@pytest.mark.parametrize(
    ("child", "said"),
    [
        ("nowhere", "it does not exist"),
        ("auto-decompose", "which decomposes itself"),
        ("ours", "which decomposes itself"),
        ("broken", "it is invalid"),
    ],
)
def test_a_child_has_to_be_there_and_to_be_plain(world: World, child: str, said: str) -> None:
    world.workspace()
    write(world, "broken", "name: broken\nstages: []\n")
    write(
        world,
        "ours",
        f"name: ours\nstages:\n- {{id: a, kind: decompose, childPipeline: {child}}}\n",
    )

    document = world.cli("pipeline", "validate", "ours", "--json").json

    assert said in document["validation"]["diagnostics"][0]["message"]


@pytest.mark.requirement("PL-014", "PL-013")
def test_skills_have_to_exist_and_earlier_names_are_understood(world: World) -> None:
    world.workspace()
    write(
        world,
        "ours",
        "name: ours\nstages:\n- {id: a, skill: rasen-nothing}\n- {id: b, skill: 'rasen:propose'}\n",
    )

    found = world.cli("pipeline", "validate", "ours", "--json").json["validation"]["diagnostics"]

    assert [(one["code"], one["path"]) for one in found] == [
        ("pipeline_skill_unknown", "stages[0].skill"),
        ("pipeline_skill_legacy", "stages[1].skill"),
    ]
    assert world.cli("pipeline", "show", "ours", "--json").code == 0


@pytest.mark.requirement("PL-013", "PL-016", "PL-048")
def test_running_needs_every_skill_that_the_profile_leaves_in(world: World) -> None:
    world.workspace()
    world.write("rasen/config.yaml", "schema: spec-driven\nprofile: core\n")
    write(
        world,
        "ours",
        "name: ours\nstages:\n- {id: a, skill: rasen-ship}\n- {id: b, skill: rasen-qa}\n",
    )

    refused = world.cli("pipeline", "show", "ours", "--for-execution", "--json")
    assert refused.code == 1
    assert refused.json["status"][0]["code"] == "pipeline_skill_disabled"
    assert "rasen-ship" in refused.json["status"][0]["message"]
    assert "rasen-qa" not in refused.json["status"][0]["message"]
    world.write("rasen/config.yaml", "schema: spec-driven\nprofile: full\n")
    assert show(world, "ours", "--for-execution")["name"] == "ours"


@pytest.mark.requirement("PL-013")
def test_what_comes_later_is_not_blamed_on_the_profile(world: World) -> None:
    world.workspace()
    world.write("rasen/config.yaml", "schema: spec-driven\nprofile: full\n")

    refused = world.cli("pipeline", "show", "small-feature", "--for-execution", "--json")

    assert (refused.code, refused.error) == (1, "pipeline_skill_disabled")
    status = refused.json["status"][0]
    assert "calls rasen-review-cycle: it comes with a later version" in status["message"]
    assert "profile" not in status["message"] + status["fix"]
    assert show(world, "small-feature")["name"] == "small-feature"
    chinese = {"RASEN_LANG": "zh-cn"}
    told = world.cli("pipeline", "show", "small-feature", "--for-execution", env=chinese).err
    assert "rasen-review-cycle" in told
    assert "comes with" not in told


@pytest.mark.requirement("PL-016")
def test_what_was_sound_once_is_checked_again_before_it_runs(world: World) -> None:
    world.workspace()
    write(world, "ours", OURS)
    assert world.cli("pipeline", "validate", "ours").code == 0
    assert show(world, "ours", "--for-execution")

    write(world, "ours", OURS.replace("- {id: a,", "- {id: a, requires: [a],"))
    broken = world.cli("pipeline", "show", "ours", "--for-execution", "--json")
    write(world, "ours", OURS.replace("rasen-propose", "rasen-gone"))
    unknown = world.cli("pipeline", "show", "ours", "--for-execution", "--json")

    assert (broken.error, unknown.error) == ("pipeline_invalid", "pipeline_skill_unknown")


@pytest.mark.requirement("PL-014")
def test_earlier_names_do_not_run(world: World) -> None:
    world.workspace()
    write(world, "ours", "name: ours\nstages:\n- {id: a, skill: 'rasen:propose'}\n")

    refused = world.cli("pipeline", "show", "ours", "--for-execution", "--json").json

    assert refused["status"][0]["code"] == "pipeline_skill_unknown"


@pytest.mark.requirement("PL-015")
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("exit 0", None),
        ("exit 3", "pipeline_runtime_unavailable"),
        (None, "pipeline_runtime_unavailable"),
    ],
)
def test_codex_is_asked_when_a_stage_runs_there(
    world: World, script: str | None, code: str | None
) -> None:
    world.workspace()
    write(world, "ours", "name: ours\nstages:\n- {id: a, skill: rasen-propose, runtime: codex}\n")
    folder = world.path("programs")
    folder.mkdir()
    if script is not None:
        (folder / "codex").write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (folder / "codex").chmod(0o755)

    result = world.process(
        "pipeline", "show", "ours", "--for-execution", "--json", env={"PATH": str(folder)}
    )

    assert (result.code, result.json.get("status", [{}])[0].get("code")) == (
        (0, None) if code is None else (1, code)
    )


@pytest.mark.requirement("PL-015")
@pytest.mark.parametrize(
    ("mine", "childs", "asked"),
    [("claude", "claude", 0), ("claude", "codex", 1), ("codex", "codex", 1)],
    ids=["nobody needs it", "only the child", "both"],
)
def test_codex_is_asked_once_and_only_for_those_who_need_it(
    world: World, mine: str, childs: str, asked: int
) -> None:
    world.workspace()
    stage = "- {{id: {}, skill: rasen-propose, runtime: {}, requires: [{}]}}\n"
    write(world, "child", "name: child\nstages:\n" + stage.format("a", childs, ""))
    parts = "- {id: split, kind: decompose, childPipeline: child}\n"
    more = stage.format("a", mine, "split") + stage.format("b", mine, "a")
    write(world, "ours", f"name: ours\nstages:\n{parts}{more}")
    folder, log = world.path("programs"), world.path("asked")
    folder.mkdir()
    (folder / "codex").write_text(f'#!/bin/sh\necho "$@" >> {log}\n', "utf-8")
    (folder / "codex").chmod(0o755)
    env = {"PATH": str(folder)}

    result = world.process("pipeline", "show", "ours", "--for-execution", "--json", env=env)

    assert result.code == 0, result.out
    assert (log.read_text("utf-8") if log.exists() else "") == "--version\n" * asked


@pytest.mark.requirement("PL-015")
def test_the_skills_of_the_child_are_asked_for_too(world: World) -> None:
    world.workspace()
    write(world, "child", "name: child\nstages:\n- {id: a, skill: rasen-gone}\n")
    write(
        world,
        "ours",
        "name: ours\nstages:\n- {id: split, kind: decompose, childPipeline: child}\n",
    )

    refused = world.cli("pipeline", "show", "ours", "--for-execution", "--json")

    assert refused.error == "pipeline_skill_unknown"
    assert "rasen-gone" in refused.json["status"][0]["message"]


@pytest.mark.requirement("PL-041")
def test_a_suggestion_for_a_task(world: World) -> None:
    world.workspace()

    document = fits("pipeline-classify", world.cli("pipeline", "classify", "Fix it", "--json").json)

    assert document == {
        "suggested": "bug-fix",
        "matched": ["fix"],
        "available": BUILT_IN,
        "basis": "keyword",
    }
    assert world.cli("pipeline", "classify", "Longer loans").out.startswith("small-feature\n")


def test_the_checks_of_the_workspace_cover_what_people_wrote(world: World) -> None:
    world.workspace()
    write(world, "ours", OURS)
    write(world, "worse", "name: worse\nstages: []\n")

    document = fits("validate", world.cli("validate", "--all", "--json").json)

    assert [(item["type"], item["id"], item["valid"]) for item in document["items"]] == [
        ("pipeline", "ours", True),
        ("pipeline", "worse", False),
    ]
    assert document["summary"]["byType"]["pipeline"] == {"items": 2, "passed": 1, "failed": 1}
    one = world.cli("validate", "ours")
    assert (one.code, one.out) == (0, "Pipeline 'ours' is valid\n")
    assert world.cli("validate", "bug-fix").code == 0
    assert "--type pipeline" in world.cli("validate", "--pipelines").out


def test_a_change_wins_over_a_pipeline_of_its_name(world: World) -> None:
    world.workspace()
    write(world, "ours", OURS)
    world.write("rasen/changes/ours/proposal.md", "# x\n")

    document = world.cli("validate", "ours", "--json").json
    assert document["items"][0]["type"] == "change"
    asked = world.cli("validate", "ours", "--type", "pipeline", "--json").json
    assert asked["items"][0]["type"] == "pipeline"


def test_without_own_pipelines_a_full_check_does_not_speak_of_them(world: World) -> None:
    world.workspace()

    document = world.cli("validate", "--all", "--json").json

    assert list(document["summary"]["byType"]) == ["change", "spec"]


@pytest.mark.requirement("PK-008", "PK-102")
def test_a_package_of_pipelines_is_checked_like_one(world: World) -> None:
    world.path("good.rasenpkg").write_bytes(jcs(px5()))
    world.path("cut.rasenpkg").write_bytes(jcs(px5())[:-1])
    world.path("other.rasenpkg").write_bytes(jcs(px2()))

    def check(name: str) -> Any:
        result = world.cli("pipeline", "validate", name, "--json")
        found = fits("pipeline-validate", result.json)["validation"]
        assert result.code == (0 if found["valid"] else 1)
        return found

    assert check("good.rasenpkg") == {
        "valid": True,
        "kind": "package",
        "name": "nightly",
        "packageKind": "pipeline",
        "diagnostics": [],
    }
    assert [one["code"] for one in check("cut.rasenpkg")["diagnostics"]] == ["package_json_invalid"]
    assert [one["code"] for one in check("other.rasenpkg")["diagnostics"]] == [
        "package_kind_mismatch"
    ]
    missing = world.cli("pipeline", "validate", "nothing.rasenpkg", "--json")
    assert missing.error == "package_not_found"
    assert "is valid" in world.cli("pipeline", "validate", "good.rasenpkg").out
    assert "has issues" in world.cli("pipeline", "validate", "cut.rasenpkg").err
