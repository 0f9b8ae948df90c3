"""What can be wrong with a workflow, one rule for each code.

A data table. Source: library §2.2 to §2.6.
"""

from __future__ import annotations

from rasen.base.findings import Level, Rule
from rasen.base.messages import N_, Phrase
from rasen.syntax.portable_path import REASONS


def _error(code: str, text: str, fix: str = "") -> Rule:
    return Rule(code, Level.ERROR, text, fix)


def _warning(code: str, text: str, fix: str = "") -> Rule:
    return Rule(code, Level.WARNING, text, fix)


_ID_FORM = N_("use small letters, digits and hyphens, at most 64, and begin with no hyphen")

# The tree
NOT_A_DIRECTORY = _error(
    "source_not_directory",
    N_("{file} is no folder of its own"),
    N_("name the folder of a workflow; a link to one does not do"),
)
SOURCE_UNREADABLE = _error("source_unreadable", N_("{file} cannot be read: {problem}"))
SYMLINK = _error(
    "symlink_forbidden",
    N_("{file} is a link; a workflow has files and folders only"),
    N_("put the file itself there"),
)
SPECIAL = _error(
    "special_file_forbidden", N_("{file} is neither a file nor a folder"), N_("remove it")
)
ENTRIES = _error(
    "entry_limit_exceeded", N_("{file} holds {actual} files; at most {limit} are allowed")
)
FILE_SIZE = _error("file_too_large", N_("{file} has {actual} bytes; at most {limit} are allowed"))
CONTENT = _error(
    "content_limit_exceeded",
    N_("the files in {file} have {actual} bytes together; at most {limit} are allowed"),
)
ENTRY_CHANGED = _error(
    "entry_changed",
    N_("{file} changed while it was read"),
    N_("try again when nothing writes there"),
)
DIRECTORY_CHANGED = _error(
    "directory_changed",
    N_("the folder {file} changed while it was read"),
    N_("try again when nothing writes there"),
)
ENTRY_UNREADABLE = _error("entry_unreadable", N_("{file} cannot be looked at: {problem}"))
FILE_UNREADABLE = _error("file_unreadable", N_("{file} cannot be read: {problem}"))
DIRECTORY_UNREADABLE = _error(
    "directory_unreadable", N_("the folder {file} cannot be read: {problem}")
)

# The files
MANIFEST_MISSING = _error(
    "manifest_missing",
    N_("there is no workflow.yaml"),
    N_("see what one looks like: rasen workflow init <id> --output <folder>"),
)
SKILL_MISSING = _error(
    "skill_missing",
    N_("there is no SKILL.md"),
    N_("see what one looks like: rasen workflow init <id> --output <folder>"),
)
BOM = _error(
    "utf8_bom_forbidden", N_("{file} begins with a byte order mark"), N_("save it without one")
)
UTF8 = _error(
    "utf8_invalid", N_("{file} is not UTF-8: byte {offset} is wrong"), N_("save it as UTF-8")
)
UTF8_NAME = UTF8._replace(fix=N_("give it a name in UTF-8"))
PATHS = {
    code: _error(code, N_("'{path}' is no portable path: {reason}"), N_("rename it"))
    for code in REASONS
}
COLLISION = _error(
    "path_collision",
    N_("some systems cannot tell {file} from {other}"),
    N_("rename one of the two"),
)

# workflow.yaml
YAML = _error("yaml_invalid", N_("{file} is no YAML: {problem}"), N_("correct line {line}"))
YAML_QUOTES = _error(
    "yaml_invalid", N_("{file} is no YAML: {problem}"), N_("write line {line} so: {line_text}")
)
ALIAS = _error(
    "yaml_alias_forbidden",
    N_("{file} uses an alias (*{name})"),
    N_("write the value out a second time"),
)
SCHEMA = _error("manifest_schema_invalid", N_("{field}: {problem}"))
SCHEMA_NEAR = SCHEMA._replace(fix=N_("did you mean {nearest}?"))
SCHEMA_QUOTES = SCHEMA._replace(fix=N_("write line {line} so: {line_text}"))
ID = _error("workflow_id_invalid", N_("'{id}' cannot be the id of a workflow"), _ID_FORM)
ID_MISMATCH = _error(
    "workflow_id_mismatch",
    N_("the folder is called {directoryName}, the workflow says {manifestId}"),
    N_("give both the same name"),
)
TWICE = _error("duplicate_value", N_("'{value}' is listed twice"), N_("leave one out"))
DECLARED_TWICE = _error(
    "file_declared_twice",
    N_("{file} is declared more than once"),
    N_("leave it in one list, sidecars or scripts"),
)
RESERVED = _error(
    "reserved_file_declaration",
    N_("{file} belongs to every workflow and is not declared"),
    N_("take it out of the list"),
)
UNDECLARED = _error(
    "file_not_declared",
    N_("{file} is in the folder but not declared"),
    N_("add it to files: in workflow.yaml, or remove it"),
)
ABSENT = _error(
    "declared_file_missing",
    N_("{file} is declared but not there"),
    N_("add the file, or take it out of files: in workflow.yaml"),
)
COMMAND = _warning(
    "command_field_ignored",
    N_("`command:` means nothing any more"),
    N_("remove it; a title for people goes below skill:, as name"),
)
WORKFLOW_DEPENDENCY = _error(
    "workflow_dependency_invalid",
    N_("it names the workflow {dependency}, {reason}"),
    N_("correct it"),
)
SKILL_DEPENDENCY = _error(
    "skill_dependency_invalid", N_("'{dependency}' cannot be the name of a skill")
)
PIPELINE_DEPENDENCY = _error(
    "pipeline_dependency_invalid", N_("'{dependency}' cannot be the name of a pipeline"), _ID_FORM
)
SCHEMA_DEPENDENCY = _error(
    "schema_dependency_invalid", N_("'{dependency}' cannot be the name of a schema"), _ID_FORM
)

