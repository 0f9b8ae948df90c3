"""`rasen doctor`: what it finds, what it leaves alone, what it mends and what it clears away."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.stores import Stores
from tests.support.world import Result, World

from rasen.stores import membership_file
from rasen.stores.membership_file import Membership, Roles

UID = "0b0e1d52-1111-4222-8333-444455556666"
OTHER = "1b0e1d52-1111-4222-8333-444455556666"
PROJECT_ID = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
CONFIG = f"schema: spec-driven\nprojectId: {PROJECT_ID}\n"
HINT = f"storeMemberships:\n  - uid: {UID}\n    id: team\n"


@pytest.fixture
def stores(world: World) -> Stores:
    return Stores(world)


@pytest.fixture
def team(stores: Stores) -> Path:
    """A registered store with an identity."""
    root = stores.checkout("team", metadata=f"version: 2\nuid: {UID}\nid: team\n")
    stores.register("team", root, uid=UID)
    return root


def doctor(world: World, *words: str, cwd: Path | None = None) -> dict[str, Any]:
    """The document of a doctor that answers, which always ends well and changes nothing."""
    before = snapshot(world.base)
    result = world.cli("doctor", *words, "--json", cwd=cwd)
    assert result.code == 0, result.out
    if not {"--fix", "--gc"} & set(words):
        assert snapshot(world.base) == before
    document: dict[str, Any] = fits("doctor", result.json)
    return document


def status(found: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {one["code"]: one for one in found["status"]}


def record(store: Path, roles: Roles, *, name: str = PROJECT_ID, text: str | None = None) -> Path:
    path = store / ".rasen-store" / "projects" / f"{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text or membership_file.render(Membership(PROJECT_ID, roles, "project")))
    return path


def test_a_project_alone(world: World) -> None:
    world.workspace(config=CONFIG)

    assert doctor(world) == {
        "root": {"path": str(world.root), "source": "nearest", "healthy": True, "status": []},
        "store": None,
        "references": [],
        "membership": {"project_id": PROJECT_ID, "stores": []},
        "machineHome": {"registered": False, "dangling": []},
        "status": [],
    }


def test_findings_never_make_it_fail(world: World) -> None:
    world.workspace()
    shutil.rmtree(world.root / "rasen" / "specs")
    (world.root / "rasen" / "specs").write_text("")
    (world.root / "rasen" / "config.yaml").unlink()

    found = doctor(world)

    assert found["root"]["healthy"] is False
    assert [one["code"] for one in found["root"]["status"]] == [
        "openspec_config_missing", "openspec_specs_not_directory"
    ]  # fmt: skip
    assert {one["severity"] for one in found["root"]["status"]} == {"error"}
    assert world.cli("doctor").code == 0


def test_a_store_that_was_selected(world: World, team: Path) -> None:
    (team / ".rasen-store" / "store.yaml").write_text(
        f"version: 2\nuid: {UID}\nid: team\nremote: https://host/team.git\n"
    )
    world.git("init", "-q", cwd=team)
    world.git("remote", "add", "origin", "https://me:secret-word@host/other.git", cwd=team)
    world.git("add", "-A", cwd=team)
    world.git("commit", "-qm", "one", cwd=team)

    found = doctor(world, "--store", "team")

    assert found["root"]["store_id"] == "team"
    store = found["store"]
    codes = {one["code"]: one["severity"] for one in store.pop("status")}
    assert store == {
        "id": "team",
        "uid": UID,
        "metadata": {"present": True, "valid": True, "uid": UID, "remote": "https://host/team.git"},
        "origin_url": "https://***@host/other.git",
    }
    assert codes["store_remote_divergence"] == "info"
    assert codes["store_remote_credentials"] == "error"
    assert "secret-word" not in json.dumps(found)


def test_a_store_without_an_identity_is_told(world: World, stores: Stores) -> None:
    stores.register("old", stores.checkout("old"))

    store = doctor(world, "--store", "old")["store"]

    assert store["metadata"] == {"present": True, "valid": True}
    assert [(one["code"], one["severity"]) for one in store["status"]] == [
        ("store_metadata_legacy", "info")
    ]


@pytest.fixture
def code(world: World, team: Path) -> Path:
    """A folder that only names the store it plans in."""
    assert team
    root = world.base / "code"
    (root / "rasen").mkdir(parents=True)
    (root / "rasen" / "config.yaml").write_text(
        f"projectId: {PROJECT_ID}\nstore:\n  uid: {UID}\n  id: team\n"
    )
    return root


def pointing(code: Path, text: str) -> None:
    (code / "rasen" / "config.yaml").write_text(f"projectId: {PROJECT_ID}\n{text}")


def test_a_durable_pointer(world: World, code: Path, team: Path) -> None:
    record(team, Roles(planning=True))

    found = doctor(world, cwd=code)

    assert found["root"]["source"] == "declared"
    assert found["store"]["pointer"] == {
        "shape": "durable", "declared_id": "team", "declared_uid": UID, "resolved_by": "uid"
    }  # fmt: skip
    assert (found["store"]["status"], found["status"]) == ([], [])
    assert found["membership"] == {
        "project_id": PROJECT_ID,
        "stores": [
            {
                "uid": UID,
                "id": "team",
                "sources": ["hint", "record"],
                "roles": {"planning": True, "knowledge": False},
                "provenance": "v2-record",
            }
        ],
    }


@pytest.mark.parametrize(
    ("pointer", "code_", "severity"),
    [
        pytest.param("store: team\n", "store_pointer_legacy", "info", id="by name alone"),
        pytest.param(
            f"store:\n  uid: {UID}\n  id: crew\n", "store_pointer_alias_drift", "warning",
            id="by a former name",
        ),
        pytest.param(
            f"store:\n  uid: {UID}\n  remote: https://host/elsewhere\n",
            "store_pointer_remote_divergence", "info", id="another address",
        ),
    ],
)  # fmt: skip
def test_drift_of_a_pointer_is_told_and_stops_nothing(
    world: World, code: Path, team: Path, pointer: str, code_: str, severity: str
) -> None:
    metadata = team / ".rasen-store" / "store.yaml"
    metadata.write_text(metadata.read_text() + "remote: https://host/team\n")
    pointing(code, pointer)

    [told] = doctor(world, cwd=code)["store"]["status"]

    assert (told["code"], told["severity"], told["target"]) == (code_, severity, "store.pointer")
    assert world.cli("list", cwd=code).code == 0


def test_references_beside_a_mere_pointer_are_inert(world: World, code: Path) -> None:
    pointing(code, "store: team\nreferences: [team]\n")

    told = status(doctor(world, cwd=code))["pointer_declarations_inert"]

    assert (told["severity"], told["target"]) == ("warning", "relationships")


def test_a_broken_pointer_beside_planning_is_told(world: World) -> None:
    world.workspace(config="schema: spec-driven\nstore: {id: team}\n")

    told = status(doctor(world))["root_pointer_invalid"]

    assert (told["severity"], told["target"]) == ("warning", "relationships")
    assert str(world.root / "rasen" / "config.yaml") in told["fix"]


@pytest.mark.parametrize(
    ("pointer", "code_", "reason", "listed"),
    [
        pytest.param(
            f"store: {{uid: {OTHER}, id: crew}}\n", "store_bootstrap_required", "not-registered",
            {"uid": OTHER, "id": "crew"}, id="an identity nobody has",
        ),
        pytest.param(
            "store: crew\n", "unknown_store", "not-registered", {"id": "crew"},
            id="a name nobody has",
        ),
        pytest.param(
            f"store: {{uid: {UID}}}\n", "unhealthy_store_root", "root-unhealthy", {"uid": UID},
            id="a store that is broken",
        ),
    ],
)  # fmt: skip
def test_a_pointer_beside_planning_that_leads_nowhere_only_warns(
    world: World, team: Path, pointer: str, code_: str, reason: str, listed: dict[str, str]
) -> None:
    world.workspace(config=CONFIG + pointer)
    if reason == "root-unhealthy":
        (team / "rasen" / "config.yaml").unlink()

    found = doctor(world)

    assert {code: one["severity"] for code, one in status(found).items()} == {code_: "warning"}
    [row] = found["membership"]["stores"]
    assert row.pop("unavailable")["reason"] == reason
    assert row == {**listed, "sources": ["hint"]}
    assert found["store"] is None


@pytest.mark.parametrize(
    ("pointer", "code_"),
    [
        (f"store: {{uid: {OTHER}}}\n", "store_bootstrap_required"),
        ("store: crew\n", "unknown_store"),
        ("store: 1\n", "invalid_store_pointer"),
    ],
)
def test_a_root_that_cannot_be_resolved_is_a_failure(
    world: World, code: Path, pointer: str, code_: str
) -> None:
    pointing(code, pointer)

    result = world.cli("doctor", "--json", cwd=code)

    assert (result.code, result.error) == (1, code_)
    fits("doctor", result.json)


def test_no_root_and_no_stores(world: World) -> None:
    (world.root / "openspec").mkdir()

    result = world.cli("doctor", "--json")

    assert (result.code, result.error) == (1, "no_openspec_root")
    assert "rasen migrate" in result.json["status"][0]["fix"]
    assert result.json["root"] is None


def test_references_are_checked_without_their_specs(
    world: World, stores: Stores, team: Path
) -> None:
    stores.spec(team, "fines", "# fines Specification\n\n## Purpose\nFines.\n")
    broken = stores.checkout("broken")
    stores.register("broken", broken, uid=OTHER)
    world.workspace(config="references: [team, absent, Bad Id, broken, project:shop]\n")

    found = doctor(world)["references"]

    assert found[0] == {"store_id": "team", "root": str(team), "status": []}
    told = [(one["store_id"], one["status"][0]["code"]) for one in found[1:]]
    assert told == [
        ("absent", "reference_unresolved"),
        ("Bad Id", "reference_invalid_id"),
        ("broken", "reference_root_unhealthy"),
        ("shop", "reference_unresolved"),
    ]
    assert all(set(one) == {"store_id", "status"} for one in found[1:])
    assert {one["status"][0]["severity"] for one in found[1:]} == {"warning"}


def test_references_that_all_lead_home_are_not_none(world: World, team: Path) -> None:
    (team / "rasen" / "config.yaml").write_text("references: [team]\n")
    world.workspace()

    assert "all declared references lead to this root" in world.cli("doctor", "--store", "team").out
    assert "none declared" in world.cli("doctor").out


def test_a_broken_registry_is_told_once_and_hides_nothing(world: World, stores: Stores) -> None:
    stores.write("version: [\n")
    world.workspace(config=CONFIG + HINT + "references: [team]\n")

    found = doctor(world)

    told = status(found)
    assert told["relationship_registry_unreadable"]["target"] == "relationships"
    assert told["project_membership_unverified"]["severity"] == "warning"
    assert found["membership"]["stores"][0]["unavailable"]["reason"] == "registry-unreadable"
    assert found["references"][0]["status"][0]["code"] == "reference_registry_unreadable"


MEMBERSHIP = [
    pytest.param(
        HINT, None, {"store_project_record_missing": "error"}, {"sources": ["hint"]},
        id="a hint without a record",
    ),
    pytest.param(
        "", Roles(knowledge=True), {"project_membership_locator_missing": "warning"},
        {"sources": ["record"], "roles": {"planning": False, "knowledge": True},
         "provenance": "v2-record"},
        id="a record without a hint",
    ),
    pytest.param(
        HINT, Roles(planning=True, knowledge=True), {},
        {"sources": ["hint", "record"], "roles": {"planning": True, "knowledge": True},
         "provenance": "v2-record"},
        id="both",
    ),
    pytest.param(
        f"store: {{uid: {UID}}}\n", Roles(knowledge=True), {},
        {"sources": ["record"], "roles": {"planning": False, "knowledge": True},
         "provenance": "v2-record"},
        id="a pointer locates a store too",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("config", "roles", "codes", "row"), MEMBERSHIP)
def test_hints_and_records(
    world: World,
    team: Path,
    config: str,
    roles: Roles | None,
    codes: dict[str, str],
    row: dict[str, object],
) -> None:
    world.workspace(config=CONFIG + config)
    if roles is not None:
        record(team, roles)

    found = doctor(world)

    assert {code: one["severity"] for code, one in status(found).items()} == codes
    assert all(one["fix"] and one["target"] == "store.membership" for one in found["status"])
    assert found["membership"]["stores"] == [{"uid": UID, "id": "team", **row}]


def test_a_hint_to_a_store_that_is_not_here_is_listed_and_unverified(world: World) -> None:
    world.workspace(config=CONFIG + HINT)

    found = doctor(world)

    [row] = found["membership"]["stores"]
    assert row["unavailable"]["reason"] == "not-registered"
    assert row["unavailable"]["repair"][0].startswith("get a checkout of it")
    assert set(status(found)) == {"project_membership_unverified"}


def test_every_store_that_is_named_or_has_a_record_is_listed_once(
    world: World, stores: Stores, team: Path
) -> None:
    other = stores.checkout("other", metadata=f"version: 2\nuid: {OTHER}\nid: other\n")
    stores.register("other", other, uid=OTHER)
    third = "2b0e1d52-1111-4222-8333-444455556666"
    stores.register(
        "third", stores.checkout("third", metadata=f"version: 2\nuid: {third}\nid: third\n"),
        uid=third,
    )  # fmt: skip
    record(team, Roles(planning=True))
    record(other, Roles(knowledge=True))
    world.workspace(config=CONFIG + HINT + f"  - uid: {UID.upper()}\n")

    rows = doctor(world)["membership"]["stores"]

    assert [row["id"] for row in rows] == ["team", "other"]


def test_a_hint_finds_a_store_by_its_own_metadata(world: World, stores: Stores) -> None:
    root = stores.checkout("team", metadata=f"version: 2\nuid: {UID}\nid: team\n")
    stores.register("team", root)
    record(root, Roles(knowledge=True))
    world.workspace(config=CONFIG + HINT)

    found = doctor(world)

    assert found["membership"]["stores"][0]["uid"] == UID
    assert found["status"] == []


@pytest.mark.parametrize(
    ("text", "code_"),
    [
        ("version: 1\n", "invalid_store_project_record"),
        (
            membership_file.render(Membership("till", Roles())),
            "store_project_record_key_mismatch",
        ),
    ],
    ids=["broken", "of another project"],
)
def test_a_record_that_cannot_be_used_says_nothing(
    world: World, team: Path, text: str, code_: str
) -> None:
    path = record(team, Roles(), text=text)
    world.workspace(config=CONFIG + HINT)

    found = doctor(world)

    told = status(found)[code_]
    assert told["severity"] == "error"
    assert str(path) in told["message"]
    assert "roles" not in found["membership"]["stores"][0]


@pytest.mark.usefixtures("team")
def test_an_identity_that_cannot_have_a_record(world: World) -> None:
    world.workspace(config="projectId: nul\n" + HINT)

    assert status(doctor(world))["project_identity_unrecordable"]["severity"] == "error"


def test_older_data_counts_until_there_is_a_record(world: World, team: Path) -> None:
    world.workspace(config=CONFIG + HINT)
    manifest = team / ".rasen-store" / "adoptions.yaml"
    manifest.write_text(f"adoptions:\n  - alias: app\n    sourcePath: {world.root}\n")

    found = doctor(world)

    [row] = found["membership"]["stores"]
    assert row["provenance"] == "legacy-adoption"
    assert row["roles"] == {"planning": True, "knowledge": False}
    assert {c: one["severity"] for c, one in status(found).items()} == {
        "store_membership_roles_inferred": "info"
    }
    told = {one["code"]: one for one in doctor(world, "--store", "team")["store"]["status"]}
    assert told["store_membership_legacy_manifest"]["severity"] == "warning"
    assert told["shared_metadata_contains_local_path"]["severity"] == "warning"
    record(team, Roles(knowledge=True))
    assert doctor(world)["membership"]["stores"][0]["provenance"] == "v2-record"


def test_an_older_reference_shares_knowledge(world: World, stores: Stores, team: Path) -> None:
    world.workspace(config=CONFIG)
    stores.register("project:shop", world.root)
    (team / "rasen" / "config.yaml").write_text("references: ['project:shop', 'project:gone']\n")

    [row] = doctor(world)["membership"]["stores"]

    assert row["provenance"] == "legacy-reference"
    assert row["roles"] == {"planning": False, "knowledge": True}
    [told] = doctor(world, "--store", "team")["store"]["status"]
    assert (told["code"], told["severity"]) == ("store_legacy_reference_unresolved", "warning")
    assert "'gone'" in told["message"]


def announce(world: World, text: str) -> None:
    path = world.data_dir / "sessions" / "s" / "context.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    world.env["RASEN_SESSION_CONTEXT"] = str(path)


@pytest.mark.usefixtures("team")
def test_a_broken_session_is_told_when_the_root_was_named(world: World) -> None:
    world.workspace()
    announce(world, "{")

    assert status(doctor(world, "--store", "team"))["session_context_broken"]["severity"] == "error"
    refused = world.cli("doctor", "--json")
    assert (refused.code, refused.error) == (1, "session_context_broken")


def test_a_session_is_asked_about_its_own_checkout(world: World, team: Path) -> None:
    world.workspace(config=CONFIG)
    execution = {"kind": "project", "projectId": PROJECT_ID, "root": str(world.root)}
    planning = {"type": "store", "id": "team", "root": str(team)}
    announce(
        world,
        json.dumps({"version": 1, "sessionId": "s", "planning": planning, "execution": execution}),
    )
    record(team, Roles(planning=True))

    found = doctor(world, cwd=world.base)

    assert found["root"]["path"] == str(team)
    assert found["membership"]["project_id"] == PROJECT_ID
    assert found["membership"]["stores"][0]["sources"] == ["record"]


def registry(world: World) -> Path:
    return world.data_dir / "projects" / "registry.json"


def test_what_the_machine_keeps(world: World) -> None:
    gone = world.base / "gone"
    gone.mkdir()
    for place in (world.root, gone):
        assert world.cli("init", cwd=place).code == 0
    shutil.rmtree(gone)

    kept = doctor(world)["machineHome"]

    assert kept["registered"] is True
    assert kept["entry"]["path"] == str(world.root)
    assert kept["entry"]["last_seen"] == "2026-01-31T12:00:00.000Z"
    [dangling] = kept["dangling"]
    assert dangling["path"] == str(gone)
    assert Path(dangling["home"]).parent == world.data_dir / "projects"


def test_a_broken_project_registry_is_told_and_never_cleared(world: World) -> None:
    world.workspace(config=CONFIG)
    home = world.data_dir / "projects" / "shop-1"
    home.mkdir(parents=True)
    registry(world).write_text("{")

    found = doctor(world)
    refused = world.cli("doctor", "--gc", "--json")

    assert found["machineHome"]["error"]["code"] == "invalid_project_registry"
    assert (refused.code, refused.error) == (1, "invalid_project_registry")
    assert home.is_dir()


def test_files_of_running_changes_are_counted(world: World) -> None:
    world.workspace(config=CONFIG)
    world.write("rasen/changes/add-x/auto-run.json", "{}\n")
    world.write("rasen/changes/add-x/handoff/fixer-1.md", "x\n")

    assert doctor(world)["machineHome"]["migratableEphemera"] == 2


@pytest.fixture
def homes(world: World) -> dict[str, Path]:
    """This project's home, that of a checkout that is gone, and one nobody registered."""
    gone = world.base / "gone"
    gone.mkdir()
    for place in (world.root, gone):
        world.cli("init", cwd=place)
    rows = json.loads(registry(world).read_text())["projects"]
    shutil.rmtree(gone)
    folder = world.data_dir / "projects"
    found = {
        "own": folder / rows[str(world.root)]["home"],
        "gone": folder / rows[str(gone)]["home"],
        "orphan": folder / "orphan-12345678",
    }
    for home in found.values():
        (home / "archive" / "2026-01-01-old").mkdir(parents=True)
        (home / "archive" / "2026-01-01-old" / "proposal.md").write_text("x\n")
    return found


