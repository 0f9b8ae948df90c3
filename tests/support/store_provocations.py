"""A table of what brings up each code about stores, selection and membership, with real files and git.

One row for each code and severity; longer than other modules because it is a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from tests.flows import test_store_codes as commands
from tests.flows import test_store_doctor as doctor
from tests.support import meddler
from tests.support.store_commands import planning, setup
from tests.support.stores import Stores
from tests.support.team import Machine, planned, write
from tests.support.terminal import Terminal
from tests.support.world import Result, World

UID = commands.UID
TWIN = UID.replace("0b", "1b")
PROJECT_ID = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
CONFIG = f"schema: spec-driven\nprojectId: {PROJECT_ID}\n"
HINT = f"storeMemberships:\n  - uid: {UID}\n    id: team\n"
RECORD = f"version: 1\nprojectId: {PROJECT_ID}\nroles: {{planning: false, knowledge: true}}\n"
MEDDLER = Path(meddler.__file__)


class Call(NamedTuple):
    """One call of the program.

    typed: what a person answers; talk: a whole conversation. With either there is no document.
    meddle: when somebody else does what, as `meddler` takes it. held: a lock that we have meanwhile.
    """

    words: tuple[str, ...]
    cwd: Path | None = None
    env: Mapping[str, str | None] = {}
    typed: str = ""
    meddle: tuple[str, str] | None = None
    held: Path | None = None
    talk: Callable[[], Result] | None = None

    @property
    def is_for_people(self) -> bool:
        return bool(self.typed or self.talk)

    def run(self, world: World, *more: str) -> Result:
        """Make the call."""
        from rasen.files.lock import hold

        if self.talk is not None:
            return self.talk()

        words, env = (*self.words, *more), dict(self.env)
        if self.typed:
            return world.cli(*words, cwd=self.cwd, env=env, tty=True, input=self.typed)
        with hold(self.held) if self.held else nullcontext():
            if self.meddle is None:
                # git sees the environment of a process, not that of a call in ours
                run = world.process if env else world.cli
                return run(*words, cwd=self.cwd, env=env)
            env |= {meddler.ON: self.meddle[0], meddler.DO: self.meddle[1]}
            return world.python(str(MEDDLER), *words, cwd=self.cwd, env=env)


class Row(NamedTuple):
    """What is told. said: a part of the text, where only people are told. has_fix: see the test."""

    code: str
    severity: str
    target: str
    exit: int
    prepare: Callable[[World], Call]
    said: str = ""
    has_fix: bool = False


EXEMPT: dict[tuple[str, str], str] = {
    ("store_setup_confirmation_required", "error"): "always answered by a question",
    ("adopt_archive_invalid", "error"): "the command line refuses the word first",
}
"""Codes that no call of the command line can bring up, and why."""


def _from_commands() -> list[Row]:
    """The refusals of `rasen store …` that have a table of their own: one of each code."""

    def call(case: commands.Case) -> Callable[[World], Call]:
        def prepare(world: World) -> Call:
            prepared: Any = case.prepare(world)
            if len(prepared) == 2 and isinstance(prepared[1], dict):
                return Call(("store", *prepared[0]), env=prepared[1])
            return Call(("store", *prepared))

        return prepare

    first = {case.code: case for case in reversed(commands.CASES)}
    return [Row(code, "error", case.target, 1, call(case)) for code, case in first.items()]


def _from_doctor(known: set[tuple[str, str]]) -> list[Row]:
    """The findings of `rasen store doctor` that have a table of their own, without those known."""

    def call(spoil: Callable[[World], Path]) -> Callable[[World], Call]:
        def prepare(world: World) -> Call:
            spoil(world)
            return Call(("store", "doctor"))

        return prepare

    first = {(code, level): (target, spoil) for code, level, target, spoil in doctor.CASES}
    return [
        Row(code, level, target, 0, call(spoil))
        for (code, level), (target, spoil) in first.items()
        if (code, level) not in known
    ]


def team(world: World, *, text: str = f"version: 2\nuid: {UID}\nid: team\n") -> Path:
    """A registered store with an identity."""
    stores = Stores(world)
    root = stores.checkout("team", metadata=text)
    stores.register("team", root, uid=UID)
    return root


def spoilt(name: str, how: str) -> Callable[[World], Call]:
    """`store doctor` of a store in which one thing is missing, a file, or a folder."""

    def prepare(world: World) -> Call:
        path = team(world) / name
        if path.is_dir():
            path.rename(world.base / "aside")
        else:
            path.unlink(missing_ok=True)
        if how == "file":
            write(path.parent, path.name, "x")
        elif how == "folder":
            path.mkdir()
        return Call(("store", "doctor"))

    return prepare


def selecting(*words: str, config: str = "", store: bool = True) -> Callable[[World], Call]:
    """`rasen list` with a selector, or in a folder whose settings name a store."""

    def prepare(world: World) -> Call:
        if store:
            team(world)
        if config:
            world.write("rasen/config.yaml", config)
        return Call(("list", *words))

    return prepare


def after(spoil: Callable[[World, Path], object], *words: str) -> Callable[[World], Call]:
    """A call after something was done to a registered store."""

    def prepare(world: World) -> Call:
        spoil(world, team(world))
        return Call(words)

    return prepare


def checking(
    config: str, *words: str, spoil: Callable[[World, Path], object] = lambda *_: None
) -> Callable[[World], Call]:
    """`rasen doctor` in a project with these settings, beside a registered store."""

    def prepare(world: World) -> Call:
        root = team(world)
        if "specs: no" not in config:
            world.workspace(config=config)
        else:
            world.write("rasen/config.yaml", config)
        spoil(world, root)
        return Call(("doctor", *words))

    return prepare


def recorded(text: str = RECORD, name: str = PROJECT_ID) -> Callable[[World, Path], object]:
    """Give the store a record of the project."""
    return lambda _, root: write(root, f".rasen-store/projects/{name}.yaml", text)


def listed(world: World, root: Path) -> None:
    """Give the store an older list of members."""
    row = f"  - alias: app\n    sourcePath: {world.root}\n"
    write(root, ".rasen-store/adoptions.yaml", f"adoptions:\n{row}")


def in_team(
    act: Callable[[Machine, Path, Path], tuple[str, ...]],
    *,
    meddle: tuple[str, str] | None = None,
    typed: str = "",
    adopted: bool = False,
) -> Callable[[World], Call]:
    """A call on the machine of somebody with a real store and a project.

    meddle: as in Call, with {store} and {app}. adopted: the project plans in the store.
    """

    def prepare(world: World) -> Call:
        machine = Machine(world, "mia")
        store, app = machine.store(), machine.project()
        planned(app)
        machine.commit(app, "Plan")
        if adopted:
            machine.ok("store", "adopt", str(app), "--to", "team")
        words = act(machine, store, app)
        now = meddle and (meddle[0], meddle[1].format(store=store, app=app))
        return Call(words, cwd=app, env=machine.env, typed=typed, meddle=now)

    return prepare


def joining(config: str) -> Callable[[World], Call]:
    """`store add-project` of a project with these settings."""

    def act(_: Machine, __: Path, app: Path) -> tuple[str, ...]:
        write(app, "rasen/config.yaml", config)
        return ("store", "add-project", ".", "--to", "team")

    return in_team(act)


def said(*words: str) -> Callable[[Machine, Path, Path], tuple[str, ...]]:
    return lambda *_: words


def with_file(name: str, text: str, *words: str) -> Callable[[World], Call]:
    """A call in a workspace, with a file below the data folder."""

    def prepare(world: World) -> Call:
        world.workspace(config=CONFIG)
        write(world.data_dir, name, text)
        return Call(words)

    return prepare


def asked(answers: str, *words: str) -> Callable[[World], Call]:
    """A call whose questions a person answers."""

    def prepare(world: World) -> Call:
        planning(world.base / "team")
        return Call(words, typed=answers)

    return prepare


def declined_removal(world: World) -> Call:
    setup(world, "team", "--no-init-git")
    return Call(("store", "remove", "team"), typed="n\n")


def setup_under_way(world: World) -> Call:
    from rasen.stores.setup_recovery import note_path

    root = world.base / "new"
    lock = note_path(world.context(), root).with_suffix(".lock")
    lock.parent.mkdir(parents=True)
    return Call(("store", "setup", "new", "--path", str(root), "--no-init-git"), held=lock)


def changed_after_the_question(world: World) -> Call:
    root = world.base / "new"
    words = ("store", "setup", "--no-init-git")

    def talk() -> Result:
        with Terminal(world, *words) as terminal:
            terminal.wait_for("Name of the store")
            terminal.type("new\r")
            terminal.wait_for("Folder of the store")
            terminal.type(f"{root}\r")
            terminal.wait_for("Make the store")
            root.mkdir()
            terminal.type("y\r")
            return Result(terminal.code(), terminal.seen, "")

    return Call(words, talk=talk)


def registered_elsewhere(world: World) -> Call:
    setup(world, "team", "--no-init-git")
    registry = world.data_dir / "stores" / "registry.yaml"
    return Call(
        ("store", "unregister", "team"),
        meddle=("link registry.yaml.lock before", f"sed -i s,/team$,/other, {registry}"),
    )


def again(world: World) -> Call:
    return Call(("store", "setup", "team", "--path", str(setup(world))))


def renamed(world: World) -> Call:
    root = setup(world)
    file = root / ".rasen-store" / "store.yaml"
    file.write_text(file.read_text().replace("id: team", "id: crew"))
    return Call(("store", "register", str(root)))


def moved(world: World) -> Call:
    setup(world).rename(world.base / "elsewhere")
    return Call(("store", "register", str(world.base / "elsewhere")))


def gone(world: World) -> Call:
    Stores(world).register("team", world.base / "gone")
    return Call(("store", "remove", "team", "--yes"))


def undeletable(world: World) -> Call:
    setup(world, "team", "--no-init-git")
    journal = world.data_dir / "stores" / ".journal"
    return Call(
        ("store", "remove", "team", "--yes"),
        meddle=("unlink registry.yaml.lock after", f"rm -rf {journal}; touch {journal}"),
    )


def garbled(command: tuple[str, ...], on: str, do: str) -> Callable[[World], Call]:
    """A call whose file is not what was written, once it is in its place."""
    return in_team(said(*command), meddle=(on, do))


def unverified_metadata(world: World) -> Call:
    stores = Stores(world)
    root = stores.checkout("team")
    stores.register("team", root)
    file = root / ".rasen-store" / "store.yaml"
    return Call(
        ("store", "upgrade-identity", "team", "--apply"),
        meddle=("replace store.yaml after", f"sed -i s/team/crew/ {file}"),
    )


def older_list(machine: Machine, store: Path, _: Path) -> tuple[str, ...]:
    write(
        store, ".rasen-store/adoptions.yaml",
        f"adoptions:\n  - projectId: another\n  - projectId: {PROJECT_ID}\n",
    )  # fmt: skip
    machine.commit(store, "Older data")
    return ("store", "migrate-membership", "team", "--apply")


def broken_list(_: Machine, store: Path, __: Path) -> tuple[str, ...]:
    write(store, ".rasen-store/adoptions.yaml", "adoptions: 7\n")
    return ("store", "migrate-membership", "team")


def no_settings(world: World) -> Call:
    world.write("rasen/changes/archive/2026-01-01-old/proposal.md", "# Old\n")
    return Call(("archive", "relocate", "--to", "external"))


def bound_elsewhere(machine: Machine, _: Path, app: Path) -> tuple[str, ...]:
    machine.store("other")
    machine.ok("store", "adopt", str(app), "--to", "other")
    return ("store", "add-project", ".", "--to", "team", "--set-primary")


def adopting(
    spoil: Callable[[Machine, Path, Path], object],
) -> Callable[[Machine, Path, Path], tuple[str, ...]]:
    def act(machine: Machine, store: Path, app: Path) -> tuple[str, ...]:
        spoil(machine, store, app)
        return ("store", "adopt", ".", "--to", "team")

    return act


def ejecting(
    spoil: Callable[[Machine, Path, Path], object], *more: str, project: str = "app"
) -> Callable[[Machine, Path, Path], tuple[str, ...]]:
    def act(machine: Machine, store: Path, app: Path) -> tuple[str, ...]:
        spoil(machine, store, app)
        words = [word.format(place=machine.place) for word in more]
        return ("store", "eject", project, "--from", "team", *words)

    return act


def nothing(*_: object) -> None:
    """Leave everything as it is."""


def without_planning(_: Machine, __: Path, app: Path) -> None:
    for name in ("specs", "changes"):
        (app / "rasen" / name).rename(app / f"old-{name}")


def lost_spec(_: Machine, store: Path, __: Path) -> None:
    (store / "rasen/specs/pay").rename(store / "lost")


def no_adoption(_: Machine, store: Path, __: Path) -> None:
    (record,) = (store / ".rasen-store" / "projects").iterdir()
    record.write_text(record.read_text().partition("adoption:")[0])


def two_checkouts(machine: Machine, _: Path, app: Path) -> None:
    machine.commit(app, "Adopted")
    twin = machine.place / "twin"
    machine.git(machine.place, "clone", "-q", str(app), str(twin))
    machine.ok("store", "add-project", str(twin), "--to", "team", "--as", "twin")


def relocated(machine: Machine, _: Path, app: Path) -> tuple[str, ...]:
    machine.ok("archive", "relocate", "--to", "external", cwd=app)
    write(app, "rasen/changes/archive/2026-01-01-old/proposal.md", "# Another\n")
    return ("archive", "relocate", "--to", "external")


def pruning(machine: Machine, _: Path, app: Path) -> tuple[str, ...]:
    machine.ok("config", "set", "archive.destination", "prune", "--scope", "project", cwd=app)
    return ("archive", "relocate")


def outside(act: Callable[[World], Call]) -> Callable[[World], Call]:
    """The same call, in no checkout of the project."""

    def prepare(world: World) -> Call:
        call = act(world)
        return call._replace(cwd=world.root)

    return prepare


def busy_projects(world: World) -> Call:
    world.workspace(config=CONFIG)
    world.write("rasen/changes/archive/2026-01-01-old/proposal.md", "# Old\n")
    lock = world.data_dir / "projects" / "registry.json.lock"
    lock.mkdir(parents=True)  # nobody's lock, which cannot be taken
    return Call(("archive", "relocate", "--to", "external"))


_REMOTE = f"version: 2\nuid: {UID}\nid: team\nremote: git@h.example:p\n"
_OWN = "store.membership"
_REF = "references"
_LONG = "\n## Purpose\n" + "word " * 50


def many_specs(world: World, root: Path) -> None:
    for number in range(400):
        write(root, f"rasen/specs/{'s' * 80}-{number}/spec.md", f"# x\n{_LONG}\n")
    world.cli("new", "change", "one")


_ADD = ("store", "add-project", ".", "--to", "team")
_GARBLE = "for f in {store}/.rasen-store/projects/*-*.yaml; do echo 'x: [' >> $f; done"

_ROWS = [
    # selection
    Row("store_path_not_supported", "error", "store.root", 1, selecting("--store-path", "x")),
    Row("store_project_mutually_exclusive", "error", "store.id", 1,
        selecting("--store", "a", "--project", "b")),
    Row("no_root_with_registered_stores", "error", "openspec.root", 1, selecting()),
    Row("no_openspec_root", "error", "openspec.root", 1, lambda _: Call(("doctor",))),
    Row("no_registered_stores", "error", "store.id", 1,
        selecting("--store", "team", store=False)),
    Row("unknown_store", "error", "store.id", 1, selecting("--store", "crew")),
    Row("store_bootstrap_required", "error", "store.id", 1,
        selecting(config=f"store: {{uid: {TWIN}}}\n")),
    Row("store_identity_mismatch", "error", "store.metadata", 1,
        after(lambda _, root: (root / ".rasen-store/store.yaml").unlink(),
              "list", "--store", "team")),
    Row("unhealthy_store_root", "error", "openspec.root", 1,
        after(lambda _, root: (root / "rasen/config.yaml").unlink(), "list", "--store", "team")),
    # health of a root
    Row("openspec_store_root_missing", "error", "store.root", 0, spoilt("", "gone")),
    Row("openspec_store_root_not_directory", "error", "store.root", 0, spoilt("", "file")),
    Row("openspec_root_missing", "error", "openspec.root", 0, spoilt("rasen", "gone")),
    Row("openspec_root_not_directory", "error", "openspec.root", 0, spoilt("rasen", "file")),
    Row("openspec_config_missing", "error", "openspec.config", 0,
        spoilt("rasen/config.yaml", "gone")),
    Row("openspec_config_not_file", "error", "openspec.config", 0,
        spoilt("rasen/config.yaml", "folder")),
    Row("openspec_specs_not_directory", "error", "openspec.specs", 0,
        spoilt("rasen/specs", "file")),
    Row("openspec_changes_not_directory", "error", "openspec.changes", 0,
        spoilt("rasen/changes", "file")),
    Row("openspec_archive_not_directory", "error", "openspec.archive", 0,
        spoilt("rasen/changes/archive", "file")),
    # setup, register, unregister, remove
    Row("store_inside_data_folder", "error", "store.root", 1,
        lambda w: Call(("store", "setup", "new", "--path", str(w.data_dir / "projects/new")))),
    Row("store_setup_cancelled", "error", "store.root", 1,
        asked("new\n\nn\n", "store", "setup", "--no-init-git"), "the setup was cancelled"),
    Row("store_register_cancelled", "error", "store.metadata", 1,
        asked("n\n", "store", "register", "../team"), "nothing was registered"),
    Row("store_remove_cancelled", "error", "store.root", 1, declined_removal,
        "the removal was cancelled"),
    Row("store_setup_path_changed", "error", "store.root", 1, changed_after_the_question,
        "changed after the question"),
    Row("store_setup_busy", "error", "store.root", 1, setup_under_way),
    Row("store_setup_note_invalid", "error", "store.setup", 1,
        with_file("stores/setup-0123456789abcdef.json", "{", "store", "list")),
    Row("store_registry_changed", "error", "store.registry", 1, registered_elsewhere),
    Row("store_already_registered", "info", "store.registry", 0, again),
    Row("store_alias_renamed", "info", "store.id", 0, renamed),
    Row("store_registration_moved", "info", "store.registry", 0, moved),
    Row("store_registry_rekey_blocked", "info", "store.registry", 0,
        lambda w: (Stores(w).register("old", Stores(w).checkout("old")),
                   Call(("store", "doctor")))[1]),
    Row("store_root_missing", "warning", "store.root", 0, gone),
    Row("store_files_left_on_disk", "warning", "store.root", 0, undeletable),
    Row("store_metadata_unverified", "error", "store.metadata", 1, unverified_metadata),
    Row("unknown_store_subcommand", "error", "", 1, lambda _: Call(("store", "frobnicate"))),
    # pointers
    Row("store_pointer_legacy", "info", "store.pointer", 0, checking("store: team\nspecs: no\n")),
    Row("store_pointer_alias_drift", "warning", "store.pointer", 0,
        checking(f"store: {{uid: {UID}, id: crew}}\nspecs: no\n")),
    Row("store_pointer_remote_divergence", "info", "store.pointer", 0,
        checking(f"store: {{uid: {UID}, remote: 'git@h.example:q'}}\nspecs: no\n",
                 spoil=lambda _, root: write(root, ".rasen-store/store.yaml", _REMOTE))),
    # references
    Row("reference_invalid_id", "warning", _REF, 0, checking("references: [Bad Id]\n")),
    Row("reference_unresolved", "warning", _REF, 0, checking("references: [absent]\n")),
    Row("reference_root_unhealthy", "warning", _REF, 0,
        checking("references: [team]\n",
                 spoil=lambda _, root: (root / "rasen/config.yaml").unlink())),
    Row("reference_registry_unreadable", "warning", _REF, 0,
        checking("references: [team]\n", spoil=lambda w, _: Stores(w).write("version: ["))),
    Row("reference_index_truncated", "warning", _REF, 0,
        lambda w: checking("references: [team]\n", spoil=many_specs)(w)._replace(
            words=("instructions", "proposal", "--change", "one"))),
    # membership as it is found
    Row("store_project_record_missing", "error", _OWN, 0, checking(CONFIG + HINT)),
    Row("project_membership_locator_missing", "warning", _OWN, 0,
        checking(CONFIG, spoil=recorded())),
    Row("project_membership_unverified", "warning", _OWN, 0,
        checking(CONFIG + HINT.replace(UID, TWIN))),
    Row("store_membership_roles_inferred", "info", _OWN, 0, checking(CONFIG + HINT, spoil=listed)),
    Row("store_membership_legacy_manifest", "warning", _OWN, 0, after(listed, "store", "doctor")),
    Row("shared_metadata_contains_local_path", "warning", _OWN, 0,
        after(listed, "store", "doctor")),
    Row("store_legacy_reference_unresolved", "warning", _OWN, 0,
        after(lambda _, root: write(root, "rasen/config.yaml", "references: ['project:x']\n"),
              "store", "migrate-membership", "team")),
    Row("invalid_store_project_record", "error", _OWN, 0,
        checking(CONFIG + HINT, spoil=recorded("version: 1\n"))),
    Row("store_project_record_key_mismatch", "error", _OWN, 0,
        checking(CONFIG + HINT, spoil=recorded(RECORD.replace(PROJECT_ID, "till")))),
    Row("project_identity_unrecordable", "error", "project.identity", 0,
        checking("projectId: nul\n" + HINT)),
    # membership as it is written
    Row("store_add_project_to_required", "error", "store.id", 1,
        lambda _: Call(("store", "add-project", "."))),
    Row("store_add_project_path_required", "error", "store.root", 1,
        lambda _: Call(("store", "add-project", "--to", "team"))),
    Row("store_add_project_target_not_found", "error", "store.id", 1,
        lambda _: Call(("store", "add-project", ".", "--to", "team"))),
    Row("store_add_project_self_reference", "error", "store.root", 1,
        in_team(lambda _, store, __: ("store", "add-project", str(store), "--to", "team"))),
    Row("project_settings_broken", "error", "openspec.config", 1, joining("- a\n")),
    Row("project_identity_not_written", "error", "project.registry", 1,
        joining("schema: spec-driven\n...\n")),
    Row("project_membership_locator_unwritten", "error", _OWN, 1,
        joining("projectId: app\nstoreMemberships: &k [{uid: other-store}]\nmore: *k\n")),
    Row("project_planning_binding_refused", "warning", "store.pointer", 0,
        in_team(bound_elsewhere)),
    Row("membership_base_commit_moved", "error", _OWN, 1,
        in_team(said(*_ADD), meddle=("link membership.lock before",
                "git -C {store} commit -q --allow-empty -m x"))),
    Row("store_project_record_unverified", "error", _OWN, 1,
        garbled(_ADD, "rmdir team/rasen/.journal after", _GARBLE)),
    Row("migrate_membership_verify_failed", "error", _OWN, 1,
        in_team(older_list, meddle=("replace another.yaml after", _GARBLE))),
    Row("store_adoptions_invalid", "error", _OWN, 1, in_team(broken_list)),
    # the registry of projects
    Row("project_config_missing", "error", "openspec.config", 1, no_settings),
    Row("invalid_project_registry", "error", "project.registry", 0,
        with_file("projects/registry.json", "{", "doctor")),
    Row("project_registry_busy", "error", "project.registry", 1, busy_projects),
    # adoption, ejection, relocation
    Row("adopt_precheck_failed", "error", _OWN, 1, in_team(adopting(without_planning))),
    Row("adopt_no_planning", "error", "openspec.root", 1, in_team(adopting(without_planning))),
    Row("adopt_store_unhealthy", "error", "store.root", 1,
        in_team(adopting(lambda _, store, __: (store / "rasen/config.yaml").unlink()))),
    Row("adopt_pointer_declared", "error", "store.pointer", 1,
        in_team(adopting(lambda _, __, app: write(
            app, "rasen/config.yaml", CONFIG + "store: other\n")))),
    Row("adopt_name_collision", "error", "store.root", 1,
        in_team(adopting(lambda _, store, __: write(store, "rasen/specs/PAY/spec.md", "x")))),
    Row("adopt_schemas_stay", "warning", "openspec.root", 0,
        in_team(adopting(lambda _, __, app: write(app, "rasen/schemas/mine/schema.yaml", "x")))),
    Row("migration_verify_failed", "error", "openspec.root", 1,
        in_team(adopting(nothing), meddle=("rmdir app/rasen/.journal after",
                "for f in {store}/rasen/specs/pay/spec.md; do test -f $f && echo x >> $f; done"))),
    Row("eject_project_unknown", "error", _OWN, 1,
        in_team(ejecting(nothing, project="nobody"), adopted=True)),
    Row("eject_manifest_drift", "error", _OWN, 1, in_team(ejecting(lost_spec), adopted=True)),
    Row("eject_missing_left_out", "warning", _OWN, 0,
        in_team(ejecting(lost_spec, "--force"), adopted=True)),
    Row("eject_manifest_missing", "error", _OWN, 1, in_team(ejecting(no_adoption), adopted=True)),
    Row("eject_target_exists", "error", "openspec.root", 1,
        in_team(ejecting(lambda _, __, app: write(app, "rasen/specs/PAY/spec.md", "x")),
                adopted=True)),
    Row("eject_all_confirmation_required", "error", _OWN, 1,
        in_team(ejecting(nothing, "--all"), adopted=True)),
    Row("eject_cancelled", "error", _OWN, 1,
        in_team(ejecting(nothing, "--all"), adopted=True, typed="n\n"), "nothing was moved"),
    Row("eject_destination_mismatch", "error", "openspec.root", 1,
        in_team(ejecting(lambda m, _, __: m.project("other"), "--into", "{place}/other"),
                adopted=True)),
    Row("eject_destination_required", "error", "openspec.root", 1,
        outside(in_team(ejecting(two_checkouts), adopted=True))),
    Row("relocate_target_exists", "error", "openspec.archive", 1, in_team(relocated)),
    Row("relocate_destination_required", "error", "archive.destination", 1, in_team(pruning)),
]  # fmt: skip

_BASE = _from_commands() + _ROWS
ROWS = _BASE + _from_doctor({(row.code, row.severity) for row in _BASE})