# SKILL.md
FRONT_MATTER_MISSING = _error(
    "skill_frontmatter_missing",
    N_("{file} does not begin with front matter"),
    N_("begin it with name: and description: between two lines of ---"),
)
FRONT_MATTER = _error("skill_frontmatter_invalid", N_("{field}: {problem}"))
FRONT_MATTER_NEAR = FRONT_MATTER._replace(fix=N_("did you mean {nearest}?"))
FRONT_MATTER_QUOTES = _error(
    "skill_frontmatter_invalid", N_("{field}: {problem}"), N_("write line {line} so: {line_text}")
)
EMPTY_BODY = _error(
    "skill_instructions_empty",
    N_("{file} has no instructions"),
    N_("write them below the front matter"),
)
SKILL_NAME = _error("skill_name_invalid", N_("'{name}' cannot be the name of a skill"), _ID_FORM)
REFERENCE = _error(
    "sidecar_reference_unresolved",
    N_("it refers to {reference}, which is no declared file"),
    N_("add the file and declare it, or correct the reference"),
)
PLACEHOLDER = _error(
    "placeholder_forbidden",
    N_("the placeholder {placeholder} was left unfilled"),
    N_("put the text there"),
)
LEGACY_NAMESPACE = _warning(
    "legacy_namespace_reference",
    N_("it names {reference}, which is called rasen now"),
    N_("write the present name"),
)
MACHINE_PATH = _warning(
    "absolute_machine_path",
    N_("it names {reference}, a place on one machine"),
    N_("use a path relative to the project"),
)

# The catalogue
REGISTRY_UNREADABLE = _error(
    "registry_unreadable", N_("the folder of your workflows cannot be read: {problem}")
)
NOT_A_FOLDER = _error(
    "registry_entry_not_directory",
    N_("{file} is no folder, so it is no workflow"),
    N_("move it away"),
)
ID_COLLISION = _error(
    "workflow_id_collision",
    N_("the id {workflowId} belongs to another workflow ({owner})"),
    N_("give it another id"),
)
NAME_COLLISION = _error(
    "skill_name_collision",
    N_("the skill name {skillName} belongs to {owner}"),
    N_("give the skill another name in SKILL.md"),
)
CYCLE = _error(
    "workflow_dependency_cycle",
    N_("{workflowId} requires itself: {cycle}"),
    N_("take one of them out of requires:"),
)
DEPENDENCY_MISSING = _error(
    "workflow_dependency_missing",
    N_("{workflowId} requires the workflow {dependency}, which is not installed"),
    N_("install {dependency}, or take it out of requires:"),
)
DEPENDENCY_BROKEN = WORKFLOW_DEPENDENCY._replace(fix=N_("mend {dependency} first"))
NO_ID = Phrase(N_("which cannot be the id of one"))
BROKEN = Phrase(N_("which is invalid itself"))
SKILL_MISSING_DEPENDENCY = _error(
    "skill_dependency_missing",
    N_("{workflowId} requires the skill {dependency}, and no expert is called so"),
    N_("correct the name, or take it out of requires:"),
)
PIPELINE_MISSING = _error(
    "pipeline_dependency_missing",
    N_("{workflowId} requires the pipeline {dependency}, which is not there"),
    N_("install {dependency}, or take it out of requires:"),
)
SCHEMA_MISSING = _error(
    "schema_dependency_missing",
    N_("{workflowId} requires the schema {dependency}, which is not there"),
    N_("install {dependency}, or take it out of requires:"),
)
RECOMMENDED_MISSING = _warning(
    "recommended_workflow_missing",
    N_("{workflowId} recommends the workflow {dependency}, which is not installed"),
)
