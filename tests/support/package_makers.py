"""Random packages, sound ones and broken ones, the same for the same seed."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from tests.support.packages import entry, envelope, jcs, sealed, sealed_entry, sha256

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"
_ODD = ["é", "ａ", "😀", "ß", "ﬁ", "中", "ー", " ", "_", ".", "~", "\ufb33", "İ", "ς"]
_TEXTS = ['"', "\\", "/", "\n", "\r\n", "\t", "\x00", "\x1f", "\x7f", "\u2028", "é", "😀", "words "]
_PATHS = [
    "",
    "/a",
    "C:a",
    "a\\b",
    "a\x01",
    "e\u0301",
    "x" * 241,
    "a//b",
    "a/../b",
    "b.",
    "nul.txt",
    "COM¹",
    "a?b",
    "SKILL.MD",
]
_IDS = ["", "A", "a_b", "a\n", "x" * 65, "apply", "review", "retro-command", "nobody", "é"]
_VALUES: list[Any] = [None, True, False, 0, 1, 2, -1, 1.5, "", "x", [], {}, [1], {"a": 1}]
_TOKENS = [
    b" ",
    b"\n",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b'"',
    b"\\",
    b"0",
    b"1",
    b"null",
    b"\xff",
]
_TOKENS += [
    b"1.0",
    b"1e0",
    b"\\ud800",
    b"9007199254740993",
    b'"__proto__":1,',
    b"\xef\xbb\xbf",
    b"/**/",
]


class Maker:
    """built_in: ids of built-in workflows, in their order."""

    def __init__(self, seed: int, built_in: list[str]) -> None:
        self.random = Random(seed)
        self.built_in = built_in

    def package(self) -> dict[str, Any]:
        """The envelope of a sound package."""
        kind = self.random.choice(["workflow", "workflow", "profile", "pipeline"])
        stamped = {} if kind == "workflow" else {"minRasenVersion": "0.1.5"}
        if kind == "pipeline":
            names = self._names()
            made = [self._pipeline(name) for name in names]
            return envelope(kind, names, pipelines=made, **stamped)
        names = self._names(least=0 if kind == "profile" else 1)
        roots = names if kind == "profile" else self._some(names)
        needs = self._needs(names, roots)
        made = [self._workflow(name, needs[name]) for name in names]
        if kind == "profile":
            stamped.update(self._profile(names))
        return envelope(kind, roots, workflows=made, **stamped)

    def broken(self, package: dict[str, Any]) -> bytes:
        """`package` with one thing changed: some bytes, or a member with or without new digests."""
        if self.random.random() < 0.4:
            return self.spoilt(jcs(package))
        made = copy.deepcopy(package)
        self._change(made)
        if self.random.random() < 0.9:
            for one in (*_dicts(made.get("workflows")), *_dicts(made.get("pipelines"))):
                if self.random.random() < 0.9 and _is_whole(one):
                    one.update(sealed_entry(one))
            made = sealed(made)
        return jcs(made)

    def _names(self, least: int = 1) -> list[str]:
        names = {self._id() for _ in range(self.random.randint(least, 4))}
        return sorted(names - set(self.built_in))

    def _id(self) -> str:
        rest = "".join(self.random.choices(_LETTERS, k=self.random.choice([1, 4, 9, 61])))
        return "u" + rest.strip("-") + "z"

    def _some(self, names: list[str]) -> list[str]:
        return [one for one in names if self.random.random() < 0.6] or names[:1]

    def _needs(self, names: list[str], roots: list[str]) -> dict[str, list[str]]:
        needs: dict[str, list[str]] = {name: [] for name in names}
        reached = list(roots)
        for name in names:
            if name not in reached:
                needs[self.random.choice(reached)].append(name)
                reached.append(name)
        for name in names:
            more = self.random.sample(self.built_in, self.random.randint(0, 2))
            needs[name] = sorted({*needs[name], *more})
        return needs

    def _profile(self, names: list[str]) -> dict[str, Any]:
        own = [one for one in self.built_in if self.random.random() < 0.3]
        if self.random.random() < 0.3:
            profile: dict[str, Any] = {"version": 1, "workflows": own + names}
            if self.random.random() < 0.5:
                profile["delivery"] = "skills"
        else:
            mode = self.random.choice(["off", "report", "codify"])
            profile = {"version": 2, "workflows": own + names, "retention": mode}
        return {"name": self.random.choice(["team", "a.b_c-d", "x" * 64]), "profile": profile}

    def _sidecars(self) -> dict[str, bytes]:
        made = {}
        for _ in range(self.random.choice([0, 0, 1, 3])):
            name = "".join(self.random.choices([*_LETTERS, *_ODD], k=self.random.randint(1, 8)))
            made[f"references/n{name}x.md"] = self._text().encode()
        return _without_collisions(made)

    def _text(self) -> str:
        return "".join(self.random.choices(_TEXTS, k=self.random.randint(0, 12)))

    def _workflow(self, name: str, needs: list[str]) -> dict[str, Any]:
        sidecars = self._sidecars()
        manifest: dict[str, Any] = {"version": 1, "id": name}
        if sidecars:
            manifest["files"] = {"sidecars": list(sidecars)}
        if needs:
            manifest["requires"] = {"workflows": needs}
        skill = f"---\nname: {name}\ndescription: Does it.\n---\nDo it.\n"
        files = {
            "workflow.yaml": json.dumps(manifest, ensure_ascii=False).encode(),
            "SKILL.md": skill.encode(),
            **sidecars,
        }
        return entry(name, files)

    def _pipeline(self, name: str) -> dict[str, Any]:
        text = f"name: {name}\nstages:\n  - id: a\n    skill: rasen-apply-change\n"
        return entry(name, {"pipeline.yaml": text.encode(), **self._sidecars()}, kind="pipeline")

    def spoilt(self, data: bytes) -> bytes:
        """`data` with some bytes changed."""
        if not data:
            return b"x"
        at = self.random.randrange(len(data) + 1)
        match self.random.randrange(6):
            case 0:
                return data[:at] + bytes([self.random.randrange(256)]) + data[at + 1 :]
            case 1:
                return data[:at] + self.random.choice(_TOKENS) + data[at:]
            case 2:
                return data[:at] + data[at + self.random.randint(1, 4) :]
            case 3:
                end = at + self.random.randint(1, 40)
                return data[:end] + data[at:end] + data[end:]
            case 4:
                return data[:at]
        return data + self.random.choice([b"\n", b" ", b"\x00", data])

    def _change(self, made: dict[str, Any]) -> None:
        lists = ["workflows", "pipelines"]
        entries = [one for name in lists for one in _dicts(made.get(name))]
        if not entries or self.random.random() < 0.4:
            self._change_top(made)
        elif self.random.random() < 0.4:
            self._change_entry(self.random.choice(entries))
        else:
            files = [one for entry in entries for one in _dicts(entry.get("files"))]
            self._change_file(self.random.choice(files)) if files else self._change_top(made)

    def _change_top(self, made: dict[str, Any]) -> None:
        key = self.random.choice([*made, "signature", "minRasenVersion", "name", "profile"])
        value = made.get(key)
        if isinstance(value, list) and value and self.random.random() < 0.7:
            made[key] = self._rearranged(value)
        elif key == "profile" and isinstance(value, dict):
            self._change_profile(value)
        elif key == "minRasenVersion":
            made[key] = self.random.choice(["0.2.0", "0.2.1", "9.0.0-x", "0.1", "v1", "01.0.0", 1])
        elif key in made and self.random.random() < 0.3:
            del made[key]
        else:
            made[key] = self.random.choice([*_VALUES, "workflow", "profile", "pipeline"])

    def _change_profile(self, profile: dict[str, Any]) -> None:
        if self.random.random() < 0.6 and profile["workflows"]:
            profile["workflows"] = self._rearranged(profile["workflows"])
        else:
            key = self.random.choice([*profile, "delivery", "retention", "more"])
            profile[key] = self.random.choice([*_VALUES, "codify"])

    def _rearranged(self, value: list[Any]) -> list[Any]:
        match self.random.randrange(5):
            case 0:
                return value[::-1]
            case 1:
                return [*value, self.random.choice(value)]
            case 2:
                return value[1:]
            case 3:
                odd = self.random.choice(_IDS) if isinstance(value[0], str) else {}
                return [*value, odd]
        return self.random.sample(value, len(value))

    def _change_entry(self, made: dict[str, Any]) -> None:
        key = self.random.choice([*made, "kind"])
        value = made.get(key)
        if isinstance(value, list) and value and self.random.random() < 0.8:
            made[key] = self._rearranged(value)
        elif key in ("id", "name") and self.random.random() < 0.8:
            made[key] = self.random.choice(_IDS)
        elif key == "digest":
            made[key] = self.random.choice([sha256(b"?"), "sha256:0", 1, "SHA256:" + "0" * 64])
        elif key in made and self.random.random() < 0.3:
            del made[key]
        else:
            made[key] = self.random.choice(_VALUES)

    def _change_file(self, made: dict[str, Any]) -> None:
        key = self.random.choice(
            ["path", "path", "content", "content", "sha256", "encoding", "mode"]
        )
        if key == "path":
            made[key] = self.random.choice([*_PATHS, "z/new.md", 1])
        elif key == "content":
            made[key] = self.random.choice([str(made["content"]) + "x", self._text(), 1, None])
            if isinstance(made[key], str) and self.random.random() < 0.7:
                made["sha256"] = sha256(made[key].encode())
        elif key == "sha256":
            made[key] = self.random.choice([sha256(b"?"), "sha256:0", None])
        else:
            made[key] = self.random.choice(_VALUES)


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _is_whole(made: dict[str, Any]) -> bool:
    files = made.get("files")
    name = made.get("id", made.get("name"))
    return (
        isinstance(name, str)
        and isinstance(files, list)
        and all(
            isinstance(one, dict)
            and isinstance(one.get("path"), str)
            and isinstance(one.get("sha256"), str)
            for one in files
        )
    )


def _without_collisions(files: dict[str, bytes]) -> dict[str, bytes]:
    import unicodedata

    kept: dict[str, bytes] = {}
    seen = set()
    for path, data in files.items():
        composed = unicodedata.normalize("NFC", path)
        key = unicodedata.normalize("NFKC", composed).lower().upper().lower()
        if key not in seen and not any(part[-1:] in ". " for part in composed.split("/")):
            seen.add(key)
            kept[composed] = data
    return kept
