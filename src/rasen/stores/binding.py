"""Where a project plans, and whether it may be bound to another store; pure.

Only the project's own declaration decides where it plans; no role does.
"""

from __future__ import annotations

from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, Phrase
from rasen.config.model import StorePointer
from rasen.stores.model import Checkout, is_uid, normal_uid

REFUSED = Rule(
    "project_planning_binding_refused",
    Level.WARNING,
    N_("{project} plans in {bound}, not in {requested}; that was left as it is"),
    N_("to move it, run: {command}"),
)
_ITSELF = Phrase(N_("its own folder"))


class Binding(NamedTuple):
    """What was asked about a project's place of planning, and what came of it.

    bound_to: the store it plans in now; None when in none. becomes: the pointer to write; None when
    it stays. rebind_command: what would overrule a refusal; empty without one.
    """

    requested_store: StorePointer
    bound_to: StorePointer | None
    is_requested: bool = False
    is_refused: bool = False
    is_already: bool = False
    becomes: StorePointer | None = None
    rebind_command: str = ""

    @property
    def plans_here(self) -> bool:
        """Whether the project plans in the store in question once this is done."""
        return self.becomes is not None or self.is_already

    def to_json(self) -> dict[str, object]:
        """The `planning_binding` member. Source: planning §7.4."""
        bound = self.becomes or self.bound_to
        answer: dict[str, object] = {
            "requested": self.is_requested,
            "changed": self.becomes is not None,
            "refused": self.is_refused,
        }
        if self.is_requested and self.is_already:
            answer["already_bound"] = True
        answer["bound_to"] = None if bound is None else bound.id or bound.uid
        answer["bound_to_uid"] = None if bound is None else bound.uid
        answer["requested_store"] = self.requested_store.id
        answer["requested_store_uid"] = self.requested_store.uid
        if self.rebind_command:
            answer["rebind_command"] = self.rebind_command
        return answer

    def refusal(self, project: str) -> Finding | None:
        """What is told of a refusal; None without one."""
        if not self.is_refused:
            return None
        params: dict[str, object] = {
            "project": project,
            "bound": _ITSELF if self.bound_to is None else _named(self.bound_to),
            "requested": _named(self.requested_store),
            "command": self.rebind_command,
        }
        return Finding(REFUSED, "store.pointer", params)


class Ask(NamedTuple):
    """What is wanted of a binding.

    is_requested: the project is to plan in the store. leaves: the store, by name or identity, that
    it may be taken from; None when from none. path: the project in pasteable commands.
    """

    is_requested: bool
    leaves: str | None
    path: str


def decide(
    current: StorePointer | None, wanted: StorePointer, ask: Ask, *, plans_itself: bool
) -> Binding:
    """Say what becomes of a project's place of planning. Never a store but the named one is left.

    current: the store it declares. plans_itself: it has planning folders, so a pointer moves nothing.
    Source: planning §7.4, `--set-primary`.
    """
    known = Binding(wanted, None if plans_itself else current, ask.is_requested)
    target = wanted.uid or wanted.id
    if plans_itself:
        if not ask.is_requested:
            return known
        command = f"rasen store adopt {ask.path} --to {target}"
        return known._replace(is_refused=True, rebind_command=command)
    if current is not None and means(current, wanted):
        return known._replace(is_already=True)
    if not ask.is_requested:
        return known
    if current is None or (ask.leaves is not None and _is_named(current, ask.leaves)):
        return known._replace(becomes=wanted)
    command = (
        f"rasen store add-project {ask.path} --to {target} --set-primary"
        f" --rebind-from {current.uid or current.id}"
    )
    return known._replace(is_refused=True, rebind_command=command)


def pointer_to(store: Checkout, remote: str | None) -> StorePointer:
    """The durable pointer to a store; by name only when it has no identity."""
    if store.uid is None:
        return StorePointer(id=store.id)
    return StorePointer(store.uid, store.id, remote)


def means(pointer: StorePointer, store: StorePointer) -> bool:
    """Whether two pointers mean one store: by identity when both have one, else by name."""
    if pointer.uid is not None and store.uid is not None:
        return normal_uid(pointer.uid) == normal_uid(store.uid)
    return pointer.uid is None and pointer.id == store.id


def _is_named(pointer: StorePointer, name: str) -> bool:
    if pointer.uid is not None and is_uid(name):
        return normal_uid(pointer.uid) == normal_uid(name)
    return pointer.id == name


def _named(pointer: StorePointer) -> str:
    if pointer.uid is None:
        return f"'{pointer.id}'"
    return f"'{pointer.id or '-'}' ({pointer.uid})"
