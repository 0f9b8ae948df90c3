"""Finding a registered store: every refusal of planning §2.3 and §2.4, in its order."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stores import Stores
from tests.support.world import World

from rasen.base.errors import ToolError
from rasen.config.model import StorePointer
from rasen.stores import health, ops
from rasen.stores.model import PROJECT, Checkout, Unavailable

UID = "0b0e1d52-1111-4222-8333-444455556666"
OTHER = "1b0e1d52-1111-4222-8333-444455556666"
V2 = "version: 2\nuid: {uid}\nid: {id}\n"


@pytest.fixture
def stores(world: World) -> Stores:
    return Stores(world)


def refusal(world: World, wanted: str, namespace: str = "store") -> ToolError:
    with pytest.raises(ToolError) as refused:
        ops.resolve(world.context(), wanted, namespace=namespace)
    return refused.value


def test_a_name_finds_its_healthy_checkout(world: World, stores: Stores) -> None:
    root = stores.checkout("team")
    stores.register("team", root)

    assert ops.resolve(world.context(), "team") == Checkout("team", root, "rasen")


def test_a_registered_link_is_resolved(world: World, stores: Stores) -> None:
    root = stores.checkout("team")
    link = world.base / "link"
    link.symlink_to(root)
    stores.register("team", link)

    assert ops.resolve(world.context(), "team").path == root


def test_the_two_namespaces_do_not_see_each_other(world: World, stores: Stores) -> None:
    store, project = stores.checkout("shop"), stores.checkout("other")
    (project / ".rasen-store/store.yaml").write_text("version: 1\nid: shop\n")
    stores.register("shop", store)
    stores.register("project:shop", project)

    assert ops.resolve(world.context(), "shop").path == store
    found = ops.resolve(world.context(), "shop", namespace=PROJECT)
    assert (found.path, found.namespace) == (project, PROJECT)


def test_metadata_of_the_older_place_counts_when_the_new_one_is_absent(
    world: World, stores: Stores
) -> None:
    root = stores.checkout("team", place=".openspec-store")
    stores.register("team", root)

    assert ops.resolve(world.context(), "team").path == root


@pytest.mark.parametrize("name", ["rasen", "openspec"])
def test_a_store_uses_the_folder_it_has(world: World, stores: Stores, name: str) -> None:
    root = stores.checkout("team", workspace=name)
    stores.register("team", root)

    assert ops.resolve(world.context(), "team").workspace == name


def test_rasen_comes_first_when_a_store_has_both(world: World, stores: Stores) -> None:
    root = stores.checkout("team", workspace="openspec")
    (root / "rasen").mkdir()
    (root / "rasen" / "config.yaml").write_text("schema: a\n")
    stores.register("team", root)

    assert ops.resolve(world.context(workspace="openspec"), "team").workspace == "rasen"


@pytest.mark.parametrize("wanted", ["", ".", "..", "Team", "a/b", "a--b", "-a", "a_b", "a\n"])
def test_what_is_no_id_is_refused_before_anything_is_read(
    world: World, stores: Stores, wanted: str
) -> None:
    stores.write("broken: [")

    error = refusal(world, wanted)

    assert (error.code, error.target) == ("invalid_store_id", "store.id")


def test_a_corrupt_registry_is_refused_before_the_lookup(world: World, stores: Stores) -> None:
    path = stores.write("version: 1\nstores: {}\nmore: 1\n")

    error = refusal(world, "team")

    assert (error.code, error.target) == ("invalid_store_registry", "store.registry")
    assert str(path) in str(error)


def test_a_registry_that_is_a_folder_is_refused(world: World) -> None:
    (world.data_dir / "stores" / "registry.yaml").mkdir(parents=True)

    assert refusal(world, "team").code == "invalid_store_registry"


@pytest.mark.parametrize(
    ("namespace", "step"),
    [("store", "rasen store register"), ("project", "rasen store add-project")],
)
def test_an_empty_namespace_says_how_to_fill_it(
    world: World, stores: Stores, namespace: str, step: str
) -> None:
    other = "project:x" if namespace == "store" else "x"
    stores.register(other, stores.checkout("x"))

    error = refusal(world, "team", namespace)

    assert (error.code, error.target) == ("no_registered_stores", "store.id")
    assert step in error.fix_text


def test_an_unknown_name_lists_the_known_ones(world: World, stores: Stores) -> None:
    stores.register("beta", stores.checkout("beta"))
    stores.register("alpha", stores.checkout("alpha"))

    error = refusal(world, "team")

    assert (error.code, error.target) == ("unknown_store", "store.id")
    assert "alpha, beta" in str(error)


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        pytest.param("version: 9\n", "invalid_store_metadata", id="unparseable"),
        pytest.param(None, "store_identity_mismatch", id="missing"),
        pytest.param("version: 1\nid: else\n", "store_identity_mismatch", id="another id"),
    ],
)
def test_identity_problems_win_over_health_problems(
    world: World, stores: Stores, metadata: str | None, code: str
) -> None:
    root = stores.checkout("team", metadata=metadata)
    (root / "rasen" / "config.yaml").unlink()
    stores.register("team", root)

    error = refusal(world, "team")

    assert (error.code, error.target) == (code, "store.metadata")
    if code == "store_identity_mismatch":
        assert "rasen store doctor team" in str(error)


def test_another_recorded_identity_is_refused(world: World, stores: Stores) -> None:
    root = stores.checkout("team", metadata=V2.format(uid=OTHER, id="team"))
    stores.register("team", root, uid=UID)

    error = refusal(world, "team")

    assert (error.code, error.target) == ("store_uid_mismatch", "store.metadata")
    assert UID in str(error)
    assert OTHER in str(error)


def test_an_identity_selects_whatever_its_case(world: World, stores: Stores) -> None:
    root = stores.checkout("team", metadata=V2.format(uid=UID, id="team"))
    stores.register("team", root, uid=UID)

    assert ops.resolve(world.context(), f" {UID.upper()} ").id == "team"


def test_an_identity_is_found_in_metadata_when_the_registry_has_none(
    world: World, stores: Stores
) -> None:
    stores.register("beta", stores.checkout("beta", metadata="broken: ["))
    root = stores.checkout("team", metadata=V2.format(uid=UID, id="team"))
    stores.register("team", root)

    assert ops.resolve(world.context(), UID).path == root


def test_an_identity_never_consults_names(world: World, stores: Stores) -> None:
    stores.register(UID, stores.checkout(UID))

    assert refusal(world, UID).code == "unknown_store"


def test_one_name_for_two_stores_is_not_picked_from(world: World, stores: Stores) -> None:
    first = stores.checkout("one", metadata=V2.format(uid=UID, id="team"))
    second = stores.checkout("two", metadata=V2.format(uid=OTHER, id="team"))
    stores.register("team", first, uid=UID)
    stores.register("team", second, uid=OTHER)

    error = refusal(world, "team")

    assert (error.code, error.target) == ("store_alias_ambiguous", "store.id")
    for part in (UID, OTHER, str(first), str(second)):
        assert part in str(error)
    assert ops.resolve(world.context(), OTHER).path == second


def unhealthy(root: Path, how: str) -> None:
    import shutil

    match how:
        case "root missing":
            shutil.rmtree(root)
        case "root is a file":
            shutil.rmtree(root)
            root.write_text("")
        case "workspace missing":
            shutil.rmtree(root / "rasen")
        case "workspace is a file":
            shutil.rmtree(root / "rasen")
            (root / "rasen").write_text("")
        case "no config":
            (root / "rasen/config.yaml").unlink()
        case "config is a folder":
            (root / "rasen/config.yaml").unlink()
            (root / "rasen/config.yaml").mkdir()
        case "specs is a file":
            (root / "rasen/specs").rmdir()
            (root / "rasen/specs").write_text("")
        case "changes is a file":
            (root / "rasen/changes").write_text("")
        case "archive is a file":
            (root / "rasen/changes").mkdir()
            (root / "rasen/changes/archive").write_text("")


@pytest.mark.parametrize(
    ("how", "code", "target"),
    [
        ("root missing", "openspec_store_root_missing", "store.root"),
        ("root is a file", "openspec_store_root_not_directory", "store.root"),
        ("workspace missing", "openspec_root_missing", "openspec.root"),
        ("workspace is a file", "openspec_root_not_directory", "openspec.root"),
        ("no config", "openspec_config_missing", "openspec.config"),
        ("config is a folder", "openspec_config_not_file", "openspec.config"),
        ("specs is a file", "openspec_specs_not_directory", "openspec.specs"),
        ("changes is a file", "openspec_changes_not_directory", "openspec.changes"),
        ("archive is a file", "openspec_archive_not_directory", "openspec.archive"),
    ],
)
def test_health_finds(stores: Stores, how: str, code: str, target: str) -> None:
    root = stores.checkout("team")
    unhealthy(root, how)

    found = health.inspect(root)

    assert [(f.code, f.path, f.fix) for f in found.findings] == [(code, target, "")]
    assert not found.is_healthy


def test_optional_folders_may_be_absent(stores: Stores) -> None:
    root = stores.checkout("team")
    (root / "rasen/specs").rmdir()

    assert health.inspect(root).is_healthy


def test_an_unhealthy_root_tells_all_its_findings(world: World, stores: Stores) -> None:
    root = stores.checkout("team")
    unhealthy(root, "no config")
    unhealthy(root, "specs is a file")
    stores.register("team", root)

    error = refusal(world, "team")

    assert (error.code, error.target) == ("unhealthy_store_root", "openspec.root")
    assert "config.yaml is missing" in str(error)
    assert "specs is not a folder" in str(error)


@pytest.mark.parametrize(
    ("pointer", "reason", "code"),
    [
        (StorePointer(uid=OTHER, id="team"), "not-registered", "store_bootstrap_required"),
        (StorePointer(id="other"), "not-registered", "unknown_store"),
        (StorePointer(id="Bad Name"), "pointer-malformed", "invalid_store_id"),
        (StorePointer(id="lost"), "metadata-missing", "store_identity_mismatch"),
        (StorePointer(id="sick"), "root-unhealthy", "unhealthy_store_root"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_pointer_that_leads_nowhere_says_why(
    world: World, stores: Stores, pointer: StorePointer, reason: str, code: str
) -> None:
    stores.register("team", stores.checkout("team"))
    stores.register("lost", stores.checkout("lost", metadata=None))
    sick = stores.checkout("sick")
    unhealthy(sick, "no config")
    stores.register("sick", sick)

    found = ops.try_follow(world.context(), pointer)

    assert isinstance(found, Unavailable)
    assert (found.reason, found.error.code) == (reason, code)


def test_an_unregistered_identity_says_that_nothing_was_done(world: World, stores: Stores) -> None:
    stores.register("team", stores.checkout("team"))

    with pytest.raises(ToolError) as refused:
        ops.follow(world.context(), StorePointer(uid=OTHER, id="team"))

    assert refused.value.code == "store_bootstrap_required"
    text = str(refused.value)
    assert OTHER in text
    assert "no network was used and nothing was changed" in text


def test_an_identity_pointer_is_satisfied_by_a_registry_without_identities(
    world: World, stores: Stores
) -> None:
    root = stores.checkout("renamed", metadata=V2.format(uid=UID, id="renamed"))
    stores.register("renamed", root)

    found = ops.follow(world.context(), StorePointer(uid=UID, id="former-name"))

    assert found.path == root
    assert found.uid == UID
