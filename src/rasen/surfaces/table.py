"""Every operation, one plain row each; importing this loads no subsystem.

A data table: it may grow beyond the usual module size.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from rasen.base.messages import N_

CLI = "cli"
MCP = "mcp"
_COMMANDS = "rasen.surfaces.cli.commands."


class Effect(Enum):
    """What running an operation may do to the world."""

    READS = "reads"
    WRITES = "writes"
    SPAWNS = "spawns"
    DESTROYS = "destroys"


class Operation(NamedTuple):
    """One thing the program can do.

    name: the words typed. A row whose name is the beginning of other rows' names is the one click
    object that handles them all (`config` and its verbs; `instructions`, which takes `apply` as
    an artifact). help: a template marked with N_. shows: the surfaces that offer it.
    command: where the click object is. run: the use case behind it; empty when the surface is all.
    """

    name: str
    help: str
    effect: Effect
    shows: tuple[str, ...]
    command: str
    run: str = ""
    hidden: bool = False


def _row(
    name: str, text: str, effect: Effect, command: str, run: str = "", *, hidden: bool = False
) -> Operation:
    return Operation(name, text, effect, (CLI,), _COMMANDS + command, run, hidden)


R, W, S, D = Effect.READS, Effect.WRITES, Effect.SPAWNS, Effect.DESTROYS

GROUPS: dict[str, str] = {
    "change": N_("Look after what a change is based on"),
    "completion": N_("Set up tab completion for your shell"),
    "new": N_("Create something new"),
    "package": N_("Look into packages, sign them and check who signed"),
    "pipeline": N_("Look into and check pipelines: stages that agents go through"),
    "schema": N_("Look into, check, copy and create schemas (experimental)"),
    "session": N_("Tell a launched agent where it plans and works"),
    "task": N_("List the tasks of a change and mark them"),
    "work": N_("Look after files of running changes"),
    "workflow": N_("Look into, check, install and hand on workflows for agents"),
}
"""The first words that only lead to further words, and their one-line help."""

# fmt: off
OPERATIONS: tuple[Operation, ...] = (
    _row("__complete", N_("Print values for tab completion"), R,
         "completion:complete", "rasen.upkeep.completion_values:of_kind", hidden=True),
    _row("archive", N_("Merge a finished change into the specs and file it away"), D,
         "archive:archive", "rasen.planning.archive.ops:archive"),
    _row("archive relocate", N_("Move archived changes into the repository or out of it"), D,
         "relocate:relocate", "rasen.upkeep.relocate:relocate"),
    _row("budget", N_("Show what the skills of each agent cost"), R,
         "owned:budget", "rasen.upkeep.budget:budget"),
    _row("change base", N_("Show or record what the author of a change saw of the specs"), W,
         "change_base:base", "rasen.planning.change_base:show"),
    _row("change lane", N_("Show or change how much of its schema a change goes through"), W,
         "lane:lane", "rasen.planning.change_lane:move"),
    _row("completion generate", N_("Print the completion script of a shell"), R,
         "completion:generate"),
    _row("completion install", N_("Install tab completion for a shell"), W,
         "completion:install", "rasen.upkeep.shell_completion:install"),
    _row("completion uninstall", N_("Remove what completion install added"), W,
         "completion:uninstall", "rasen.upkeep.shell_completion:uninstall"),
    _row("config", N_("Show and change settings"), W, "config:config", "rasen.config.ops:entries"),
    _row("config edit", N_("Open the global settings in your editor"), S,
         "config:edit", "rasen.config.ops:edit"),
    _row("config get", N_("Print one setting"), R, "config:get", "rasen.config.ops:get_value"),
    _row("config list", N_("Print all settings"), R,
         "config:list_settings", "rasen.config.ops:listing"),
    _row("config path", N_("Print where the settings file is"), R,
         "config:path", "rasen.config.ops:machine_path"),
    _row("config profile", N_("The same as `rasen profile`"), W, "config:profile",
         "rasen.profiles.ops:use"),
    _row("config reset", N_("Put the global settings back to their defaults"), D,
         "config:reset", "rasen.config.ops:reset"),
    _row("config set", N_("Change one setting"), W,
         "config:set_value", "rasen.config.ops:set_value"),
    _row("config ui", N_("Say which command opens the settings page"), R, "config:ui"),
    _row("config unset", N_("Remove one setting"), W, "config:unset", "rasen.config.ops:unset"),
    _row("context", N_("Show a root and what it refers to"), W,
         "context:context", "rasen.upkeep.context:gather"),
    _row("diff", N_("Show what a change makes different in the specs"), R,
         "preview:diff", "rasen.planning.preview:diff"),
    _row("doctor", N_("Look after a root and what it is related to"), D,
         "doctor:doctor", "rasen.upkeep.doctor:examine"),
    _row("experimental", N_("The old name of init"), W,
         "workspace:experimental", "rasen.upkeep.init:init", hidden=True),
    _row("explain", N_("Say what an archive would do with each line of a change"), R,
         "preview:explain", "rasen.planning.preview:explain"),
    _row("footprint", N_("List every file of ours in a project, and why it is there"), R,
         "owned:footprint", "rasen.upkeep.footprint:footprint"),
    _row("history", N_("Tell which change made each requirement what it is"), R,
         "history:history", "rasen.planning.past.history:history"),
    _row("init", N_("Make a workspace here"), W, "workspace:init", "rasen.upkeep.init:init"),
    _row("instructions", N_("Say how to write an artifact, or how to apply the tasks"), R,
         "instructions:instructions", "rasen.planning.guidance:instructions"),
    _row("instructions apply", N_("Say how to work through the tasks of a change"), R,
         "instructions:instructions", "rasen.planning.guidance:apply_instructions"),
    _row("list", N_("List changes or specs"), R,
         "reading:list_items", "rasen.planning.ops:list_changes"),
    _row("lock", N_("Lock which workflows and profiles a project wants"), W,
         "lock:lock", "rasen.packages.ops:lock"),
    _row("lock install", N_("Install exactly what is locked"), W,
         "lock:install", "rasen.packages.ops:lock_install"),
    _row("migrate", N_("Copy an OpenSpec tree into a workspace"), W,
         "workspace:migrate", "rasen.upkeep.migrate:migrate"),
    _row("new change", N_("Start a change"), W,
         "change:new_change", "rasen.planning.new_change:create"),
    _row("outdated", N_("Compare what is locked with its sources and with what is installed"), R,
         "lock:outdated", "rasen.packages.ops:outdated"),
    _row("overlap", N_("Find open changes that touch the same requirements"), R,
         "overlap:overlap", "rasen.planning.overlaps.ops:overlaps"),
    _row("package inspect", N_("Show what is in a package without installing it"), R,
         "package:inspect", "rasen.packages.ops:inspect"),
    _row("package sign", N_("Sign a package with an SSH key"), W,
         "package:sign", "rasen.packages.ops:sign"),
    _row("package verify", N_("Check a package and its signature"), W,
         "package:verify", "rasen.packages.ops:verify"),
    _row("pipeline classify", N_("Suggest a pipeline for a task"), R,
         "pipeline:classify", "rasen.pipelines.ops:classify"),
    _row("pipeline list", N_("List pipelines"), R,
         "pipeline:list_pipelines", "rasen.pipelines.ops:listing"),
    _row("pipeline show", N_("Show the stages of a pipeline and what counts for each"), R,
         "pipeline:show", "rasen.pipelines.ops:show"),
    _row("pipeline validate", N_("Check a pipeline"), R,
         "pipeline:validate", "rasen.pipelines.ops:validate"),
    _row("profile", N_("Choose which workflows this machine wants"), W,
         "profile:profile", "rasen.profiles.ops:apply"),
    _row("profile delete", N_("Delete a saved profile"), D,
         "profile:delete", "rasen.profiles.ops:delete"),
    _row("profile export", N_("Write a profile to a file"), W,
         "profile:export_profile", "rasen.profiles.ops:export_plain"),
    _row("profile import", N_("Save the profile in a file"), W,
         "profile:import_profile", "rasen.profiles.ops:import_plain"),
    _row("profile list", N_("List profiles"), R,
         "profile:list_profiles", "rasen.profiles.ops:listing"),
    _row("profile new", N_("Save a profile, and use it"), W,
         "profile:new", "rasen.profiles.ops:save"),
    _row("profile update", N_("Change a saved profile"), W,
         "profile:update", "rasen.profiles.ops:save"),
    _row("profile use", N_("Make a profile the selection of this machine"), W,
         "profile:use", "rasen.profiles.ops:use"),
    _row("schema fork", N_("Copy a schema into this workspace to change it"), W,
         "schema:fork", "rasen.planning.schemas.authoring:fork"),
    _row("schema init", N_("Create a schema in this workspace"), W,
         "schema:init", "rasen.planning.schemas.authoring:create"),
    _row("schema validate", N_("Check a schema and its templates"), R,
         "schema:validate", "rasen.planning.schemas.ops:validate"),
    _row("schema which", N_("Say where a schema comes from"), R,
         "schema:which", "rasen.planning.schemas.ops:where"),
    _row("schemas", N_("List the schemas that can be used here"), R,
         "schemas:schemas", "rasen.planning.schemas.ops:available"),
    _row("session check", N_("Say in which checkout work bound to a project goes on"), R,
         "session:check", "rasen.roots.sessions:check"),
    _row("session end", N_("End a session"), D,
         "session:end", "rasen.roots.sessions:end"),
    _row("session show", N_("Show the session we are in"), R,
         "session:show", "rasen.roots.sessions:current"),
    _row("session start", N_("Start a session for an agent"), W,
         "session:start", "rasen.roots.sessions:start"),
    _row("show", N_("Show a change or a spec"), R,
         "reading:show", "rasen.planning.ops:show_document"),
    _row("status", N_("Show how far the artifacts of a change are"), R,
         "change:status", "rasen.planning.guidance:status"),
    _row("store", N_("Set up, register and look after stores"), W, "store:store"),
    _row("store add-project", N_("Make a project a member of a store"), W,
         "store_membership:add_project", "rasen.stores.add_project:add_project"),
    _row("store adopt", N_("Move the planning of a project into a store"), D,
         "store_moves:adopt", "rasen.stores.adopt:adopt"),
    _row("store doctor", N_("Say what is wrong with registered stores"), R,
         "store:doctor", "rasen.stores.inspect:doctor"),
    _row("store eject", N_("Move the planning of a project out of a store"), D,
         "store_moves:eject", "rasen.stores.eject:eject"),
    _row("store list", N_("List the stores of this machine"), R,
         "store:list_stores", "rasen.stores.listing:registered"),
    _row("store ls", N_("List the stores of this machine"), R,
         "store:list_stores", "rasen.stores.listing:registered", hidden=True),
    _row("store migrate-membership", N_("Turn older data of a store into records of its members"), W,
         "store_membership:migrate_membership", "rasen.stores.migrate:migrate"),
    _row("store register", N_("Register a checkout of a store on this machine"), W,
         "store:register", "rasen.stores.register:register"),
    _row("store remove", N_("Forget a store and delete its folder"), D,
         "store:remove", "rasen.stores.remove:remove"),
    _row("store setup", N_("Make a store and register it"), W,
         "store:setup", "rasen.stores.setup:setup"),
    _row("store sync", N_("Bring a store and its remote together"), W,
         "store_sync:sync", "rasen.upkeep.store_sync:sync"),
    _row("store unregister", N_("Forget a store on this machine; its files stay"), W,
         "store:unregister", "rasen.stores.remove:unregister"),
    _row("store upgrade-identity", N_("Give a store its permanent identity"), W,
         "store:upgrade_identity", "rasen.stores.identity:upgrade_identity"),
    _row("sync", N_("Merge a change into the specs and keep it open"), W,
         "sync:sync", "rasen.planning.archive.sync:sync"),
    _row("task done", N_("Mark a task as done"), W, "task:done", "rasen.planning.task_ops:mark"),
    _row("task list", N_("List the tasks of a change"), R,
         "task:list_tasks", "rasen.planning.task_ops:board"),
    _row("task reopen", N_("Mark a task as open again"), W,
         "task:reopen", "rasen.planning.task_ops:mark"),
    _row("task start", N_("Mark a task as in progress"), W,
         "task:start", "rasen.planning.task_ops:mark"),
    _row("templates", N_("Say where the templates of a schema are"), R,
         "schemas:templates", "rasen.planning.schemas.ops:templates"),
    _row("undo", N_("Take back an archive or a sync"), D,
         "undo:undo", "rasen.planning.archive.undo:undo"),
    _row("uninstall", N_("Remove what we generated in a project, and exactly that"), D,
         "owned:uninstall", "rasen.upkeep.remove:remove"),
    _row("update", N_("Bring the skills of your agents up to date"), W,
         "update:update", "rasen.upkeep.update:update"),
    _row("validate", N_("Check changes and specs"), R,
         "validate:validate", "rasen.planning.ops:validate"),
    _row("view", N_("Show an overview of the workspace"), R,
         "reading:view", "rasen.planning.ops:overview"),
    _row("work migrate", N_("Move files of running changes out of the repository"), W,
         "work:migrate", "rasen.upkeep.work_migrate:migrate"),
    _row("workflow delete", N_("Take a workflow out of the library"), D,
         "workflow_moves:delete", "rasen.upkeep.workflow_library:delete"),
    _row("workflow diff", N_("Compare an installed workflow with another version"), R,
         "workflow_upgrade:diff", "rasen.packages.ops:difference"),
    _row("workflow export", N_("Write a workflow to a package"), W,
         "workflow_moves:export_workflow", "rasen.packages.ops:export_workflow"),
    _row("workflow import", N_("Install workflows from a package or a folder"), W,
         "workflow_moves:import_workflow", "rasen.packages.ops:import_workflows"),
    _row("workflow init", N_("Begin a workflow, or make some of skills"), W,
         "workflow_moves:init", "rasen.workflows.ops:draft"),
    _row("workflow list", N_("List workflows"), R,
         "workflow:list_workflows", "rasen.upkeep.workflow_library:listing"),
    _row("workflow show", N_("Show a workflow and who uses it"), R,
         "workflow:show", "rasen.upkeep.workflow_library:show"),
    _row("workflow upgrade", N_("Replace an installed workflow by another version, or go back"), W,
         "workflow_upgrade:upgrade", "rasen.packages.ops:upgrade"),
    _row("workflow validate", N_("Check a workflow or a package"), R,
         "workflow:validate", "rasen.upkeep.workflow_library:validate"),
    _row("workflow which", N_("Say where a workflow comes from"), R,
         "workflow:which", "rasen.upkeep.workflow_library:which"),
    _row("workset", N_("Open folders together"), S,
         "workset:workset"),
    _row("workset create", N_("Remember folders under a name, to open them together"), W,
         "workset:create", "rasen.worksets.ops:create"),
    _row("workset list", N_("List the worksets of this machine"), R,
         "workset:list_worksets", "rasen.worksets.ops:listing"),
    _row("workset open", N_("Open a workset and wait for the program that does it"), S,
         "workset:open_workset", "rasen.worksets.ops:launch"),
    _row("workset remove", N_("Forget a workset; its folders stay as they are"), D,
         "workset:remove", "rasen.worksets.ops:remove"),
)
# fmt: on


def find(name: str) -> Operation | None:
    """The row named exactly `name`; None when there is none."""
    return next((row for row in OPERATIONS if row.name == name), None)


def resolve(target: str) -> Any:
    """The object that a dotted target of a row names; imports its module."""
    import importlib

    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def children(prefix: str) -> list[tuple[str, str, bool]]:
    """The words that may follow `prefix` ("" for the first word): word, help, hidden; sorted.

    Words below a row that handles its own (see Operation) are listed only when `prefix` names it.
    """
    depth = len(prefix.split())
    found: dict[str, tuple[str, str, bool]] = {}
    for row in OPERATIONS:
        words = row.name.split()
        if words[:depth] != prefix.split() or len(words) <= depth:
            continue
        word = words[depth]
        if len(words) == depth + 1:
            found[word] = (word, row.help, row.hidden)
        elif word not in found:
            found[word] = (word, GROUPS.get(" ".join(words[: depth + 1]), ""), False)
    return [found[word] for word in sorted(found)]
