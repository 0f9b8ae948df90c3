"""The worked examples of file and workflow digests."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from rasen.syntax import canonical
from rasen.workflows.digest import file_digest, tree_rows, workflow_digest

TEAM_RELEASE = {
    "SKILL.md": b"---\nname: team-release\ndescription: Ship a team release.\n---\nFollow `references/policy.md`.\n",
    "references/policy.md": "Be careful.\r\nCafé ☕ 😀\n".encode(),
    "workflow.yaml": b"version: 1\nid: team-release\nfiles:\n  sidecars:\n    - references/policy.md\n"
    b"requires:\n  workflows: [apply]\n  skills: [rasen-review]\n",
}
UNI = {
    "SKILL.md": b"---\nname: uni\ndescription: Unicode order.\n---\nBody.\n",
    "references/ａ.md": b"A\n",
    "references/😀.md": b"B\n",
    "workflow.yaml": "version: 1\nid: uni\nfiles:\n  sidecars:\n    - references/ａ.md\n"
    "    - references/😀.md\n".encode(),
}
FILES = [
    (
        TEAM_RELEASE["SKILL.md"],
        92,
        "25b826d6ed29850963a45569c6642c51c842bcc621575a568984aaa976333107",
    ),
    (
        TEAM_RELEASE["references/policy.md"],
        28,
        "601bb903dd3976cc8fe7d6e7072c2e09168d02b16521986a247fe171255ecbc0",
    ),
    (
        TEAM_RELEASE["workflow.yaml"],
        130,
        "dcaec692959ee1c53b6cea6d9b9a2b28a7f2df7ec0f08c9460a5d06f7543fbc3",
    ),
    (b"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (b"A", 1, "559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd"),
]


def _rows(files: dict[str, bytes]) -> list[tuple[str, str]]:
    return [(path, file_digest(data)) for path, data in files.items()]


@pytest.mark.requirement("SP-030", "SP-031", "PK-030")
@pytest.mark.parametrize(("data", "size", "hexadecimal"), FILES)
def test_px_1_files(data: bytes, size: int, hexadecimal: str) -> None:
    assert len(data) == size
    assert file_digest(data) == f"sha256:{hexadecimal}"


@pytest.mark.requirement("PK-031", "WF-030")
def test_px_1_workflow() -> None:
    assert workflow_digest("team-release", _rows(TEAM_RELEASE)) == (
        "sha256:39e95dd1f8c55efa77b2de581d9eaa85a78940c2e71fdc3e043d4c78e08bd8ea"
    )


@pytest.mark.requirement("PK-021", "PK-024")
def test_px_3_keys_sort_by_utf_16_code_units() -> None:
    value = {
        "\ufb33": 1,
        "\U0001f600": 2,
        "\u20ac": 3,
        "1": 4,
        "\r": 5,
        "\u0080": 6,
        "\u00f6": 7,
    }

    encoded = canonical.encode(value)

    assert encoded.hex() == (
        "7b225c72223a352c2231223a342c22c280223a362c22c3b6223a372c22e282ac223a332c22f09f9880223a322c"
        "22efacb3223a317d"
    )
    assert file_digest(encoded) == (
        "sha256:4a3858a64d010f27490318d581a7f2b2be7f250229699d3d1867b95116502ea2"
    )


@pytest.mark.requirement("PK-021")
def test_px_3_files_sort_by_utf_16_code_units() -> None:
    rows = _rows(UNI)

    assert [row["path"] for row in tree_rows(rows)] == [
        "SKILL.md",
        "references/😀.md",
        "references/ａ.md",
        "workflow.yaml",
    ]
    assert workflow_digest("uni", rows) == workflow_digest("uni", rows[::-1])
    assert workflow_digest("uni", rows) == (
        "sha256:eebfbb581adafb047c8327937c5c3075d1bf8767b26a1dd61c61a4a06b386bc6"
    )


@pytest.mark.requirement("PK-021")
def test_px_3_the_order_by_code_points_has_the_digest_that_is_wrong() -> None:
    by_code_point = [{"path": path, "sha256": sha256} for path, sha256 in sorted(_rows(UNI))]
    preimage = {
        "format": "rasen-workflow-digest",
        "version": 1,
        "id": "uni",
        "files": by_code_point,
    }

    wrong = "sha256:" + hashlib.sha256(canonical.encode(preimage)).hexdigest()

    assert wrong == "sha256:861c72fd16b7b8ff53409f37182f5d54a67325c486f57e2aa5b3c5d55d30612a"
    assert wrong != workflow_digest("uni", _rows(UNI))


@pytest.mark.requirement("PK-024")
def test_jcs_escapes_only_what_it_must() -> None:
    text = '"\\/\b\t\n\f\r\x00\x1f\x7f\u2028\u2029é'

    assert canonical.encode([text]).decode() == (
        '["\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\u2028\u2029é"]'
    )
    assert canonical.encode([0, -0.0, 1e21, 1e-7, True, False, None]) == (
        b"[0,0,1e+21,1e-7,true,false,null]"
    )
    assert canonical.encode({}) == b"{}"
    with pytest.raises(ValueError, match="safe"):
        canonical.encode([2**53])
    with pytest.raises(ValueError, match="surrogates"):
        canonical.encode(["\ud800"])


@pytest.mark.requirement("WF-025", "WF-030")
def test_the_preimage_has_no_kind() -> None:
    rows = _rows(TEAM_RELEASE)
    preimage = {
        "format": "rasen-workflow-digest",
        "version": 1,
        "id": "team-release",
        "files": tree_rows(rows),
    }

    assert len(canonical.encode(preimage)) == 402
    assert file_digest(canonical.encode(preimage)) == workflow_digest("team-release", rows)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=15,
)


@given(VALUES)
def test_the_quick_way_says_what_the_library_says(value: Any) -> None:
    assert canonical.encode([value]) == rfc8785.dumps([value])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_fractions_have_the_form_of_the_library(value: list[float]) -> None:
    assert canonical.encode({"a": value}) == rfc8785.dumps({"a": value})
