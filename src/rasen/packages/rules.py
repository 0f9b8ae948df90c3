"""What can keep a package from being decoded, one rule for each code.

A data table; what a workflow's own files share with it stands in `workflows.rules`. Source: library §3.4, §3.5.
"""

from __future__ import annotations

from rasen.base.findings import Level, Rule
from rasen.base.messages import N_


def _rule(code: str, text: str, fix: str = "") -> Rule:
    return Rule(code, Level.ERROR, text, fix)


_AGAIN = N_("get {file} again from where it was made")
_UPDATE = N_("install a newer Rasen")

# The file
TOO_LARGE = _rule(
    "package_too_large", N_("{file} has {actual} bytes; a package has at most {limit}")
)
EMPTY = _rule("package_empty", N_("{file} is empty"), _AGAIN)
BOM = _rule("package_bom_forbidden", N_("{file} begins with a byte order mark"), _AGAIN)
UTF8 = _rule("package_utf8_invalid", N_("{file} is not UTF-8: byte {offset} is wrong"), _AGAIN)
JSON = _rule("package_json_invalid", N_("{file} is not strict JSON: {problem}"), _AGAIN)
NEWER_FORMAT = _rule(
    "package_format_unsupported",
    N_("{file} has format version {formatVersion}; this program reads version {supported}"),
    _UPDATE,
)
NEWER_RASEN = _rule(
    "package_requires_newer_rasen",
    N_("{file} needs Rasen {minRasenVersion} or newer; this is {runningVersion}"),
    _UPDATE,
)
SCHEMA = _rule("package_schema_invalid", N_("{file} has not the form of a package: {problem}"))
KIND = _rule(
    "package_kind_mismatch", N_("{file} is a package of the kind {actual}; {expected} was expected")
)
NON_CANONICAL = _rule(
    "package_non_canonical",
    N_("{file} is not in the canonical form (RFC 8785); it differs from byte {offset} on"),
    _AGAIN,
)
DIGEST = _rule(
    "package_digest_mismatch", N_("{file} claims the digest {expected} and has {actual}"), _AGAIN
)

# How much is in it
WORKFLOW_LIMIT = _rule(
    "workflow_limit_exceeded", N_("{file} holds {actual} workflows; at most {limit} are allowed")
)
FILE_LIMIT = _rule(
    "file_limit_exceeded", N_("{path} in {file} has {actual} bytes; at most {limit} are allowed")
)

# Its workflows and files
WORKFLOW_TWICE = _rule("workflow_duplicate", N_("{file} holds the workflow {id} twice"))
PATH_TWICE = _rule("file_path_duplicate", N_("{id} in {file} holds {path} twice"))
PATH_COLLISION = _rule(
    "file_path_collision", N_("{path} and {other} in {id} are one name on some systems")
)
FILE_DIGEST = _rule(
    "file_digest_mismatch",
    N_("{path} of {id} claims the digest {expected} and has {actual}"),
    _AGAIN,
)
FILE_MISSING = _rule("workflow_required_file_missing", N_("the workflow {id} has no {path}"))
MANIFEST = _rule("packaged_manifest_invalid", N_("the manifest of {id} cannot be used: {problem}"))
MANIFEST_ID = _rule(
    "packaged_manifest_id_mismatch", N_("the manifest of {id} says that its id is {actual}")
)
WORKFLOW_DIGEST = _rule(
    "workflow_digest_mismatch", N_("{id} claims the digest {expected} and has {actual}"), _AGAIN
)

# What it is about
ROOTS_EMPTY = _rule("package_roots_empty", N_("{file} names nothing that it is about"))
ROOT_TWICE = _rule("package_root_duplicate", N_("{file} names {id} twice among its roots"))
ROOT_MISSING = _rule("package_root_missing", N_("{file} is about {id} and does not hold it"))
PROFILE_ID = _rule("profile_workflow_id_invalid", N_("'{id}' in the profile is no id"))
PROFILE_TWICE = _rule("profile_workflow_duplicate", N_("the profile names {id} twice"))
ROOT_UNSELECTED = _rule(
    "profile_root_not_selected", N_("{file} is about {id}, which its profile does not select")
)
PROFILE_MISSING = _rule(
    "profile_workflow_missing",
    N_("the profile selects {id}, which is not built in and not in {file}"),
)
PROFILE_ROOTS = _rule(
    "profile_roots_mismatch",
    N_("the roots of {file} are {actual}; its profile selects {expected} of what it holds"),
)
DEPENDENCY = _rule(
    "package_dependency_missing",
    N_("{id} requires {dependency}, which is not built in and not in {file}"),
)
UNREACHABLE = _rule(
    "package_workflow_unreachable", N_("{file} holds {id}, which nothing in it needs")
)

# Pipelines
PIPELINES_EMPTY = _rule("package_pipelines_empty", N_("{file} holds no pipeline"))
PIPELINE_ID = _rule("pipeline_id_invalid", N_("'{id}' cannot be the name of a pipeline"))
PIPELINE_TWICE = _rule("pipeline_duplicate", N_("{file} holds the pipeline {id} twice"))
PIPELINE_FILE = _rule("pipeline_required_file_missing", N_("the pipeline {id} has no {path}"))
PIPELINE = _rule("packaged_pipeline_invalid", N_("the pipeline {id} cannot be used: {problem}"))
PIPELINE_NAME = _rule(
    "packaged_pipeline_name_mismatch", N_("the pipeline {id} says that its name is {actual}")
)
PIPELINE_DIGEST = _rule(
    "pipeline_digest_mismatch", N_("{id} claims the digest {expected} and has {actual}"), _AGAIN
)
PIPELINE_ROOT = _rule(
    "pipeline_root_missing", N_("{file} holds the pipeline {id} and does not name it as a root")
)

# The order of its lists
_ORDER = N_("{file} lists {actual}; the order has to be {expected}")
WORKFLOWS_ORDER = _rule("package_workflows_not_normalized", _ORDER)
PIPELINES_ORDER = _rule("package_pipelines_not_normalized", _ORDER)
FILES_ORDER = _rule("package_files_not_normalized", _ORDER)
PROFILE_ORDER = _rule("profile_workflows_not_normalized", _ORDER)
ROOTS_ORDER = _rule("package_roots_not_normalized", _ORDER)

# Made by us
BUILT_IN = _rule(
    "builtin_workflow_forbidden", N_("{id} is built in; it is never put into a package")
)