def test_clearing_away_keeps_what_is_in_use(world: World, homes: dict[str, Path]) -> None:
    found = doctor(world, "--gc")

    assert found["gc"] == {
        "removed_entries": [{"path": str(world.base / "gone"), "home": str(homes["gone"])}],
        "removed_homes": sorted([str(homes["gone"]), str(homes["orphan"])]),
    }
    assert [name for name, home in homes.items() if home.exists()] == ["own"]
    assert found["machineHome"]["dangling"] == []
    assert list(json.loads(registry(world).read_text())["projects"]) == [str(world.root)]
    assert sorted(path.name for path in registry(world).parent.iterdir()) == [
        homes["own"].name, "registry.json"
    ]  # fmt: skip


def test_clearing_away_says_what_went_with_it(world: World, homes: dict[str, Path]) -> None:
    person = world.cli("doctor", "--gc").out

    assert f"deleted {homes['orphan']}" in person
    assert f"forgot {world.base / 'gone'}" in person
    assert "archived changes that went with them: 2" in person
    assert "nothing to clear away" in world.cli("doctor", "--gc").out


def test_a_project_that_moved_keeps_its_home(world: World, homes: dict[str, Path]) -> None:
    moved = world.base / "moved"
    world.root.rename(moved)

    assert "Fix: rasen doctor --fix" in world.cli("doctor", cwd=moved).out
    found = doctor(world, "--gc", cwd=moved)

    assert homes["own"].is_dir()
    assert str(homes["own"]) not in found["gc"]["removed_homes"]
    mended = doctor(world, "--fix", cwd=moved)
    assert mended["machineHome"]["entry"]["home"] == homes["own"].name


