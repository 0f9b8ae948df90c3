"""What is taken for a package, and with which code everything else is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.packages import (
    NIGHTLY,
    TEAM_RELEASE,
    changed,
    entry,
    envelope,
    jcs,
    px2,
    px4,
    px5,
    sealed,
    sealed_entry,
    sha256,
    workflow_files,
)

from rasen.packages import ops
from rasen.packages.decode import decode
from rasen.packages.model import Kind, Package, PackageRefused

MIB = 1024 * 1024


def read(data: bytes | dict[str, Any], expected: Kind | None = None) -> Package:
    encoded = jcs(data) if isinstance(data, dict) else data
    return decode(encoded, ops.known(), file="x.rasenpkg", expected=expected)


def refused(data: bytes | dict[str, Any], expected: Kind | None = None) -> PackageRefused:
    with pytest.raises(PackageRefused) as caught:
        read(data, expected)
    assert str(caught.value)
    return caught.value


def workflow(*names: str, **more: Any) -> dict[str, Any]:
    """A package about the workflows `names`."""
    made = [entry(name, workflow_files(name)) for name in names]
    return envelope("workflow", names, workflows=made, **more)


def with_files(files: list[dict[str, Any]], *, name: str = "a") -> dict[str, Any]:
    """A package of one workflow with exactly these file entries."""
    made = sealed_entry({"id": name, "digest": "", "files": files})
    return envelope("workflow", [name], workflows=[made])


def file(path: str, content: str = "x", **more: Any) -> dict[str, Any]:
    made = {
        "path": path,
        "encoding": "utf8",
        "sha256": sha256(content.encode()),
        "content": content,
    }
    return {**made, **more}


def with_path(path: str, *others: str) -> dict[str, Any]:
    base = entry("a", workflow_files("a"))["files"]
    return with_files([*base, *(file(one) for one in (path, *others))])


@pytest.mark.requirement("PK-001", "PK-002", "PK-004", "PK-005", "PK-006", "PK-009", "PK-010")
def test_px_2_workflow_package() -> None:
    data = jcs(px2())

    package = read(data, Kind.WORKFLOW)

    assert len(data) == 991
    assert sha256(data) == "sha256:767151d897b98f99dbd659d93e5bd6cfe68364a89fab3e06ca400b156da04b60"
    assert package.digest == (
        "sha256:b9472d619e11b6bf46409301223b5d4da8d2692314a2509c61be939eb94575b3"
    )
    assert list(json.loads(data)) == [
        "format",
        "formatVersion",
        "kind",
        "packageDigest",
        "roots",
        "workflows",
    ]
    assert list(json.loads(data)["workflows"][0]["files"][0]) == [
        "content",
        "encoding",
        "path",
        "sha256",
    ]
    assert package.roots == ("team-release",)
    assert package.workflows[0].contents() == TEAM_RELEASE


@pytest.mark.requirement("PK-007", "PK-012", "PK-032", "PR-007")
def test_px_4_profile_packages() -> None:
    second = jcs(px4())
    first = jcs(
        px4(
            profile={
                "version": 1,
                "delivery": "skills",
                "workflows": ["apply", "team-release"],
            },
        )
    )
    first = jcs(changed(json.loads(first), minRasenVersion=None))
    solo = jcs(
        envelope(
            "profile",
            [],
            name="solo",
            profile={"version": 2, "workflows": ["apply"], "retention": "off"},
            minRasenVersion="0.1.5",
        )
    )

    assert [len(one) for one in (second, first, solo)] == [1112, 1085, 281]
    assert read(second, Kind.PROFILE).digest == (
        "sha256:f6481716b6ff539061281e97bfe9d9d0c3ce7875cc1017a94697a886915ceb12"
    )
    assert read(first).digest == (
        "sha256:bb7c4f42ec82976f80268ddd35f399deead279950c8a5eab0791fbeb53ca9fc7"
    )
    assert read(solo).digest == (
        "sha256:476318c6544f0eb0f02132937eae0194b9b3c9f25e9eee9820ec3b586fa2dbce"
    )


@pytest.mark.requirement("PK-008", "PK-033")
def test_px_5_pipeline_package() -> None:
    data = jcs(px5())

    package = read(data, Kind.PIPELINE)

    assert len(data) == 575
    assert package.digest == (
        "sha256:5bb6560e901e517bfd265ecdf9b2e80be27ca7db56959decff59ad32b588c31f"
    )
    assert package.pipelines[0].digest == (
        "sha256:2a2c33bf083894845af0b4c5bf9462eab1b48350f98df83ff2dfb63a0810ae08"
    )
    assert package.pipelines[0].files[0].sha256 == (
        "sha256:f8926461e533699daa7914f4949eb17adfb787db419fdcf44d644210dce0916a"
    )


@pytest.mark.requirement("PK-007")
def test_a_v1_profile_needs_no_delivery_and_may_name_what_is_retired() -> None:
    package = read(
        px4(profile={"version": 1, "workflows": ["apply", "retro-command", "team-release"]})
    )

    assert package.profile is not None
    assert package.profile.workflows == ("apply", "retro-command", "team-release")


@pytest.mark.requirement("PK-012", "PK-046")
def test_versions_up_to_ours_pass() -> None:
    assert read(workflow("a", minRasenVersion="0.2.0")).min_version == "0.2.0"
    assert read(workflow("a", minRasenVersion="0.2.0-rc.1+build.5")).min_version


FROZEN = Path(__file__).resolve().parents[1] / "frozen" / "package" / "v1"


@pytest.mark.requirement("PK-032", "PR-003")
@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("workflow", "b9472d619e11b6bf46409301223b5d4da8d2692314a2509c61be939eb94575b3"),
        ("profile", "f6481716b6ff539061281e97bfe9d9d0c3ce7875cc1017a94697a886915ceb12"),
        ("older-profile", "bb7c4f42ec82976f80268ddd35f399deead279950c8a5eab0791fbeb53ca9fc7"),
        ("pipeline", "5bb6560e901e517bfd265ecdf9b2e80be27ca7db56959decff59ad32b588c31f"),
    ],
)
def test_packages_of_old_are_read_for_ever(name: str, digest: str) -> None:
    data = (FROZEN / f"{name}.rasenpkg").read_bytes()

    assert read(data).digest == f"sha256:{digest}"


# The file and its JSON

_TEXT = jcs(px2()).decode()


def _json(text: str) -> bytes:
    assert text != _TEXT
    return text.encode()


BYTES: list[tuple[str, Callable[[], bytes], str]] = [
    ("empty", lambda: b"", "package_empty"),
    ("bom", lambda: b"\xef\xbb\xbf" + _TEXT.encode(), "package_bom_forbidden"),
    ("bom alone", lambda: b"\xef\xbb\xbf", "package_bom_forbidden"),
    ("utf-16", lambda: _TEXT.encode("utf-16"), "package_utf8_invalid"),
    ("latin-1", lambda: _TEXT.encode("latin-1", "replace"), "package_utf8_invalid"),
    ("surrogate in utf-8", lambda: b'"\xed\xa0\x80"', "package_utf8_invalid"),
    ("overlong", lambda: b'"\xc0\xaf"', "package_utf8_invalid"),
    ("no json", lambda: b"hello", "package_json_invalid"),
    ("zip", lambda: b"PK\x03\x04", "package_json_invalid"),
    ("cut", lambda: _TEXT.encode()[:-1], "package_json_invalid"),
    ("comment", lambda: _json("/* */" + _TEXT), "package_json_invalid"),
    ("trailing comma", lambda: _json(_TEXT[:-1] + ",}"), "package_json_invalid"),
    ("two documents", lambda: _json(_TEXT + _TEXT), "package_json_invalid"),
    (
        "duplicate key",
        lambda: _json(_TEXT.replace('"kind":', '"kind":"profile","kind":')),
        "package_json_invalid",
    ),
    (
        "duplicate key, escaped",
        lambda: _json(_TEXT.replace('"kind":', '"\\u006bind":"workflow","kind":')),
        "package_json_invalid",
    ),
    (
        "dangerous key",
        lambda: _json(_TEXT.replace('"kind":', '"__proto__":{},"kind":')),
        "package_json_invalid",
    ),
    (
        "lone surrogate",
        lambda: _json(_TEXT.replace("Caf", "Caf\\ud800")),
        "package_json_invalid",
    ),
    (
        "unsafe integer",
        lambda: _json(_TEXT.replace(":1,", ":9007199254740992,")),
        "package_json_invalid",
    ),
    ("newline at the end", lambda: _json(_TEXT + "\n"), "package_non_canonical"),
    ("blank", lambda: _json(_TEXT.replace(",", ", ", 1)), "package_non_canonical"),
    ("escaped letter", lambda: _json(_TEXT.replace("é", "\\u00e9")), "package_non_canonical"),
    (
        "escaped slash",
        lambda: _json(_TEXT.replace("references/policy.md`", "references\\/policy.md`")),
        "package_non_canonical",
    ),
    ("1.0", lambda: _json(_TEXT.replace(":1,", ":1.0,")), "package_non_canonical"),
    ("1e0", lambda: _json(_TEXT.replace(":1,", ":1e0,")), "package_non_canonical"),
    (
        "keys in another order",
        lambda: json.dumps(
            dict(reversed(json.loads(_TEXT).items())), ensure_ascii=False, separators=(",", ":")
        ).encode(),
        "package_non_canonical",
    ),
    (
        "upper-case escape",
        lambda: jcs(workflow("a", "b")).replace(b"Do it.", b"Do\\u001Fit."),
        "package_non_canonical",
    ),
    ("list", lambda: b"[]", "package_schema_invalid"),
    ("null", lambda: b"null", "package_schema_invalid"),
    ("number", lambda: b"1", "package_schema_invalid"),
    ("no members", lambda: b"{}", "package_schema_invalid"),
    ("many values", lambda: b"[" + b"1," * 9000 + b"1]", "package_schema_invalid"),
]


@pytest.mark.requirement(
    "PK-002", "PK-003", "PK-025", "PK-041", "PK-042", "PK-043", "PK-044", "PK-045", "PK-049"
)
@pytest.mark.parametrize(
    ("make", "code"), [one[1:] for one in BYTES], ids=[one[0] for one in BYTES]
)
def test_bytes_that_are_no_package(make: Callable[[], bytes], code: str) -> None:
    assert refused(make()).code == code


ISSUES = [
    ("json_duplicate_key", '{"a":1,"a":1}', 7),
    ("json_syntax_invalid", '{"a":1,}', 7),
    ("json_dangerous_key", '{"prototype":1}', 1),
    ("json_dangerous_key", '{"constructor":1}', 1),
    ("json_dangerous_key", '{"\\u005f_proto__":1}', 1),
    ("json_lone_surrogate", '{"😀":1,"\\udc00":1}', 8),
    ("json_lone_surrogate", '{"a":"\\ud83dx"}', 5),
    ("json_unsafe_integer", '{"a":-9007199254740992}', 5),
    ("json_depth_exceeded", "[" * 33 + "]" * 33, 32),
]


@pytest.mark.requirement("PK-044", "PK-045", "WF-072")
@pytest.mark.parametrize(("code", "text", "offset"), ISSUES)
def test_faults_of_the_json_are_listed_with_their_places(code: str, text: str, offset: int) -> None:
    issues: Any = refused(text.encode()).params["issues"]

    assert [(one["code"], one["offset"]) for one in issues] == [(code, offset)]
    assert issues[0]["message"]


@pytest.mark.requirement("PK-044")
def test_several_faults_of_the_json_are_all_listed() -> None:
    issues: Any = refused(b'{"a":1,"a":"\\ud800","__proto__":1e400,').params["issues"]

    assert [one["code"] for one in issues] == [
        "json_duplicate_key",
        "json_lone_surrogate",
        "json_dangerous_key",
        "json_unsafe_integer",
        "json_syntax_invalid",
    ]


# The form

FORMS: list[tuple[str, dict[str, Any], str]] = [
    ("kind", changed(px2(), kind="theme"), "kind"),
    ("format", changed(px2(), format="zip"), "format"),
    ("no roots", changed(px2(), roots=None), ""),
    ("unknown member", changed(px2(), signature="x"), ""),
    ("name in a workflow package", changed(px2(), name="x"), ""),
    ("profile in a workflow package", changed(px2(), profile=px4()["profile"]), ""),
    ("pipelines in a workflow package", changed(px2(), pipelines=[]), ""),
    ("version true", changed(px2(), formatVersion=True), "formatVersion"),
    ("version text", changed(px2(), formatVersion="1"), "formatVersion"),
    ("version 0", changed(px2(), formatVersion=0), "formatVersion"),
    ("no version", changed(px2(), formatVersion=None), ""),
    ("digest", {**px2(), "packageDigest": "sha256:00"}, "packageDigest"),
    ("digest in capitals", {**px2(), "packageDigest": "sha256:" + "A" * 64}, "packageDigest"),
    ("roots of numbers", changed(px2(), roots=[1]), "roots.0"),
    ("unreadable version", changed(px2(), minRasenVersion="soon"), "minRasenVersion"),
    ("newline in version", changed(px2(), minRasenVersion="0.1.5\n"), "minRasenVersion"),
    ("no name", changed(px4(), name=None), ""),
    ("no profile", changed(px4(), profile=None), ""),
    ("name", changed(px4(), name="Team"), "name"),
    ("name with a newline", changed(px4(), name="team\n"), "name"),
    (
        "retention",
        px4(profile={"version": 2, "workflows": [], "retention": "all"}),
        "profile",
    ),
    ("v2 without retention", px4(profile={"version": 2, "workflows": []}), "profile"),
    (
        "v2 with delivery",
        px4(profile={"version": 2, "workflows": [], "retention": "off", "delivery": "skills"}),
        "profile",
    ),
    (
        "v1 with retention",
        px4(profile={"version": 1, "workflows": [], "retention": "off"}),
        "profile",
    ),
    ("v3", px4(profile={"version": 3, "workflows": [], "retention": "off"}), "profile"),
    ("workflows of a pipeline package", changed(px5(), workflows=px2()["workflows"]), "workflows"),
    ("no pipelines", changed(px5(), pipelines=None), ""),
    (
        "unknown member of an entry",
        changed(px2(), workflows=[{**px2()["workflows"][0], "kind": "task"}]),
        "workflows.0",
    ),
    (
        "unknown member of a file",
        with_files([file("a", mode=493)]),
        "workflows.0.files.0",
    ),
    ("encoding", with_files([file("a", encoding="base64")]), "workflows.0.files.0.encoding"),
    ("content", with_files([{**file("a"), "content": 1}]), "workflows.0.files.0.content"),
    ("file digest", with_files([file("a", sha256="md5:0")]), "workflows.0.files.0.sha256"),
]


@pytest.mark.requirement("PK-103")
@pytest.mark.requirement(
    "PK-004", "PK-005", "PK-006", "PK-007", "PK-008", "PK-009", "PK-010", "PK-034", "PK-047", "SP-050",
    "SP-052",
)  # fmt: skip
@pytest.mark.parametrize(
    ("made", "where"), [one[1:] for one in FORMS], ids=[one[0] for one in FORMS]
)
def test_every_level_is_strict(made: dict[str, Any], where: str) -> None:
    refusal = refused(made)
    issues: Any = refusal.params["issues"]

    assert refusal.code == "package_schema_invalid"
    assert where in [one["details"]["path"] for one in issues]


@pytest.mark.requirement("PK-046")
@pytest.mark.parametrize("version", [2, 1.5, 99])
def test_a_later_format_is_named_before_its_form_is_judged(version: float) -> None:
    refusal = refused(json.dumps({"formatVersion": version, "new": [1]}).encode())

    assert refusal.code == "package_format_unsupported"
    assert (refusal.params["formatVersion"], refusal.params["supported"]) == (version, 1)


@pytest.mark.requirement("PK-046", "PR-007")
@pytest.mark.parametrize("version", ["0.2.1", "0.3.0-alpha", "1.0.0", "0.10.0"])
def test_a_package_for_a_later_program_says_so(version: str) -> None:
    refusal = refused(json.dumps({"minRasenVersion": version}).encode())

    assert refusal.code == "package_requires_newer_rasen"
    assert refusal.params["minRasenVersion"] == version
    assert refusal.params["runningVersion"] == "0.2.0"


@pytest.mark.requirement("PK-048")
def test_another_kind_than_expected() -> None:
    refusal = refused(px2(), Kind.PROFILE)

    assert refusal.code == "package_kind_mismatch"
    assert (refusal.params["actual"], refusal.params["expected"]) == ("workflow", "profile")


@pytest.mark.requirement("PK-048", "PK-049")
def test_the_kind_counts_before_the_canonical_form() -> None:
    assert refused(jcs(px2()) + b"\n", Kind.PROFILE).code == "package_kind_mismatch"


# What the members mean


def _wrong_file(**more: Any) -> dict[str, Any]:
    files = entry("a", workflow_files("a"))["files"]
    files[0].update(more)
    return with_files(files)


def _two(first: str, second: str) -> dict[str, Any]:
    """Two workflows, of which only the first is a root."""
    made = [
        entry("a", workflow_files("a", requires=[first] if first else [])),
        entry("b", workflow_files("b", requires=[second] if second else [])),
    ]
    return envelope("workflow", ["a"], workflows=made)


def _profile(ids: list[str], roots: list[str], held: list[str]) -> dict[str, Any]:
    return envelope(
        "profile",
        roots,
        name="x",
        profile={"version": 2, "workflows": ids, "retention": "off"},
        workflows=[entry(one, workflow_files(one)) for one in held],
    )


def _pipelines(*names: str, roots: list[str] | None = None) -> dict[str, Any]:
    made = [
        entry(name, {"pipeline.yaml": NIGHTLY.replace(b"nightly", name.encode())}, kind="pipeline")
        for name in names
    ]
    return envelope("pipeline", list(names) if roots is None else roots, pipelines=made)


def _pipeline(files: dict[str, bytes]) -> dict[str, Any]:
    made = entry("nightly", files, kind="pipeline")
    return envelope("pipeline", ["nightly"], pipelines=[made])


MEANINGS: list[tuple[str, dict[str, Any], str]] = [
    ("no root", workflow(), "package_roots_empty"),
    ("id", envelope("workflow", ["A"], workflows=[entry("A", {})]), "workflow_id_invalid"),
    ("id with newline", envelope("workflow", ["a"], workflows=[entry("a\n", {})]), "workflow_id_invalid"),
    ("twice", workflow("a", "a"), "workflow_duplicate"),
    ("path", with_path("z/../../etc"), "path_traversal"),
    ("absolute", with_path("/etc/passwd"), "path_absolute"),
    ("device", with_path("z/aux.md"), "path_windows_device"),
    ("path not composed", with_path("z/e\u0301"), "path_not_nfc"),
    ("path twice", with_path("z", "z"), "file_path_duplicate"),
    ("paths collide", with_path("z/STRASSE", "z/Straße"), "file_path_collision"),
    ("file digest", _wrong_file(sha256=sha256(b"?")), "file_digest_mismatch"),
    ("no manifest", with_files([file("SKILL.md")]), "workflow_required_file_missing"),
    ("no skill", with_files([file("workflow.yaml")]), "workflow_required_file_missing"),
    (
        "manifest is no YAML",
        with_files([file("SKILL.md"), file("workflow.yaml", "a: [")]),
        "packaged_manifest_invalid",
    ),
    (
        "manifest with an unknown field",
        with_files([file("SKILL.md"), file("workflow.yaml", "version: 1\nid: a\nx: 1\n")]),
        "packaged_manifest_invalid",
    ),
    (
        "manifest of another",
        with_files([file("SKILL.md"), file("workflow.yaml", "version: 1\nid: b\n")]),
        "packaged_manifest_id_mismatch",
    ),
    (
        "workflow digest",
        changed(px2(), workflows=[{**px2()["workflows"][0], "digest": sha256(b"?")}]),
        "workflow_digest_mismatch",
    ),
    (
        "root twice",
        changed(workflow("a"), roots=["a", "a"]),
        "package_root_duplicate",
    ),
    ("root missing", changed(workflow("a"), roots=["a", "b"]), "package_root_missing"),
    ("requires what is missing", _two("b", "c"), "package_dependency_missing"),
    ("unreachable", _two("", ""), "package_workflow_unreachable"),
    ("profile id", _profile(["apply", "A"], [], []), "profile_workflow_id_invalid"),
    ("profile twice", _profile(["apply", "apply"], [], []), "profile_workflow_duplicate"),
    ("root not selected", _profile(["apply"], ["a"], ["a"]), "profile_root_not_selected"),
    ("profile not self-contained", _profile(["apply", "a"], [], []), "profile_workflow_missing"),
    ("selected and no root", _profile(["a", "b"], ["a"], ["a", "b"]), "profile_roots_mismatch"),
    ("no pipelines", envelope("pipeline", ["a"], pipelines=[]), "package_pipelines_empty"),
    ("no pipeline root", _pipelines("nightly", roots=[]), "package_roots_empty"),
    (
        "pipeline name",
        envelope("pipeline", ["a b"], pipelines=[entry("a b", {}, kind="pipeline")]),
        "pipeline_id_invalid",
    ),
    ("pipeline twice", _pipelines("nightly", "nightly"), "pipeline_duplicate"),
    ("no pipeline file", _pipeline({"x": b""}), "pipeline_required_file_missing"),
    ("pipeline is no YAML", _pipeline({"pipeline.yaml": b"a: ["}), "packaged_pipeline_invalid"),
    ("pipeline invalid", _pipeline({"pipeline.yaml": b"name: nightly\n"}), "packaged_pipeline_invalid"),
    (
        "pipeline of another name",
        _pipeline({"pipeline.yaml": NIGHTLY.replace(b"nightly", b"daily")}),
        "packaged_pipeline_name_mismatch",
    ),
    (
        "pipeline digest",
        changed(px5(), pipelines=[{**px5()["pipelines"][0], "digest": sha256(b"?")}]),
        "pipeline_digest_mismatch",
    ),
    ("pipeline root twice", _pipelines("a", roots=["a", "a"]), "package_root_duplicate"),
    ("pipeline root missing", _pipelines("a", roots=["a", "b"]), "package_root_missing"),
    ("pipeline no root", _pipelines("a", "b", roots=["a"]), "pipeline_root_missing"),
    ("workflows unsorted", workflow("b", "a"), "package_workflows_not_normalized"),
    ("pipelines unsorted", _pipelines("b", "a"), "package_pipelines_not_normalized"),
    ("roots unsorted", changed(workflow("a", "b"), roots=["b", "a"]), "package_roots_not_normalized"),
    (
        "files unsorted",
        with_files(entry("a", workflow_files("a"))["files"][::-1]),
        "package_files_not_normalized",
    ),
    (
        "profile unsorted",
        _profile(["archive", "apply"], [], []),
        "profile_workflows_not_normalized",
    ),
    (
        "profile with ours last",
        _profile(["a", "apply"], ["a"], ["a"]),
        "profile_workflows_not_normalized",
    ),
    (
        "profile roots unsorted",
        _profile(["a", "b"], ["b", "a"], ["a", "b"]),
        "package_roots_not_normalized",
    ),
    ("package digest", {**px2(), "packageDigest": sha256(b"?")}, "package_digest_mismatch"),
]  # fmt: skip


@pytest.mark.requirement(
    "PK-020", "PK-022", "PK-023", "PK-050", "PK-061", "PK-062", "PK-064", "PK-066", "PK-067", "PK-068",
    "PK-069", "PK-070", "PK-071", "PK-072", "PK-073", "PR-035", "SP-006", "SP-024",
)  # fmt: skip
@pytest.mark.parametrize(
    ("made", "code"), [one[1:] for one in MEANINGS], ids=[one[0] for one in MEANINGS]
)
def test_what_the_members_mean(made: dict[str, Any], code: str) -> None:
    assert refused(made).code == code


@pytest.mark.requirement("PK-011", "PK-073")
def test_built_in_workflows_are_referred_to_and_not_held() -> None:
    made = envelope(
        "workflow", ["a"], workflows=[entry("a", workflow_files("a", requires=["apply"]))]
    )

    assert [one.id for one in read(made).workflows] == ["a"]


@pytest.mark.requirement("PK-073")
def test_workflows_that_require_each_other_over_some_steps_are_all_reached() -> None:
    needs = {"a": ["b"], "b": ["c"], "c": []}
    made = [entry(name, workflow_files(name, requires=more)) for name, more in needs.items()]

    assert len(read(envelope("workflow", ["a"], workflows=made)).workflows) == 3


@pytest.mark.requirement("PK-030", "SP-031")
def test_line_endings_are_part_of_the_content() -> None:
    with_lf = read(with_files(entry("a", workflow_files("a"))["files"]))
    files = {path: data.replace(b"\n", b"\r\n") for path, data in workflow_files("a").items()}
    with_crlf = read(with_files(entry("a", files)["files"]))

    assert with_lf.workflows[0].digest != with_crlf.workflows[0].digest
    assert with_crlf.workflows[0].contents() == files


@pytest.mark.requirement("PK-086")
def test_content_that_begins_with_a_mark_decodes() -> None:
    files = workflow_files("a", more={"references/x.md": "\ufeffx".encode()})

    assert read(with_files(entry("a", files)["files"])).workflows[0].contents() == files


# Limits


def _sized(size: int, *, name: str = "references/x.md") -> dict[str, Any]:
    files = workflow_files("a", more={name: b"x" * size})
    return with_files(entry("a", files)["files"])


def _total(size: int) -> dict[str, Any]:
    base = sum(map(len, workflow_files("a", more=dict.fromkeys(_NAMES, b"")).values()))
    rest = size - base
    more = {}
    for name in _NAMES:
        more[name] = b"x" * min(MIB, rest)
        rest -= len(more[name])
    files = workflow_files("a", more=more)
    assert sum(map(len, files.values())) == size
    return with_files(entry("a", files)["files"])


_NAMES = [f"references/{number:02}.md" for number in range(13)]


def _many_files(count: int) -> dict[str, Any]:
    more = {f"references/{number}.md": b"" for number in range(count - 4)}
    made = [entry("a", workflow_files("a", more=more)), entry("b", workflow_files("b"))]
    return envelope("workflow", ["a", "b"], workflows=made)


def _many_workflows(count: int) -> dict[str, Any]:
    names = sorted(f"w{number}" for number in range(count))
    return workflow(*names)


def _deep(depth: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth - 1):
        value = [value]
    return {"a": value}


def _many_properties(count: int) -> dict[str, Any]:
    return {f"p{number}": 0 for number in range(count)}


def _many_pipeline_files(count: int) -> dict[str, Any]:
    return _pipeline({"pipeline.yaml": NIGHTLY, **{f"x{n}": b"" for n in range(count - 1)}})


LIMITS: list[tuple[Callable[[int], dict[str, Any]], int, str, str]] = [
    (_sized, MIB, "file_limit_exceeded", ""),
    (_total, 12 * MIB, "content_limit_exceeded", ""),
    (_many_files, 256, "entry_limit_exceeded", ""),
    (_many_pipeline_files, 256, "entry_limit_exceeded", ""),
    (_many_workflows, 64, "workflow_limit_exceeded", ""),
    (lambda size: with_path("z" * size), 240, "path_too_long", ""),
    (_deep, 32, "package_json_invalid", "package_schema_invalid"),
    (_many_properties, 4096, "package_json_invalid", "package_schema_invalid"),
]
_LIMIT_NAMES = ["file", "content", "files", "pipeline files", "workflows", "path", "depth", "properties"]  # fmt: skip


@pytest.mark.requirement("PK-060", "PK-063", "PK-065", "PK-045", "SP-001")
@pytest.mark.parametrize(("make", "limit", "code", "at_limit"), LIMITS, ids=_LIMIT_NAMES)
def test_each_limit_passes_and_one_more_does_not(
    make: Callable[[int], dict[str, Any]], limit: int, code: str, at_limit: str
) -> None:
    if at_limit:
        assert refused(make(limit)).code == at_limit
    else:
        read(make(limit))

    refusal = refused(make(limit + 1))

    assert refusal.code == code
    params: Any = refusal.params
    details = params["issues"][0]["details"] if "issues" in params else params
    if code != "path_too_long":
        assert (details["actual"], details["limit"]) == (limit + 1, limit)


@pytest.mark.requirement("PK-040")
def test_the_largest_package_file_passes_and_one_more_byte_does_not() -> None:
    escapes = 11 * MIB + 200_000  # each takes two bytes in the file and one of the content
    contents = dict.fromkeys(_NAMES[:12], b"")
    size = len(jcs(with_files(entry("a", workflow_files("a", more=contents))["files"])))
    room = 16 * MIB - size
    escaped = room - escapes
    plain = escapes - escaped
    text = b'"' * escaped + b"x" * plain
    step = -(-len(text) // 12)
    more = {name: text[at * step : (at + 1) * step] for at, name in enumerate(contents)}
    data = jcs(with_files(entry("a", workflow_files("a", more=more))["files"]))
    assert len(data) == 16 * MIB

    assert read(data).roots == ("a",)
    refusal = refused(data + b"x")

    assert refusal.code == "package_too_large"
    assert (refusal.params["actual"], refusal.params["limit"]) == (16 * MIB + 1, 16 * MIB)


@pytest.mark.requirement("PK-050")
def test_the_first_thing_in_the_order_of_the_specification_decides() -> None:
    everything = sealed(
        {
            **px2(),
            "workflows": [
                sealed_entry(
                    {"id": "b", "digest": "", "files": [file("../x", sha256=sha256(b""))]}
                ),
                {"id": "A", "digest": sha256(b"?"), "files": []},
            ],
        }
    )
    everything["packageDigest"] = sha256(b"?")

    assert refused(everything).code == "path_traversal"
    everything["workflows"].reverse()
    assert refused(everything).code == "workflow_id_invalid"
    assert refused(jcs(everything) + b" ").code == "package_non_canonical"
    everything["more"] = 1
    assert refused(everything).code == "package_schema_invalid"
    everything["formatVersion"] = 2
    assert refused(everything).code == "package_format_unsupported"
