"""Packages for tests: the worked examples, and the means to make others and to break them."""

from __future__ import annotations

import copy
import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TEAM_RELEASE: Mapping[str, bytes] = {
    "SKILL.md": b"---\nname: team-release\ndescription: Ship a team release.\n---\n"
    b"Follow `references/policy.md`.\n",
    "references/policy.md": "Be careful.\r\nCafé ☕ 😀\n".encode(),
    "workflow.yaml": b"version: 1\nid: team-release\nfiles:\n  sidecars:\n"
    b"    - references/policy.md\nrequires:\n  workflows: [apply]\n  skills: [rasen-review]\n",
}
NIGHTLY = (
    b"name: nightly\nstages:\n  - id: implement\n    skill: rasen-apply-change\n"
    b"    role: implementer\n"
)


def jcs(value: object) -> bytes:
    """Canonical JSON, made without the program: for values of texts, whole numbers and the like."""

    def ordered(value: Any) -> Any:
        if isinstance(value, dict):
            keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
            return {key: ordered(value[key]) for key in keys}
        return [ordered(one) for one in value] if isinstance(value, list) else value

    return json.dumps(ordered(value), ensure_ascii=False, separators=(",", ":")).encode()


def signing_key(folder: Path) -> str:
    """A new SSH key without a passphrase in `folder`."""
    path = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return str(path)


def sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def rows(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """The file entries of a package, sorted."""
    paths = sorted(files, key=lambda path: path.encode("utf-16-be"))
    return [
        {
            "path": path,
            "encoding": "utf8",
            "sha256": sha256(files[path]),
            "content": files[path].decode(),
        }
        for path in paths
    ]


def entry(name: str, files: Mapping[str, bytes], *, kind: str = "workflow") -> dict[str, Any]:
    """A workflow (or pipeline) of a package with its digest."""
    made = {("name" if kind == "pipeline" else "id"): name, "digest": "", "files": rows(files)}
    return sealed_entry(made)


def workflow_files(
    name: str, *, requires: Iterable[str] = (), more: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """The files of a small sound workflow; more: sidecars."""
    sidecars = dict(more or {})
    manifest = f"version: 1\nid: {name}\n"
    if sidecars:
        manifest += "files:\n  sidecars:\n" + "".join(
            f"    - {json.dumps(path, ensure_ascii=False)}\n" for path in sidecars
        )
    needed = list(requires)
    if needed:
        manifest += f"requires:\n  workflows: [{', '.join(needed)}]\n"
    skill = f"---\nname: {name}\ndescription: Does {name}.\n---\nDo it.\n"
    return {"workflow.yaml": manifest.encode(), "SKILL.md": skill.encode(), **sidecars}


def sealed_entry(made: dict[str, Any]) -> dict[str, Any]:
    """The entry with the digest that its claimed file digests give."""
    is_pipeline = "name" in made
    preimage = {
        "format": "rasen-pipeline-digest" if is_pipeline else "rasen-workflow-digest",
        "version": 1,
        ("name" if is_pipeline else "id"): made.get("name", made.get("id")),
        "files": [
            {"path": one["path"], "sha256": one["sha256"]}
            for one in sorted(made["files"], key=lambda one: str(one["path"]).encode("utf-16-be"))
        ],
    }
    return {**made, "digest": sha256(jcs(preimage))}


def sealed(envelope: Mapping[str, Any]) -> dict[str, Any]:
    """The envelope with the digest that it has."""
    package = {key: value for key, value in envelope.items() if key != "packageDigest"}
    preimage = {
        "format": "rasen-package-digest",
        "version": 1,
        "kind": envelope.get("kind"),
        "package": package,
    }
    return {**package, "packageDigest": sha256(jcs(preimage))}


def envelope(kind: str, roots: Iterable[str], **more: Any) -> dict[str, Any]:
    """A sealed envelope; more: its other members."""
    made = {
        "format": "rasen-package",
        "formatVersion": 1,
        "kind": kind,
        "roots": list(roots),
        "workflows": [],
        **more,
    }
    return sealed(made)


def px2() -> dict[str, Any]:
    """The worked example of a workflow package."""
    return envelope("workflow", ["team-release"], workflows=[entry("team-release", TEAM_RELEASE)])


def px4(**changes: Any) -> dict[str, Any]:
    """The worked example of a profile package, version 2."""
    made = {
        "name": "team",
        "profile": {"version": 2, "workflows": ["apply", "team-release"], "retention": "codify"},
        "workflows": [entry("team-release", TEAM_RELEASE)],
        "minRasenVersion": "0.1.5",
        **changes,
    }
    return envelope("profile", ["team-release"], **made)


def px5() -> dict[str, Any]:
    """The worked example of a pipeline package."""
    return envelope(
        "pipeline",
        ["nightly"],
        pipelines=[entry("nightly", {"pipeline.yaml": NIGHTLY}, kind="pipeline")],
        minRasenVersion="0.1.5",
    )


def changed(package: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """A sealed deep copy of `package` with other members; None takes one away."""
    made = {**copy.deepcopy(dict(package)), **members}
    return sealed({key: value for key, value in made.items() if value is not None})