def test_a_home_shared_with_a_live_worktree_stays(world: World, homes: dict[str, Path]) -> None:
    value = json.loads(registry(world).read_text())
    value["projects"][str(world.base / "worktree")] = value["projects"][str(world.root)]
    registry(world).write_text(json.dumps(value))

    found = doctor(world, "--gc")

    assert homes["own"].is_dir()
    assert str(homes["own"]) not in found["gc"]["removed_homes"]


def fix(world: World, *words: str, cwd: Path | None = None) -> dict[str, Any]:
    return doctor(world, "--fix", *words, cwd=cwd)


def test_a_missing_locator_is_written(world: World, team: Path) -> None:
    record(team, Roles(knowledge=True))
    world.cli("init")
    world.write("rasen/config.yaml", f"# ours\n{CONFIG}# the end\n")
    assert status(doctor(world))["project_membership_locator_missing"]["fix"] == (
        "run 'rasen doctor --fix'"
    )

    found = fix(world)

    codes = [one["code"] for one in found["fixes"]]
    assert "project_membership_locator_missing" in codes
    assert found["status"] == []
    assert f"uid: {UID}" in world.read("rasen/config.yaml")
    assert world.read("rasen/config.yaml").startswith(f"# ours\n{CONFIG}")
    assert fix(world)["fixes"] == []


