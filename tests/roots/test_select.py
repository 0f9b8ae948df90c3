"""Which root a command works on: the walk, the pointer, the registry, the selectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.stores import Stores
from tests.support.world import World

from rasen.base.context import Note
from rasen.base.errors import ToolError
from rasen.base.messages import fill
from rasen.roots import ops
from rasen.roots.model import Root, RootRequest

UID = "0b0e1d52-1111-4222-8333-444455556666"


@pytest.fixture
def stores(world: World) -> Stores:
    return Stores(world)


def select(world: World, cwd: Path | None = None, **request: object) -> Root:
    ctx = world.context(cwd=(cwd or world.root).resolve())
    return ops.select(ctx, RootRequest(**request))  # type: ignore[arg-type]


def refusal(world: World, cwd: Path | None = None, **request: object) -> ToolError:
    with pytest.raises(ToolError) as refused:
        select(world, cwd, **request)
    return refused.value


def notes(world: World, request: RootRequest | None = None) -> list[str]:
    told: list[Note] = []
    ops.select(world.context(tell=told.append), request or RootRequest())
    return [fill(note.text, note.params) for note in told]


def settings_notes(world: World, root: Root) -> list[str]:
    told: list[Note] = []
    ops.settings(world.context(tell=told.append), root)
    return [fill(note.text, note.params) for note in told]


def planning(folder: Path, workspace: str = "rasen") -> None:
    (folder / workspace / "changes").mkdir(parents=True)


def configured(folder: Path, text: str = "schema: a\n", name: str = "config.yaml") -> None:
    (folder / "rasen").mkdir(parents=True, exist_ok=True)
    (folder / "rasen" / name).write_text(text)


def by_specs(folder: Path) -> None:
    (folder / "rasen" / "specs").mkdir(parents=True)


def by_yml(folder: Path) -> None:
    configured(folder, name="config.yml")


@pytest.mark.parametrize("qualify", [planning, by_specs, configured, by_yml])
def test_the_nearest_qualifying_folder_above_is_the_root(
    world: World, qualify: Callable[[Path], None]
) -> None:
    qualify(world.root)
    below = world.root / "a" / "b"
    below.mkdir(parents=True)

    assert select(world, below) == Root(world.root, "nearest", "rasen")


def test_a_bare_folder_does_not_stop_the_walk(world: World) -> None:
    planning(world.root)
    below = world.root / "a"
    (below / "rasen" / "team").mkdir(parents=True)

    assert select(world, below).path == world.root


def test_stores_kept_below_the_home_do_not_capture_everything(world: World) -> None:
    (world.home / "rasen" / "team" / "rasen" / "specs").mkdir(parents=True)
    project = world.home / "code"
    project.mkdir()

    assert select(world, project) == Root(project, "implicit", "rasen")


def test_a_file_with_the_folders_name_is_never_a_root(world: World) -> None:
    (world.root / "rasen").write_text("")

    assert select(world).source == "implicit"


def test_files_in_the_place_of_the_planning_folders_do_not_count(world: World) -> None:
    (world.root / "rasen").mkdir()
    (world.root / "rasen" / "specs").write_text("")
    (world.root / "rasen" / "changes").write_text("")

    assert select(world).source == "implicit"


def test_a_linked_working_folder_is_selected_by_its_real_path(world: World) -> None:
    planning(world.root)
    link = world.base / "link"
    link.symlink_to(world.root)

    ctx = world.context()
    from rasen.bootstrap import build

    linked = build(world.environ(), link, tell=lambda _: None, clock=world.clock, ids=world.ids)

    assert ops.select(linked, RootRequest()).path == ops.select(ctx, RootRequest()).path


def test_the_older_folder_is_a_root_only_when_it_is_the_one_in_use(world: World) -> None:
    planning(world.root, "openspec")

    assert select(world).source == "implicit"
    found = ops.select(world.context(workspace="openspec"), RootRequest())
    assert (found.source, found.workspace_dir) == ("nearest", world.root / "openspec")


def test_with_nothing_anywhere_the_working_folder_is_implicit_unless_forbidden(
    world: World,
) -> None:
    assert select(world) == Root(world.root, "implicit", "rasen")

    error = refusal(world, allow_implicit=False)
    assert (error.code, error.target) == ("no_openspec_root", "openspec.root")
    assert "rasen init" in fill(error.fix_text, error.params)


def test_an_older_folder_above_is_named_in_the_fix(world: World) -> None:
    planning(world.root, "openspec")
    below = world.root / "a"
    below.mkdir()

    error = refusal(world, below, allow_implicit=False)

    assert error.code == "no_openspec_root"
    assert str(world.root / "openspec") in fill(error.fix_text, error.params)
    assert "rasen migrate" in fill(error.fix_text, error.params)


def test_with_a_registry_nothing_is_implicit(world: World, stores: Stores) -> None:
    stores.register("team", stores.checkout("team"))
    stores.register("project:shop", stores.checkout("shop"))

    error = refusal(world)

    assert (error.code, error.target) == ("no_root_with_registered_stores", "openspec.root")
    assert "shop" in str(error)
    assert "team" in str(error)
    fix = fill(error.fix_text, error.params)
    assert "--store team" in fix
    assert "--project shop" in fix


def test_an_empty_registry_is_no_reason_to_refuse(world: World, stores: Stores) -> None:
    stores.write("version: 1\nstores: {}\n")

    assert select(world).source == "implicit"


def test_a_corrupt_registry_matters_only_without_a_root(world: World, stores: Stores) -> None:
    stores.write("broken: [")

    error = refusal(world)
    assert (error.code, error.target) == ("invalid_store_registry", "store.registry")

    planning(world.root)
    assert select(world).source == "nearest"


def test_the_retired_selector_is_refused_before_all_else(world: World) -> None:
    error = refusal(world, store_path="/x", store="a", project="b")

    assert error.code == "store_path_not_supported"


def test_two_selectors_are_refused(world: World) -> None:
    assert refusal(world, store="a", project="b").code == "store_project_mutually_exclusive"


def test_a_selected_store_wins_over_the_nearest_root(world: World, stores: Stores) -> None:
    planning(world.root)
    root = stores.checkout("team", workspace="openspec")
    stores.register("team", root)

    found = select(world, store="team")

    assert found == Root(root, "store", "openspec", "team")
    assert found.selector == ("--store", "team")
    assert found.to_json() == {"path": str(root), "source": "store", "store_id": "team"}


def test_a_selected_project_is_shown_with_its_own_selector(world: World, stores: Stores) -> None:
    root = stores.checkout("shop")
    stores.register("project:shop", root)

    found = select(world, project="shop")

    assert found.source == "store"
    assert found.selector == ("--project", "shop")


def test_a_blank_selector_is_not_the_same_as_none(world: World) -> None:
    planning(world.root)

    assert refusal(world, store="").code == "invalid_store_id"


@pytest.mark.parametrize(
    "pointer", ["store: team\n", f"store: {{uid: {UID}, id: former}}\n", '"store" : team\n']
)
def test_a_folder_that_only_points_to_a_store_plans_there(
    world: World, stores: Stores, pointer: str
) -> None:
    root = stores.checkout("team", metadata=f"version: 2\nuid: {UID}\nid: team\n")
    stores.register("team", root, uid=UID)
    configured(world.root, pointer)

    assert select(world) == Root(root, "declared", "rasen", "team")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("store: 7\n", id="number"),
        pytest.param("store:\n", id="null"),
        pytest.param("store: ''\n", id="blank"),
        pytest.param("store: [a]\n", id="list"),
        pytest.param("store: {id: team}\n", id="map without identity"),
        pytest.param("store: [\n", id="broken YAML"),
        pytest.param("a: 1\na: 2\n", id="duplicate key, no pointer"),
    ],
)
def test_a_malformed_pointer_alone_is_refused(world: World, text: str) -> None:
    configured(world.root, text)

    error = refusal(world)

    assert (error.code, error.target) == ("invalid_store_pointer", "store.pointer")
    assert str(world.root / "rasen" / "config.yaml") in str(error)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("store: absent\n", "unknown_store"),
        ("store: lost\n", "store_identity_mismatch"),
        (f"store: {{uid: {UID}}}\n", "store_bootstrap_required"),
    ],
)
def test_what_a_declared_store_is_refused_for_names_the_declaring_file(
    world: World, stores: Stores, text: str, code: str
) -> None:
    stores.register("lost", stores.checkout("lost", metadata=None))
    configured(world.root, text)

    error = refusal(world)

    file = str(world.root / "rasen" / "config.yaml")
    assert error.code == code
    assert str(error).startswith(file)
    if code == "unknown_store":
        assert file in fill(error.fix_text, error.params)
        assert "register" in fill(error.fix_text, error.params)


def test_a_declared_store_with_an_empty_registry_has_its_own_code(world: World) -> None:
    configured(world.root, "store: team\n")

    assert refusal(world).code == "no_registered_stores"


def test_a_pointer_beside_planning_moves_nothing_and_is_told(world: World) -> None:
    planning(world.root)
    configured(world.root, "store: team\n")

    assert select(world) == Root(world.root, "nearest", "rasen")
    (note,) = notes(world)
    assert "team" in note
    assert str(world.root / "rasen" / "config.yaml") in note


@pytest.mark.parametrize("text", ["store: 7\n", "store: [\n", "schema: a\n", "# store: x\n"])
def test_beside_planning_a_pointer_that_is_none_is_silent(world: World, text: str) -> None:
    planning(world.root)
    configured(world.root, text)

    assert select(world).source == "nearest"
    assert notes(world) == []


def test_a_registered_store_says_that_it_follows_no_pointer(world: World, stores: Stores) -> None:
    root = stores.checkout("team")
    (root / "rasen/config.yaml").write_text("store: other\n")
    stores.register("team", root)
    told: list[Note] = []

    found = ops.select(world.context(cwd=root, tell=told.append), RootRequest())

    assert found.path == root
    assert len(told) == 1
    assert "does not follow" in told[0].text


def test_settings_left_open_come_from_the_declared_store(world: World, stores: Stores) -> None:
    root = stores.checkout("team")
    (root / "rasen/config.yaml").write_text(
        "schema: theirs\ncontext: theirs\nstore: further\n"
        "archive: {timing: in-ship, destination: prune}\nmodels: {roles: {planner: a, fixer: b}}\n"
        "handoff: {threshold: {remainingTokens: 7}}\n"
    )
    stores.register("team", root)
    planning(world.root)
    configured(
        world.root,
        "store: team\narchive: {timing: on-merge}\nmodels: {roles: {planner: mine}}\n"
        "handoff: {threshold: 0.4}\n",
    )

    found = ops.settings(world.context(), select(world))

    assert found is not None
    assert found.schema == "theirs"
    assert found.context is None
    assert (found.archive_timing, found.archive_destination) == ("on-merge", "prune")
    assert found.values["models"] == {"roles": {"planner": "mine", "fixer": "b"}}
    assert found.values["handoff"] == {"threshold": 0.4}


@pytest.mark.parametrize("text", ["store: absent\nschema: own\n", "store: 7\nschema: own\n"])
def test_a_store_that_cannot_be_used_only_warns_beside_planning(world: World, text: str) -> None:
    planning(world.root)
    configured(world.root, text)
    root = select(world)

    found = ops.settings(world.context(), root)

    assert found is not None
    assert found.schema == "own"
    assert len(settings_notes(world, root)) == 1


def test_a_registered_store_inherits_from_nobody(world: World, stores: Stores) -> None:
    other = stores.checkout("other")
    (other / "rasen/config.yaml").write_text("schema: theirs\n")
    root = stores.checkout("team")
    (root / "rasen/config.yaml").write_text("store: other\ncontext: own\n")
    stores.register("other", other)
    stores.register("team", root)
    ctx = world.context(cwd=root)

    found = ops.settings(ctx, ops.select(ctx, RootRequest()))

    assert found is not None
    assert found.schema is None


def test_a_root_without_configuration_has_no_settings(world: World) -> None:
    planning(world.root)

    assert ops.settings(world.context(), select(world)) is None
    assert ops.references(world.context(), select(world)) == []


def test_references_are_those_of_the_root_itself(world: World, stores: Stores) -> None:
    stores.register("team", stores.checkout("team"))
    planning(world.root)
    configured(world.root, "references: [team, absent]\n")

    found = ops.references(world.context(), select(world))

    assert [entry.store_id for entry in found] == ["team", "absent"]
    assert [bool(entry.status) for entry in found] == [False, True]


def test_selecting_writes_nothing(world: World, stores: Stores) -> None:
    root = stores.checkout("team")
    stores.register("team", root)
    planning(world.root)
    configured(world.root, "store: team\nprojectId: x\nreferences: [team]\n")
    before = {path: path.stat().st_mtime_ns for path in world.base.rglob("*")}

    found = select(world)
    ops.settings(world.context(), found)
    ops.references(world.context(), found)
    select(world, store="team")

    assert {path: path.stat().st_mtime_ns for path in world.base.rglob("*")} == before


def test_a_write_that_was_interrupted_is_settled_before_anything_is_read(world: World) -> None:
    planning(world.root)
    (world.root / "rasen" / ".journal").mkdir()
    (world.root / "rasen" / ".journal" / "0.new").write_text("staged, never begun")

    select(world)

    assert not (world.root / "rasen" / ".journal").exists()


def test_the_nearest_root_is_found_without_heavy_modules(world: World) -> None:
    planning(world.root)
    configured(world.root, "schema: a\ncontext: |\n  the store keeps goods\n")
    script = (
        "import sys; from pathlib import Path; from rasen.roots.ops import select;"
        "from rasen.roots.model import RootRequest; from rasen.base.context import Context;"
        "p = Path.cwd();"
        "select(Context(p, p, p / 'c', p / 'd', {}, 'rasen', None, None, print), RootRequest());"
        "print([m for m in ('yaml', 'jsonschema_rs', 'rasen.git.repo', 'subprocess', 'json',"
        " 'rasen.config.ops', 'rasen.stores.ops', 'rasen.files.batch', 'tempfile')"
        " if m in sys.modules])"
    )

    result = world.python("-c", script)

    assert result.out == "[]\n", result.err


_UNPRIVILEGED = """
import os, sys
from pathlib import Path
from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.roots.model import RootRequest
from rasen.roots.ops import select
import rasen.stores.ops  # while the interpreter's own files can be read
if os.getuid() == 0:
    os.setuid(65534)
start = Path(sys.argv[1])
ctx = Context(start, start, start / "c", start / "d", {}, "rasen", None, None, print)
try:
    print(select(ctx, RootRequest()).source)
except ToolError as error:
    print(error.code)
"""


@pytest.mark.parametrize(
    ("beside_is_writable", "expected"), [(True, "workspace_unreadable"), (False, "implicit")]
)
def test_a_workspace_that_may_not_be_read_is_refused_unless_it_is_someone_elses(
    world: World, *, beside_is_writable: bool, expected: str
) -> None:
    import shutil
    import tempfile

    top = Path(tempfile.mkdtemp())
    try:
        planning(top / "project")
        start = top / "project" / "a"
        start.mkdir()
        (top / "project" / "rasen").chmod(0)
        (top / "project").chmod(0o777 if beside_is_writable else 0o555)
        top.chmod(0o755)

        result = world.python("-c", _UNPRIVILEGED, str(start))

        assert result.out == expected + "\n", result.err
    finally:
        (top / "project").chmod(0o755)
        (top / "project" / "rasen").chmod(0o755)
        shutil.rmtree(top)
