"""Taking up bound work again: every row of planning §9.6, and nothing that slips to another clone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rasen.base.errors import ToolError
from rasen.roots.frozen import Binding, Located, Selected, bind
from rasen.roots.session_file import Execution, Planning, Session

F, G = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"
A, B, S = Path("/a"), Path("/b"), Path("/s")


def session(project: str | None, root: Path = A) -> Session:
    execution = None if project is None else Execution(project, root)
    return Session("s", Planning(S, is_store=True), execution)


def bound(frozen: str | None = F, registered: Sequence[Path] = (), **more: Any) -> Binding | None:
    inputs = {"selected": None, "session": None, "here": None, **more}
    return bind(frozen, registered=lambda: registered, **inputs)


@pytest.mark.parametrize("frozen", [None, "", "  ", "planning-only", "Planning-Only"])
def test_without_a_bound_project_there_is_nothing_to_check(frozen: str | None) -> None:
    other = Selected("g", G)

    assert bound(frozen, selected=other, session=session(G), here=Located(B, G)) is None


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        pytest.param({"session": session(F)}, Binding(F, A, "session"), id="session"),
        pytest.param(
            {"session": session(F), "here": Located(B, G)}, Binding(F, A, "session"),
            id="a session before where we are",
        ),
        pytest.param({"here": Located(B, F)}, Binding(F, B, "checkout"), id="where we are"),
        pytest.param(
            {"here": Located(B, F), "registered": [A, B]}, Binding(F, B, "checkout"),
            id="where we are, one of several",
        ),
        pytest.param({"registered": [A]}, Binding(F, A, "registry"), id="the only one registered"),
        pytest.param(
            {"registered": [A, A]}, Binding(F, A, "registry"), id="one registered twice"
        ),
        pytest.param(
            {"here": Located(S, None), "registered": [A]}, Binding(F, A, "registry"),
            id="a root without an identity decides nothing",
        ),
        pytest.param(
            {"selected": Selected("shop", F), "here": Located(B, F)}, Binding(F, B, "checkout"),
            id="a selector that confirms",
        ),
        pytest.param(
            {"selected": Selected(F.upper(), None), "registered": [A]},
            Binding(F, A, "registry"), id="a selector by identity",
        ),
        pytest.param(
            {"frozen": f" {F.upper()} ", "session": session(f"{F.upper()}\t")},
            Binding(F, A, "session"), id="trimmed and in lower case",
        ),
    ],
)  # fmt: skip
def test_the_checkout_that_is_meant(inputs: dict[str, Any], expected: Binding) -> None:
    assert bound(**inputs) == expected


@pytest.mark.parametrize(
    ("inputs", "code", "named"),
    [
        pytest.param(
            {"selected": Selected("till", G, B), "session": session(F)},
            "project_binding_selector_conflict", [F, G, "/b"], id="a selector never retargets",
        ),
        pytest.param(
            {"selected": Selected("till", None)},
            "project_binding_selector_conflict", [F, "till"], id="a selector nobody knows",
        ),
        pytest.param(
            {"session": session(None), "registered": [A]},
            "project_binding_mismatch", [F, "only plans", "/s"], id="a session that only plans",
        ),
        pytest.param(
            {"session": session(G, B), "here": Located(A, F)},
            "project_binding_mismatch", [F, G, "/b"], id="a session in another project",
        ),
        pytest.param(
            {"here": Located(B, G), "registered": [A]},
            "project_binding_mismatch", [F, G, "/b"], id="we are in another project",
        ),
        pytest.param(
            {"registered": [B, A]}, "project_binding_ambiguous", [F, "/a, /b"], id="several",
        ),
        pytest.param({}, "project_binding_missing", [F], id="none"),
    ],
)  # fmt: skip
def test_every_disagreement_is_refused_and_named(
    inputs: dict[str, Any], code: str, named: list[str]
) -> None:
    with pytest.raises(ToolError) as refused:
        bound(**inputs)

    assert refused.value.code == code
    assert refused.value.target == "project.binding"
    assert [text for text in named if text not in str(refused.value)] == []