@pytest.mark.parametrize(
    ("pointer", "code_"),
    [
        ("store: team  # by name\n", "store_pointer_legacy"),
        (f"store:\n  uid: {UID}\n  id: crew\n", "store_pointer_alias_drift"),
    ],
)
@pytest.mark.parametrize("is_beside_planning", [False, True], ids=["alone", "beside planning"])
def test_a_pointer_is_brought_up_to_date(
    world: World, code: Path, team: Path, pointer: str, code_: str, is_beside_planning: bool
) -> None:
    record(team, Roles(planning=True))
    pointing(code, f"# kept\n{pointer}")
    if is_beside_planning:
        (code / "rasen" / "specs").mkdir()

    found = fix(world, cwd=code)

    assert code_ in [one["code"] for one in found["fixes"] if one["applied"]]
    text = (code / "rasen" / "config.yaml").read_text()
    assert "# kept" in text
    assert f"uid: {UID}" in text
    assert "id: team" in text
    assert fix(world, cwd=code)["fixes"] == []


def test_a_checkout_is_registered(world: World) -> None:
    world.workspace(config=CONFIG)

    found = fix(world)

    assert [one["code"] for one in found["fixes"]] == ["project_not_registered"]
    assert found["machineHome"]["registered"] is True
    assert world.read("rasen/config.yaml") == CONFIG


