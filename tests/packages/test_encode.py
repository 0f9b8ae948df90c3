"""Making packages."""

from __future__ import annotations

import pytest
from tests.support.packages import NIGHTLY, TEAM_RELEASE, jcs, px2, px5, workflow_files
from tests.support.world import World

from rasen.base.errors import ToolError
from rasen.packages import digests, encode, install, ops
from rasen.packages.model import Kind, Package, PackageRefused

MIB = 1024 * 1024


def encoded(package: Package) -> bytes:
    return encode.encode(package, ops.known(), file="x.rasenpkg")


def workflow(*names: str) -> Package:
    entries = [encode.entry(Kind.WORKFLOW, name, workflow_files(name)) for name in names]
    return encode.workflow_package(names, entries)


@pytest.mark.requirement("PK-002", "PK-012", "PK-020")
def test_the_worked_examples_are_what_we_write() -> None:
    one = encode.entry(Kind.WORKFLOW, "team-release", dict(reversed(TEAM_RELEASE.items())))
    two = encode.entry(Kind.PIPELINE, "nightly", {"pipeline.yaml": NIGHTLY})

    assert encoded(encode.workflow_package(["team-release"], [one])) == jcs(px2())
    assert encoded(encode.pipeline_package([two])) == jcs(px5())


@pytest.mark.requirement("PK-020", "PK-022")
def test_the_order_in_which_things_are_given_does_not_matter() -> None:
    assert encoded(workflow("b", "a")) == encoded(workflow("a", "b"))


@pytest.mark.requirement("PK-011")
def test_what_is_built_in_is_never_put_in() -> None:
    with pytest.raises(PackageRefused) as caught:
        encoded(workflow("propose"))

    assert caught.value.code == "builtin_workflow_forbidden"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"references/x.md": b"x" * (MIB + 1)}, "file_limit_exceeded"),
        ({f"references/{number}.md": b"" for number in range(255)}, "entry_limit_exceeded"),
        ({f"references/{n}.md": b"x" * MIB for n in range(12)}, "content_limit_exceeded"),
        ({f"references/{n}.md": b"\x01" * MIB for n in range(3)}, "package_too_large"),
        ({"references/nul.md": b""}, "path_windows_device"),
    ],
    ids=["file", "files", "content", "package", "path"],
)
def test_what_could_not_be_read_again_is_not_written(files: dict[str, bytes], code: str) -> None:
    entry = encode.entry(Kind.WORKFLOW, "a", workflow_files("a", more=files))

    with pytest.raises(PackageRefused) as caught:
        encoded(encode.workflow_package(["a"], [entry]))

    assert caught.value.code == code


@pytest.mark.requirement("PK-032")
def test_a_digest_does_not_cover_itself() -> None:
    data = encoded(workflow("a"))
    digest = digests.package_digest(Kind.WORKFLOW, data)
    other = digests.with_digest(data, "sha256:" + "0" * 64)

    assert digests.package_digest(Kind.WORKFLOW, other) == digest
    assert digests.with_digest(other, digest) == data
    with pytest.raises(ValueError, match="no digest"):
        digests.package_digest(Kind.WORKFLOW, b"{}")


@pytest.mark.requirement("PK-082")
def test_an_id_is_installed_once(world: World) -> None:
    offer = install.offer("a", workflow_files("a"))

    with pytest.raises(ToolError) as caught:
        install.install(world.context(), [offer, offer], roots=["a"])

    assert caught.value.code == "workflow_id_duplicate"
    assert not world.data_dir.exists()
