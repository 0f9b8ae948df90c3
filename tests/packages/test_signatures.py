"""Signatures made and checked with real SSH keys."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.world import World

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.packages import signature_file, signatures
from rasen.packages.signatures import State

_DATA = b"exactly these bytes"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("keys")

    def key(name: str, *more: str) -> Path:
        path = folder / name
        if not path.exists():
            argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
            subprocess.run([*argv, *more], check=True)
        return path

    return key


@pytest.fixture
def ctx(world: World) -> Context:
    return world.context()


@pytest.fixture
def package(world: World) -> Path:
    path = world.root / "x.rasenpkg"
    path.write_bytes(_DATA)
    return path


def _fingerprint(key: Path) -> str:
    argv = ["ssh-keygen", "-l", "-f", str(key)]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()[1]


def test_without_a_signature_a_package_is_unsigned(ctx: Context, package: Path) -> None:
    seal = signatures.seal_of(ctx, package, _DATA)

    assert seal.state is State.UNSIGNED
    with pytest.raises(ToolError) as caught:
        signatures.require(seal, package)
    assert caught.value.code == "package_unsigned"


def test_the_key_of_a_sound_signature_is_unknown_until_it_is_trusted(
    ctx: Context, package: Path, keys: Callable[[str], Path]
) -> None:
    place = signatures.sign(ctx, package, _DATA, key=keys("ada"))

    seal = signatures.seal_of(ctx, package, _DATA)

    assert place == package.with_name("x.rasenpkg.sig")
    assert (seal.state, seal.signer) == (State.UNKNOWN, None)
    assert seal.key is not None
    assert seal.key.fingerprint == _fingerprint(keys("ada"))
    with pytest.raises(ToolError) as caught:
        signatures.require(seal, package)
    assert caught.value.code == "package_signer_unknown"

    signatures.trust(ctx, "ada@example.org", seal.key)

    again = signatures.seal_of(ctx, package, _DATA)
    assert (again.state, again.signer) == (State.KNOWN, "ada@example.org")
    assert signatures.require(again, package) == "ada@example.org"


@pytest.mark.parametrize("data", [b"exactly these byteZ", b"", _DATA + b"\n"])
def test_a_signature_of_other_bytes_is_refused(
    ctx: Context, package: Path, keys: Callable[[str], Path], data: bytes
) -> None:
    signatures.sign(ctx, package, _DATA, key=keys("ada"))
    known = signatures.seal_of(ctx, package, _DATA).key
    assert known is not None

    for _ in range(2):  # first unknown, then trusted
        with pytest.raises(ToolError) as caught:
            signatures.seal_of(ctx, package, data)
        assert caught.value.code == "package_signature_invalid"
        signatures.trust(ctx, "ada", known)


def test_a_signature_made_for_something_else_is_refused(
    ctx: Context, package: Path, keys: Callable[[str], Path]
) -> None:
    argv = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(keys("ada")), "-n", "git", str(package)]
    subprocess.run(argv, check=True, capture_output=True)

    with pytest.raises(ToolError) as caught:
        signatures.seal_of(ctx, package, _DATA)

    assert caught.value.code == "package_signature_invalid"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"hello",
        b"-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n",
        b"-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAf///w==\n-----END SSH SIGNATURE-----\n",
        b"\xff\xfe",
    ],
)
def test_what_is_no_signature_is_named(ctx: Context, package: Path, text: bytes) -> None:
    signatures.signature_of(package).write_bytes(text)

    with pytest.raises(ToolError) as caught:
        signatures.seal_of(ctx, package, _DATA)

    assert caught.value.code == "package_signature_unreadable"


def test_a_name_keeps_the_key_it_was_first_seen_with(
    ctx: Context, package: Path, keys: Callable[[str], Path]
) -> None:
    signatures.sign(ctx, package, _DATA, key=keys("ada"))
    first = signatures.seal_of(ctx, package, _DATA).key
    signatures.sign(ctx, package, _DATA, key=keys("mallory"))
    second = signatures.seal_of(ctx, package, _DATA).key
    assert first is not None
    assert second is not None
    signatures.trust(ctx, "ada", first)
    before = signatures.signers_path(ctx).read_bytes()

    with pytest.raises(ToolError) as caught:
        signatures.trust(ctx, "ada", second)
    signatures.trust(ctx, "ada", first)

    assert caught.value.code == "package_signer_changed"
    assert signatures.signers_path(ctx).read_bytes() == before
    assert signatures.seal_of(ctx, package, _DATA).state is State.UNKNOWN


def test_several_signers_are_told_apart(
    ctx: Context, package: Path, keys: Callable[[str], Path]
) -> None:
    for name in ("ada", "ben"):
        signatures.sign(ctx, package, _DATA, key=keys(name))
        key = signatures.seal_of(ctx, package, _DATA).key
        assert key is not None
        signatures.trust(ctx, name, key)

    assert signatures.seal_of(ctx, package, _DATA).signer == "ben"
    listed = signature_file.signers(signatures.signers_path(ctx).read_text())
    assert [one.name for one in listed] == ["ada", "ben"]


def test_a_list_that_people_have_written_is_kept(
    ctx: Context, package: Path, keys: Callable[[str], Path]
) -> None:
    path = signatures.signers_path(ctx)
    path.parent.mkdir(parents=True)
    own = '# ours\nben valid-before="20250101" ' + keys("ben").with_suffix(".pub").read_text()
    path.write_text(own.rstrip("\n"))
    signatures.sign(ctx, package, _DATA, key=keys("ben"))
    seal = signatures.seal_of(ctx, package, _DATA)
    assert seal.state is State.UNKNOWN  # the entry has run out
    assert seal.key is not None

    signatures.trust(ctx, "ben@example.org", seal.key)

    assert path.read_text().startswith(own)
    assert signatures.seal_of(ctx, package, _DATA).signer == "ben@example.org"


@pytest.mark.parametrize("name", ["", "a b", "a\nb ssh-ed25519 AAAA", "*", "a,b", "#a", "-x"])
def test_names_that_would_mean_more_in_the_list_are_refused(
    ctx: Context, package: Path, keys: Callable[[str], Path], name: str
) -> None:
    signatures.sign(ctx, package, _DATA, key=keys("ada"))
    key = signatures.seal_of(ctx, package, _DATA).key
    assert key is not None

    with pytest.raises(ToolError) as caught:
        signatures.trust(ctx, name, key)

    assert caught.value.code == "package_signer_name_invalid"
    assert not signatures.signers_path(ctx).exists()


def test_a_key_that_is_not_there_or_has_a_passphrase_is_explained(
    ctx: Context, package: Path, tmp_path: Path
) -> None:
    locked = tmp_path / "locked"
    argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "a secret", "-f", str(locked)]
    subprocess.run(argv, check=True)

    with pytest.raises(ToolError) as missing:
        signatures.sign(ctx, package, _DATA, key=tmp_path / "nobody")
    with pytest.raises(ToolError) as refused:
        signatures.sign(ctx, package, _DATA, key=locked)

    assert missing.value.code == "package_signing_key_missing"
    assert refused.value.code == "package_signing_refused"
    assert not signatures.signature_of(package).exists()


def test_a_signature_is_replaced_by_a_newer_one(
    ctx: Context, package: Path, keys: Callable[[str], Path]
) -> None:
    signatures.sign(ctx, package, b"older", key=keys("ada"))
    signatures.sign(ctx, package, _DATA, key=keys("ada"))

    assert signatures.seal_of(ctx, package, _DATA).state is State.UNKNOWN


def test_other_kinds_of_keys_serve_too(ctx: Context, package: Path, tmp_path: Path) -> None:
    for kind in ("rsa", "ecdsa"):
        key = tmp_path / kind
        subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", str(key)], check=True)
        signatures.sign(ctx, package, _DATA, key=key)
        found = signatures.seal_of(ctx, package, _DATA).key
        assert found is not None
        assert found.fingerprint == _fingerprint(key)
        signatures.trust(ctx, kind, found)
        assert signatures.seal_of(ctx, package, _DATA).signer == kind