def test_files_of_older_programs_are_copied_and_never_replaced(world: World) -> None:
    world.workspace()
    older = world.base / "data" / "openspec"
    for name in ("schemas/mine/schema.yaml", "worksets/worksets.yaml", "junk/x", "schemas/a.lock"):
        (older / name).parent.mkdir(parents=True, exist_ok=True)
        (older / name).write_text("old\n")
    own = world.data_dir / "worksets" / "worksets.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("own\n")
    settings = world.base / "config" / "openspec" / "config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{}\n")
    before = snapshot(older)
    assert status(doctor(world))["older_data_found"]["severity"] == "info"

    found = fix(world)

    [one] = found["fixes"]
    assert (one["code"], one["applied"]) == ("older_data_found", True)
    assert sorted(one["paths"]) == sorted(
        [str(world.data_dir / "schemas/mine/schema.yaml"), str(world.config_dir / "config.json")]
    )
    assert own.read_text() == "own\n"
    assert snapshot(older) == before
    assert (found["status"], fix(world)["fixes"]) == ([], [])


def test_nothing_older_is_looked_for_where_the_home_was_named(world: World) -> None:
    world.workspace()
    (world.base / "data" / "openspec" / "schemas").mkdir(parents=True)
    (world.base / "data" / "openspec" / "schemas" / "x").write_text("old\n")
    world.env["RASEN_HOME"] = str(world.base / "own-home")

    assert doctor(world)["status"] == []


