"""The project's `config.yaml`: read field by field, so that a bad field costs only itself.

The one owner of this format. Source: planning §1.3.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rasen.base.context import Note
from rasen.base.messages import N_, Phrase
from rasen.config import keys
from rasen.config.model import PROJECT, STORE, ProjectConfig, Reference, StorePointer
from rasen.config.pointer_field import NOT_A_MAP, pointer
from rasen.config.reading import A_MAP, Complaints, settings
from rasen.config.reference_field import A_REFERENCE, merged, reference
from rasen.syntax.yaml import YamlInvalid, load

CONTEXT_LIMIT_BYTES = 50 * 1024

_A_STRING = Phrase(N_("text"))


def parse(text: str, *, path: Path, tell: Callable[[Note], None]) -> ProjectConfig | None:
    """The fields of `text` that can be used; None when there is none.

    Every field that cannot is told, and costs only itself. Keys we do not know are left alone.
    Never raises.
    """
    try:
        value = load(text, file=str(path))
    except YamlInvalid as error:
        params = dict(error.params, problem=str(error.params["problem"]).split("\n", 1)[0])
        tell(Note(N_("{file}:{line}:{column}: the file is ignored: {problem}"), params))
        return None
    if value is None:
        return None
    complaints = Complaints(str(path), tell, _line_finder(text))
    if not isinstance(value, dict):
        complaints.say((), N_("{place}: the file is ignored: it must hold a map"))
        return None
    return _Fields(value, complaints).config(path)


def _line_finder(text: str) -> Callable[[tuple[str | int, ...]], int | None]:
    def line(path: tuple[str | int, ...]) -> int | None:
        from rasen.syntax.yaml import load_positioned

        found = load_positioned(text, file="").where(path) if path else None
        return found[0] if found else None

    return line


class _Fields:
    """The map of one file, taken apart."""

    def __init__(self, fields: dict[str, object], complaints: Complaints) -> None:
        self.fields, self.complaints = fields, complaints

    def config(self, path: Path) -> ProjectConfig | None:
        values = settings(self.fields, (PROJECT, STORE), self.complaints)
        special = {
            "context": self._context(),
            "rules": self._rules(),
            "quality-rules": self._texts(("quality-rules",), self.fields.get("quality-rules")),
            "projectId": self._text("projectId"),
            "knowledgeBundle": self._text("knowledgeBundle"),
        }
        references, memberships = self._references(), self._memberships()
        store, malformed = self._store()
        values.update({name: value for name, value in special.items() if value})
        if references:
            values["references"] = [item.to_value() for item in references]
        if memberships:
            values["storeMemberships"] = [item.to_value() for item in memberships]
        if store is not None:
            values["store"] = store.to_value()
        if not values and malformed is None:
            return None
        return ProjectConfig(
            references=references,
            store=store,
            store_memberships=memberships,
            values=values,
            path=path,
        )

    def _text(self, name: str) -> str | None:
        value = self.fields.get(name)
        if value is None or keys.is_text(value):
            return value if isinstance(value, str) else None
        self.complaints.ignored((name,), keys.TEXT.wanted)
        return None

    def _context(self) -> str | None:
        value = self.fields.get("context")
        if value is None:
            return None
        if not isinstance(value, str):
            self.complaints.ignored(("context",), _A_STRING)
            return None
        size = len(value.encode("utf-8"))
        if size <= CONTEXT_LIMIT_BYTES:
            return value
        self.complaints.say(
            ("context",),
            N_("{place}: context has {size} KB; the limit is {limit} KB"),
            size=f"{size / 1024:.1f}",
            limit=CONTEXT_LIMIT_BYTES // 1024,
        )
        self.complaints.say(("context",), N_("{place}: context is ignored"))
        return None

    def _rules(self) -> dict[str, list[str]]:
        block = self.fields.get("rules")
        if block is None:
            return {}
        if not isinstance(block, dict):
            self.complaints.ignored(("rules",), A_MAP)
            return {}
        taken = {name: self._texts(("rules", name), value) for name, value in block.items()}
        return {name: rules for name, rules in taken.items() if rules}

    def _texts(self, path: tuple[str, ...], value: object) -> list[str]:
        """A list of texts without its empty ones."""
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.complaints.ignored(path, keys.TEXTS.wanted)
            return []
        kept = [item for item in value if item.strip()]
        if len(kept) < len(value):
            template = N_("{place}: empty entries of {key} are ignored")
            self.complaints.say(path, template, key=".".join(path))
        return kept

    def _list(self, name: str) -> list[object]:
        value = self.fields.get(name)
        if value is None or isinstance(value, list):
            return value or []
        self.complaints.ignored((name,), keys.LIST.wanted)
        return []

    def _references(self) -> tuple[Reference, ...]:
        items = self._list("references")
        found = [reference(item) for item in items]
        if None in found:
            self.complaints.say(
                ("references",),
                N_("{place}: some references are ignored: each must be {wanted}"),
                wanted=A_REFERENCE,
            )
        if any(
            _has_bad_remote(item) for item, is_good in zip(items, found, strict=True) if is_good
        ):
            self.complaints.say(
                ("references",), N_("{place}: some remotes of references are ignored: {wanted}"),
                wanted=keys.TEXT.wanted,
            )  # fmt: skip
        return merged([item for item in found if item is not None])

    def _memberships(self) -> tuple[StorePointer, ...]:
        found: list[StorePointer] = []
        for index, item in enumerate(self._list("storeMemberships")):
            taken = pointer(item) if isinstance(item, dict) else NOT_A_MAP
            if isinstance(taken, StorePointer):
                found.append(taken)
            else:
                self.complaints.say(
                    ("storeMemberships", index),
                    N_("{place}: a store membership is ignored: {problem}"),
                    problem=taken,
                )
        return tuple(found)

    def _store(self) -> tuple[StorePointer | None, str | None]:
        if "store" not in self.fields:
            return None, None
        taken = pointer(self.fields["store"])
        if isinstance(taken, StorePointer):
            return taken, None
        self.complaints.say(("store",), N_("{place}: store is ignored: {problem}"), problem=taken)
        return None, taken


def _has_bad_remote(item: object) -> bool:
    return isinstance(item, dict) and "remote" in item and not keys.is_text(item["remote"])
