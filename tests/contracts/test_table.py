"""The operation table and what it points to agree."""

from __future__ import annotations

import inspect

import click
import pytest
from tests.support.source import modules

from rasen.surfaces import table
from rasen.surfaces.cli.group import program, resolve

REASONS: dict[str, tuple[str, ...]] = {
    "selects the root that a command works on, or reads what the root says": (
        "rasen.roots.ops:action_context",
        "rasen.roots.ops:heal",
        "rasen.roots.ops:here",
        "rasen.roots.ops:references",
        "rasen.roots.ops:select",
        "rasen.roots.ops:settings",
        "rasen.roots.ops:store_settings",
        "rasen.stores.ops:check",
        "rasen.stores.ops:follow",
        "rasen.stores.ops:is_registered",
        "rasen.stores.ops:reference_index",
        "rasen.stores.ops:registry",
        "rasen.stores.ops:resolve",
        "rasen.stores.ops:try_follow",
        "rasen.stores.ops:try_registry",
        "rasen.stores.ops:unavailable",
    ),
    "settings that every command reads": (
        "rasen.config.ops:effective",
        "rasen.config.ops:global_config",
        "rasen.config.ops:language",
        "rasen.config.ops:project_config",
        "rasen.config.ops:project_config_path",
        "rasen.config.ops:store_declaration",
    ),
    "agents and generated files, for init, update, footprint and uninstall": (
        "rasen.hosts.ops:chosen",
        "rasen.hosts.ops:host",
        "rasen.hosts.ops:is_selectable",
        "rasen.ownership.ops:apply",
        "rasen.ownership.ops:ledger",
        "rasen.ownership.ops:plan_site",
        "rasen.ownership.ops:reader",
    ),
    "what is selected, for init, update and pipelines": (
        "rasen.profiles.ops:effective",
        "rasen.profiles.ops:machine",
        "rasen.profiles.ops:normalised_ids",
        "rasen.workflows.ops:catalogue",
    ),
    "a step of the profile commands": (
        "rasen.config.ops:set_machine",
        "rasen.profiles.ops:current",
        "rasen.profiles.ops:deletable",
        "rasen.profiles.ops:offered",
        "rasen.profiles.ops:package_name",
        "rasen.profiles.ops:user_workflows",
        "rasen.profiles.ops:with_retention",
    ),
    "pipelines in `validate`": (
        "rasen.pipelines.ops:check_own",
        "rasen.pipelines.ops:names",
        "rasen.pipelines.ops:own_names",
    ),
    "a step, or another form, of a workflow command": (
        "rasen.packages.ops:upgrade_back",
        "rasen.pipelines.ops:machine_names",
        "rasen.pipelines.ops:own",
        "rasen.workflows.ops:check_removable",
        "rasen.workflows.ops:convert",
        "rasen.workflows.ops:delete",
    ),
    "packages, for whichever command meets one": (
        "rasen.packages.ops:check_package",
        "rasen.packages.ops:export_profile",
        "rasen.packages.ops:import_profile",
        "rasen.packages.ops:known",
        "rasen.packages.ops:load",
        "rasen.packages.ops:unusable",
    ),
    "a step of `config set` and `config unset`": (
        "rasen.config.ops:coerce",
        "rasen.config.ops:is_in_scope",
        "rasen.config.ops:taken",
    ),
    "homes of projects, used by init, status and archive": (
        "rasen.projects.ops:archive_dir_external",
        "rasen.projects.ops:home_of",
        "rasen.projects.ops:is_there",
        "rasen.projects.ops:register",
        "rasen.projects.ops:work_dir",
    ),
    "a step of `archive`, which asks between them": (
        "rasen.planning.archive.ops:advice",
        "rasen.planning.archive.ops:finish",
        "rasen.planning.archive.ops:prepare",
    ),
    "a part of `list`, `show`, `validate` or `archive`": (
        "rasen.planning.ops:all_items",
        "rasen.planning.ops:change_headline",
        "rasen.planning.ops:find_item",
        "rasen.planning.ops:item_names",
        "rasen.planning.ops:list_specs",
        "rasen.planning.ops:misplaced_changes",
        "rasen.planning.ops:plan",
        "rasen.planning.ops:show_text",
        "rasen.planning.ops:spec_document_of",
        "rasen.planning.ops:spec_ids",
    ),
    "a step of `validate --fix`, which asks between them": (
        "rasen.planning.fixes.ops:apply",
        "rasen.planning.fixes.ops:fixable",
        "rasen.planning.fixes.ops:prepare",
    ),
    "a step of `workset create` and `workset open`, which ask between them": (
        "rasen.worksets.ops:check_name",
        "rasen.worksets.ops:find",
        "rasen.worksets.ops:prepare",
        "rasen.worksets.ops:tools",
    ),
    "a part of the schema commands": (
        "rasen.planning.schemas.ops:load",
        "rasen.planning.schemas.ops:names",
        "rasen.planning.schemas.ops:validate_project",
    ),
}
WITHOUT_A_ROW = {target: reason for reason, targets in REASONS.items() for target in targets}
"""Public use cases that no row names, each with the reason."""

NAMES = [row.name for row in table.OPERATIONS]


def test_rows_are_sorted_and_unique() -> None:
    assert sorted(set(NAMES)) == NAMES


@pytest.mark.parametrize("row", table.OPERATIONS, ids=NAMES)
def test_the_command_of_a_row_is_a_click_command(row: table.Operation) -> None:
    command = resolve(row.command)

    assert isinstance(command, click.Command)


@pytest.mark.parametrize(
    "row", [row for row in table.OPERATIONS if row.run], ids=lambda row: row.name
)
def test_the_use_case_of_a_row_exists(row: table.Operation) -> None:
    assert callable(resolve(row.run))


@pytest.mark.parametrize("row", table.OPERATIONS, ids=NAMES)
def test_the_words_of_a_row_lead_to_its_command(row: table.Operation) -> None:
    group: click.Command = program()
    words = row.name.split()
    with click.Context(group, resilient_parsing=True) as ctx:
        while words and isinstance(group, click.Group):
            _, child, words = group.resolve_command(ctx, words)
            assert child is not None
            group = child

    assert group is resolve(row.command)


@pytest.mark.parametrize("row", table.OPERATIONS, ids=NAMES)
def test_every_visible_flag_is_explained(row: table.Operation) -> None:
    command = resolve(row.command)

    assert [
        param.name
        for param in command.params
        if isinstance(param, click.Option) and not param.hidden and not param.help
    ] == []


def test_every_first_word_of_two_is_a_row_or_a_group() -> None:
    first = {name.rpartition(" ")[0] for name in NAMES if " " in name}

    assert first <= set(NAMES) | set(table.GROUPS)


def test_every_command_module_is_in_the_table() -> None:
    known = {row.command.partition(":")[0] for row in table.OPERATIONS}
    there = {
        module.__name__
        for module in modules()
        if module.__name__.startswith("rasen.surfaces.cli.commands.")
        and any(isinstance(item, click.Command) for item in vars(module).values())
    }

    assert there <= known


def test_every_use_case_has_a_row_or_a_reason() -> None:
    offered = {row.run for row in table.OPERATIONS}
    public = {
        f"{module.__name__}:{name}"
        for module in modules()
        if module.__name__.endswith(".ops")
        for name, item in vars(module).items()
        if inspect.isfunction(item) and item.__module__ == module.__name__ and name[0] != "_"
    }

    assert sorted(public - offered - set(WITHOUT_A_ROW)) == []
    assert sorted(set(WITHOUT_A_ROW) - public) == []