def test_a_remedy_that_cannot_be_written_fails_and_is_told(world: World, team: Path) -> None:
    record(team, Roles(knowledge=True))
    world.workspace(config=f"storeMemberships: 7\n{CONFIG}")
    lock = world.data_dir / "projects"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text("in the way")

    result = world.cli("doctor", "--fix", "--json")

    assert result.code == 1
    fits("doctor", result.json)
    failed = [one for one in result.json["fixes"] if not one["applied"]]
    assert failed
    assert all(one["problem"]["code"] for one in failed)


@pytest.mark.usefixtures("team")
def test_people_get_the_same_findings_with_their_steps(world: World) -> None:
    world.workspace(config=CONFIG + HINT + "references: [absent]\n")

    program = doctor(world)
    person = world.cli("doctor").out

    for heading in ("Doctor", "Root", "References", "Memberships", "Machine home", "Notes"):
        assert f"\n{heading}\n" in f"\n{person}"
    for one in (*program["status"], *program["references"][0]["status"]):
        assert one["message"] in person
        assert f"Fix: {one['fix']}" in person


def test_a_fix_is_told_to_people(world: World) -> None:
    world.workspace(config=CONFIG)

    told: Result = world.cli("doctor", "--fix")

    assert f"register the checkout {world.root} on this machine" in told.out
    assert "nothing to mend" in world.cli("doctor", "--fix").out


def test_the_stores_own_doctor_tells_the_same_of_its_members(world: World, team: Path) -> None:
    record(team, Roles(), text="version: 1\n")
    (team / ".rasen-store" / "adoptions.yaml").write_text("adoptions: [{sourcePath: /work/app}]\n")

    program = world.cli("store", "doctor", "team", "--json")
    person = world.cli("store", "doctor", "team")

    told = program.json["stores"][0]["status"]
    assert [(one["code"], one["severity"]) for one in told] == [
        ("invalid_store_project_record", "error"),
        ("store_membership_legacy_manifest", "warning"),
        ("shared_metadata_contains_local_path", "warning"),
    ]
    assert all(one["message"] in person.out + person.err for one in told)
    assert doctor(world, "--store", "team")["store"]["status"] == told
    assert (program.code, person.code) == (0, 0)
