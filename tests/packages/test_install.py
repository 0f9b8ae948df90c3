"""Importing packages and folders: what is installed, what is refused, and what is left as it was."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.support.packages import (
    TEAM_RELEASE,
    entry,
    envelope,
    jcs,
    px2,
    px4,
    px5,
    signing_key,
    workflow_files,
)
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.files.lock import hold
from rasen.packages import ops
from rasen.workflows import ops as workflows
from rasen.workflows import registry


@pytest.fixture
def ctx(world: World) -> Context:
    return world.context()  # type: ignore[no-any-return]


def put(world: World, package: dict[str, Any] | bytes, name: str = "x.rasenpkg") -> str:
    data = package if isinstance(package, bytes) else jcs(package)
    (world.root / name).write_bytes(data)
    return name


def folder(world: World, name: str, files: dict[str, bytes]) -> str:
    for path, data in files.items():
        place = world.root / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return name


def package(
    *names: str, roots: list[str] | None = None, **files: dict[str, bytes]
) -> dict[str, Any]:
    made = [entry(name, files.get(name) or workflow_files(name)) for name in names]
    return envelope("workflow", list(names) if roots is None else roots, workflows=made)


def installed(world: World, name: str) -> dict[str, bytes]:
    root = world.data_dir / "workflows" / name
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def refused(ctx: Context, source: str) -> ToolError:
    with pytest.raises(ToolError) as caught:
        ops.import_workflows(ctx, source)
    assert str(caught.value)
    return caught.value


@pytest.mark.requirement("PK-080", "PK-084", "PK-085", "PK-101", "WF-004", "WC-004")
def test_a_package_becomes_workflows(world: World, ctx: Context) -> None:
    done = ops.import_workflows(ctx, put(world, px2()))

    assert done.to_json() == {
        "imported": ["team-release"],
        "reused": [],
        "roots": ["team-release"],
    }
    assert installed(world, "team-release") == TEAM_RELEASE
    assert workflows.catalogue(ctx).find("team-release") is not None
    modes = {
        stat.S_IMODE(path.stat().st_mode)
        for path in (world.data_dir / "workflows").rglob("*")
        if path.is_file()
    }
    assert modes == {0o600}
    assert sorted(one.name for one in world.data_dir.iterdir()) == ["workflows"]


@pytest.mark.requirement("WC-004")
def test_a_folder_becomes_a_workflow(world: World, ctx: Context) -> None:
    done = ops.import_workflows(ctx, folder(world, "team-release", dict(TEAM_RELEASE)))

    assert done.imported == ("team-release",)
    assert installed(world, "team-release") == TEAM_RELEASE


@pytest.mark.requirement("WF-012", "PK-081")
def test_the_same_content_again_is_reused(world: World, ctx: Context) -> None:
    ops.import_workflows(ctx, put(world, px2()))
    place = world.data_dir / "workflows" / "team-release"
    before = place.stat().st_ino

    again = ops.import_workflows(ctx, "x.rasenpkg")
    from_folder = ops.import_workflows(ctx, folder(world, "team-release", dict(TEAM_RELEASE)))

    for done in (again, from_folder):
        assert done.to_json() == {
            "imported": [],
            "reused": ["team-release"],
            "roots": ["team-release"],
        }
    assert place.stat().st_ino == before


@pytest.mark.requirement("WF-013", "PK-082", "PK-106")
def test_other_content_of_an_installed_id_is_refused(world: World, ctx: Context) -> None:
    ops.import_workflows(ctx, put(world, package("a")))
    before = snapshot(world.data_dir)
    other = workflow_files("a", more={"references/x.md": b"more"})

    refusal = refused(ctx, put(world, package("a", "b", a=other), "y.rasenpkg"))

    assert refusal.code == "workflow_digest_conflict"
    assert snapshot(world.data_dir) == before


@pytest.mark.requirement("WF-013")
def test_what_stands_in_the_place_of_a_workflow_is_never_replaced(
    world: World, ctx: Context
) -> None:
    place = world.data_dir / "workflows" / "a"
    place.mkdir(parents=True)
    (place / "mine.txt").write_text("mine")

    assert refused(ctx, put(world, package("a"))).code == "workflow_digest_conflict"
    assert (place / "mine.txt").read_text() == "mine"


def _skill(name: str, skill: str) -> dict[str, bytes]:
    files = workflow_files(name)
    files["SKILL.md"] = files["SKILL.md"].replace(
        f"name: {name}".encode(), f"name: {skill}".encode()
    )
    return files


@pytest.mark.requirement("PK-082", "WF-010", "WF-011")
@pytest.mark.parametrize(
    ("made", "code"),
    [
        (package("propose"), "builtin_collision"),
        (package("a", a=_skill("a", "rasen-review")), "expert_skill_collision"),
        (package("a", a=_skill("a", "rasen-propose")), "skill_name_collision"),
        (package("a", a=_skill("a", "rasen-retain")), "skill_name_collision"),
        (package("a", "b", a=_skill("a", "same"), b=_skill("b", "same")), "skill_name_collision"),
    ],
    ids=["built-in", "expert", "built-in skill", "runner", "each other"],
)
def test_what_belongs_to_others_is_not_taken(
    world: World, ctx: Context, made: dict[str, Any], code: str
) -> None:
    assert refused(ctx, put(world, made)).code == code
    assert not (world.data_dir / "workflows").exists()


@pytest.mark.requirement("PK-082", "WF-011")
def test_a_skill_name_stays_with_the_workflow_that_has_it(world: World, ctx: Context) -> None:
    ops.import_workflows(ctx, put(world, package("z", z=_skill("z", "mine"))))

    refusal = refused(ctx, put(world, package("a", a=_skill("a", "mine")), "y"))

    assert refusal.code == "skill_name_collision"
    assert refusal.params["owner"] == "z"
    assert workflows.catalogue(ctx).invalid == ()


@pytest.mark.requirement("PK-082", "WF-040", "WF-041")
def test_what_a_workflow_requires_has_to_be_there(world: World, ctx: Context) -> None:
    needs_workflow = folder(world, "a", workflow_files("a", requires=["nobody"]))
    files = workflow_files("b")
    files["workflow.yaml"] += b"requires:\n  skills: [rasen-nobody]\n"
    circle = [
        entry("c", workflow_files("c", requires=["d"])),
        entry("d", workflow_files("d", requires=["c"])),
    ]

    assert refused(ctx, needs_workflow).code == "workflow_dependency_missing"
    assert refused(ctx, folder(world, "b", files)).code == "skill_dependency_missing"
    made = envelope("workflow", ["c"], workflows=circle)
    assert refused(ctx, put(world, made)).code == "workflow_dependency_cycle"
    assert not (world.data_dir / "workflows").exists()


@pytest.mark.requirement("WF-040", "PK-081")
def test_what_is_installed_serves_what_comes_later(world: World, ctx: Context) -> None:
    ops.import_workflows(ctx, put(world, package("base")))
    needing = workflow_files("top", requires=["base"])
    made = package("base", "top", roots=["top"], top=needing)

    done = ops.import_workflows(ctx, put(world, made, "y"))

    assert done.to_json() == {"imported": ["top"], "reused": ["base"], "roots": ["top"]}


@pytest.mark.requirement("WF-043")
def test_pipelines_and_schemas_are_asked_for(world: World, ctx: Context) -> None:
    files = workflow_files("a")
    files["workflow.yaml"] += b"requires:\n  pipelines: [ours]\n"
    source = put(world, package("a", a=files))
    here = workflows.Known(lambda name: name == "theirs", lambda _: True)

    with pytest.raises(ToolError) as caught:
        ops.import_workflows(ctx, source, here)

    assert caught.value.code == "pipeline_dependency_missing"


@pytest.mark.requirement("PK-086", "WF-063", "PK-102")
def test_what_decodes_is_still_judged_as_a_workflow(world: World, ctx: Context) -> None:
    marked = workflow_files("a", more={"references/x.md": "\ufeffx".encode()})
    undeclared = {**workflow_files("a"), "extra.md": b"x"}

    first = refused(ctx, put(world, package("a", a=marked)))
    second = refused(ctx, put(world, package("a", a=undeclared)))

    assert first.code == second.code == "packaged_workflow_invalid"
    assert first.params["codes"] == ["utf8_bom_forbidden"]
    assert second.params["codes"] == ["file_not_declared"]
    assert not world.data_dir.exists()


@pytest.mark.requirement("WC-017")
def test_sources_that_are_none(world: World, ctx: Context) -> None:
    put(world, px2())
    (world.root / "link").symlink_to("x.rasenpkg")
    os.mkfifo(world.root / "pipe")
    invalid = folder(world, "a", {"workflow.yaml": b"version: 1\nid: b\n"})

    assert refused(ctx, "nothing").code == "import_source_not_found"
    assert refused(ctx, "x.rasenpkg/more").code == "import_source_not_found"
    assert refused(ctx, "link").code == "import_source_invalid"
    assert refused(ctx, "pipe").code == "import_source_invalid"
    refusal = refused(ctx, invalid)
    assert refusal.code == "workflow_invalid"
    assert "skill_missing" in refusal.params["codes"]  # type: ignore[operator]


@pytest.mark.requirement("PK-048", "PK-087")
def test_package_files_that_are_none(world: World, ctx: Context) -> None:
    def loaded(name: str) -> str:
        with pytest.raises(ToolError) as caught:
            ops.load(world.root / name)
        return caught.value.code

    (world.root / "folder").mkdir()
    put(world, px2())
    (world.root / "link").symlink_to("x.rasenpkg")
    with (world.root / "large").open("wb") as file:
        file.truncate(16 * 1024 * 1024 + 1)

    assert loaded("nothing") == "package_not_found"
    assert loaded("x.rasenpkg/more") == "package_not_found"
    assert loaded("folder") == "package_not_file"
    assert loaded("link") == "package_not_file"
    assert loaded("large") == "package_too_large"
    assert refused(ctx, put(world, px5(), "p")).code == "package_kind_mismatch"
    assert refused(ctx, put(world, px4(), "q")).code == "package_kind_mismatch"


@pytest.mark.requirement("PK-083", "SP-040", "SP-041")
@pytest.mark.usefixtures("impatient")
def test_an_import_waits_for_another_and_then_says_busy(world: World, ctx: Context) -> None:
    source = put(world, px2())
    world.data_dir.mkdir(parents=True)

    with hold(world.data_dir / registry.LOCK):
        refusal = refused(ctx, source)

    assert refusal.code == "workflow_registry_busy"
    assert not (world.data_dir / "workflows").exists()
    assert ops.import_workflows(ctx, source).imported == ("team-release",)


@pytest.mark.requirement("PK-085", "WF-035")
def test_no_script_runs(world: World, ctx: Context) -> None:
    touched = world.base / "ran"
    files = workflow_files("a")
    files["workflow.yaml"] += b"files:\n  scripts: [scripts/go.sh]\n"
    files["scripts/go.sh"] = f"#!/bin/sh\ntouch {touched}\n".encode()

    ops.import_workflows(ctx, put(world, package("a", a=files)))

    assert not touched.exists()
    assert not os.access(world.data_dir / "workflows/a/scripts/go.sh", os.X_OK)


def test_what_dead_imports_left_is_swept(world: World, ctx: Context) -> None:
    left = world.data_dir / ".workflow-import-1-abcd"
    (left / "a").mkdir(parents=True)
    (left / "a" / "SKILL.md").write_text("x")

    ops.import_workflows(ctx, put(world, px2()))

    assert not left.exists()


def _check(ctx: Context, name: str = "x.rasenpkg") -> tuple[bool, list[str]]:
    found = ops.check_package(ctx, name)
    return found.is_valid, [one.code for one in found.found]


@pytest.mark.requirement("WC-003", "WC-016", "PK-102")
def test_checking_a_package_finds_what_an_import_would_and_changes_nothing(
    world: World, ctx: Context
) -> None:
    undeclared = {**workflow_files("a"), "extra.md": b"x"}
    needs = folder(world, "n", {})
    assert needs
    before = snapshot(world.base)

    def checked(made: dict[str, Any] | bytes) -> tuple[bool, list[str]]:
        name = put(world, made)
        answer = _check(ctx, name)
        (world.root / name).unlink()
        return answer

    assert checked(px2()) == (True, [])
    assert checked(px4()) == (True, [])
    assert checked(px5()) == (True, [])
    assert checked(b"hello") == (False, ["package_json_invalid"])
    assert checked(package("a", a=undeclared)) == (False, ["file_not_declared"])
    assert checked(package("propose")) == (False, ["builtin_collision"])
    assert snapshot(world.base) == before


@pytest.mark.requirement("WC-016", "WF-072")
def test_a_check_tells_the_numbers(world: World, ctx: Context) -> None:
    put(world, jcs(px2()) + b" ")

    found = ops.check_package(ctx, "x.rasenpkg").found[0].to_json()

    assert found["code"] == "package_non_canonical"
    assert found["details"]["offset"] == 991  # type: ignore[index]
    assert found["sourcePath"] == str(world.root / "x.rasenpkg")


# Export


@pytest.mark.requirement("WC-018", "PK-020", "PK-011")
def test_an_export_holds_what_is_required_and_is_always_the_same(
    world: World, ctx: Context
) -> None:
    top = workflow_files("top", requires=["base", "apply"])
    made = package("base", "top", roots=["top"], top=top)
    ops.import_workflows(ctx, put(world, made))

    ops.export_workflow(ctx, "top", "one.rasenpkg")
    ops.export_workflow(ctx, "top", "two.rasenpkg")

    one = (world.root / "one.rasenpkg").read_bytes()
    assert one == (world.root / "two.rasenpkg").read_bytes()
    assert one == jcs(made)


@pytest.mark.requirement("WC-018", "PK-002")
def test_px_2_is_what_an_export_writes(world: World, ctx: Context) -> None:
    ops.import_workflows(ctx, folder(world, "team-release", dict(TEAM_RELEASE)))

    written = ops.export_workflow(ctx, "team-release", "out.rasenpkg")

    assert (world.root / "out.rasenpkg").read_bytes() == jcs(px2())
    assert written.roots == ("team-release",)


@pytest.mark.requirement("WC-005", "WC-018", "PK-011")
def test_exports_that_are_refused(world: World, ctx: Context) -> None:
    ops.import_workflows(ctx, put(world, px2()))
    (world.root / "folder").mkdir()
    (world.root / "link").symlink_to("x.rasenpkg")
    broken = world.data_dir / "workflows" / "broken"
    broken.mkdir()

    def code(id: str, destination: str) -> str:
        with pytest.raises(ToolError) as caught:
            ops.export_workflow(ctx, id, destination)
        return caught.value.code

    assert code("propose", "o") == "builtin_export_forbidden"
    assert code("nobody", "o") == "workflow_not_found"
    assert code("broken", "o") == "workflow_invalid"
    assert code("team-release", "folder") == "destination_not_file"
    assert code("team-release", "link") == "destination_not_file"
    assert code("team-release", "x.rasenpkg") == "destination_exists"
    assert not (world.root / "o").exists()
    ops.export_workflow(ctx, "team-release", "x.rasenpkg", is_replacing=True)
    assert (world.root / "x.rasenpkg").read_bytes() == jcs(px2())


# Profiles


def saved(world: World, name: str) -> str:
    return (world.config_dir / "profiles" / f"{name}.yaml").read_text()


def profile_refused(ctx: Context, source: str, **more: Any) -> str:
    with pytest.raises(ToolError) as caught:
        ops.import_profile(ctx, source, **more)
    assert str(caught.value)
    return caught.value.code


@pytest.mark.requirement("PR-030", "PR-033", "PR-003", "PR-006")
def test_a_profile_comes_with_its_workflows_under_its_own_name(world: World, ctx: Context) -> None:
    done = ops.import_profile(ctx, put(world, px4(), "renamed.rasenpkg"))

    assert done.name == "team"
    assert done.installed.imported == ("team-release",)
    assert installed(world, "team-release") == TEAM_RELEASE
    assert "codify" in saved(world, "team")
    assert done.profile.workflows == ("apply", "team-release")


@pytest.mark.requirement("PR-030")
def test_another_name_is_given_with_as(world: World, ctx: Context) -> None:
    assert ops.import_profile(ctx, put(world, px4()), name="ours").name == "ours"
    assert saved(world, "ours")


@pytest.mark.requirement("PR-003", "PR-004", "PR-005")
def test_a_v1_profile_is_saved_as_v2(world: World, ctx: Context) -> None:
    profile = {"version": 1, "workflows": ["apply", "retro-command", "team-release"]}

    done = ops.import_profile(ctx, put(world, px4(profile=profile)))

    assert done.profile.to_json() == {
        "version": 2,
        "workflows": ["apply", "team-release"],
        "retention": "report",
    }


@pytest.mark.requirement("PR-032", "WF-013")
def test_force_replaces_the_snapshot_and_never_a_workflow(world: World, ctx: Context) -> None:
    source = put(world, px4())
    ops.import_profile(ctx, source)
    assert profile_refused(ctx, source) == "already_exists"
    again = ops.import_profile(ctx, source, is_replacing=True)
    assert again.installed.reused == ("team-release",)
    other = {**TEAM_RELEASE, "references/policy.md": b"other"}
    changed = px4(workflows=[entry("team-release", other)])
    before = snapshot(world.base / "data"), snapshot(world.base / "config")

    code = profile_refused(ctx, put(world, changed, "y"), is_replacing=True)

    assert code == "workflow_digest_conflict"
    assert (snapshot(world.base / "data"), snapshot(world.base / "config")) == before


@pytest.mark.requirement("PR-033", "PK-081")
def test_workflows_go_when_the_profile_cannot_be_written(world: World, ctx: Context) -> None:
    ops.import_workflows(ctx, put(world, package("base")))
    place = world.config_dir / "profiles" / "team.yaml"
    place.mkdir(parents=True)  # nothing can be written there
    files = workflow_files("top", requires=["base"])
    made = envelope(
        "profile",
        ["base", "top"],
        name="team",
        profile={"version": 2, "workflows": ["base", "top"], "retention": "off"},
        workflows=[entry("base", workflow_files("base")), entry("top", files)],
    )
    before = snapshot(world.data_dir)

    profile_refused(ctx, put(world, made, "y"))

    assert snapshot(world.data_dir) == before


@pytest.mark.requirement("PR-035")
@pytest.mark.parametrize("id", sorted(workflows.RETIRED))
def test_a_package_that_counts_on_what_is_installed_here_is_refused(
    world: World, ctx: Context, id: str
) -> None:
    """A retired id may stand in a package and mean nothing, but not a workflow of this machine."""
    files = {**workflow_files(id), "SKILL.md": _skill(id, f"skill-{id}")["SKILL.md"]}
    profile = {"version": 1, "workflows": ["apply", id]}
    source = put(world, envelope("profile", [], name="x", profile=profile), "x")
    assert ops.import_profile(ctx, source).profile.workflows == ("apply",)
    ops.import_workflows(ctx, put(world, package(id, **{id: files}), "y"))

    with pytest.raises(ToolError) as caught:
        ops.import_profile(ctx, source, name="other")

    assert caught.value.code == "invalid_file"
    assert "not self-contained" in str(caught.value)
    assert not (world.config_dir / "profiles" / "other.yaml").exists()


def test_names_of_profiles_that_are_refused(world: World, ctx: Context) -> None:
    source = put(world, px4())

    assert profile_refused(ctx, source, name="full") == "reserved_name"
    assert profile_refused(ctx, source, name="A b") == "invalid_name"
    assert profile_refused(ctx, put(world, px4(name="core"), "y")) == "reserved_name"
    assert not (world.data_dir / "workflows").exists()


@pytest.mark.requirement("PR-041", "PR-043", "PR-044", "PR-007", "PK-012")
def test_px_4_is_what_an_export_of_that_profile_writes(world: World, ctx: Context) -> None:
    done = ops.import_profile(ctx, put(world, px4()))

    ops.export_profile(ctx, "team", done.profile, "out.rasenpkg")

    assert (world.root / "out.rasenpkg").read_bytes() == jcs(px4())


@pytest.mark.requirement("PR-043")
def test_a_profile_of_ours_alone_can_be_a_package(world: World, ctx: Context) -> None:
    from rasen.profiles.model import Profile, Retention

    ops.export_profile(ctx, "solo", Profile(("apply",), Retention.OFF), "out.rasenpkg")

    data = (world.root / "out.rasenpkg").read_bytes()
    assert len(data) == 281
    assert ops.import_profile(ctx, "out.rasenpkg").installed.roots == ()


# Who signed


@pytest.fixture
def key(tmp_path: Path) -> str:
    return signing_key(tmp_path)


def test_a_machine_can_refuse_what_nobody_it_knows_has_signed(
    world: World, ctx: Context, key: str
) -> None:
    source = put(world, px2())
    assert world.cli("config", "set", "packages.signatures", "required").code == 0

    assert refused(ctx, source).code == "package_unsigned"
    assert profile_refused(ctx, put(world, px4(), "y")) == "package_unsigned"
    ops.sign(ctx, source, key=key)
    assert refused(ctx, source).code == "package_signer_unknown"
    ops.verify(ctx, source, trust="ada")
    assert ops.import_workflows(ctx, source).imported == ("team-release",)


def test_settings_that_cannot_be_read_count_as_strict(world: World, ctx: Context) -> None:
    world.config_dir.mkdir(parents=True)
    (world.config_dir / "config.json").write_text("{")

    assert refused(ctx, put(world, px2())).code == "package_unsigned"


def test_a_signature_of_other_bytes_is_always_refused(world: World, ctx: Context, key: str) -> None:
    source = put(world, px2())
    ops.sign(ctx, source, key=key)
    put(world, package("a"))

    assert refused(ctx, source).code == "package_signature_invalid"
    assert not (world.data_dir / "workflows").exists()


def test_without_ssh_keygen_signatures_are_optional_still(
    world: World, ctx: Context, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = put(world, px2())
    ops.sign(ctx, source, key=key)
    monkeypatch.setenv("PATH", str(world.base))

    assert ops.import_workflows(ctx, source).imported == ("team-release",)
