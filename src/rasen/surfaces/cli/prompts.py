"""Questions to a person: pickers on a terminal, plain lines on a dumb one, refusal elsewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rasen.base.errors import Refused
from rasen.base.messages import N_
from rasen.surfaces.cli import output

_SAFE_WORD = re.compile(r"[\w@%+=:,./-]+")


class Asker(NamedTuple):
    """Who asks: the words of the call, its environment, and what makes the question unnecessary."""

    argv: Sequence[str]
    environ: Mapping[str, str]
    rerun: str


class Box(NamedTuple):
    """One line of a list to tick."""

    value: str
    label: str
    is_ticked: bool = False


class PromptUnanswered(Refused):
    """A question came up where nobody can answer it."""

    code = "prompt_unanswered"
    text = N_("this needs an answer, and nobody can give one here")
    fix = N_("Run {call}")


class Cancelled(Refused):
    """Somebody declined, or chose nothing."""

    code = "cancelled"
    text = N_("nothing was changed")


def may_ask(environ: Mapping[str, str]) -> bool:
    """True when the environment and the terminal allow a question. Source: planning §0.4."""
    return (
        environ.get("OPEN_SPEC_INTERACTIVE") != "0"
        and "CI" not in environ
        and output.is_terminal(sys.stdin)
        and output.is_terminal(sys.stdout)
    )


def unanswered(asker: Asker) -> PromptUnanswered:
    """The refusal that names the call which needs no answer.

    A word that a shell would read otherwise is shown as a placeholder, so that pasting is safe.
    """
    words = [word if _SAFE_WORD.fullmatch(word) else "<...>" for word in asker.argv]
    call = " ".join(["rasen", *words, *([asker.rerun] if asker.rerun else [])])
    if asker.rerun:
        return PromptUnanswered(call=call)
    return PromptUnanswered(
        fix=N_("Run {call} in a terminal, or give the answer as an option"), call=call
    )


def confirm(asker: Asker, question: str, *, default: bool) -> bool:
    """Ask yes or no on the terminal."""
    if not _is_plain(asker):
        return bool(_asked(asker, _questionary().confirm(question, default=default)))
    hint = "[Y/n]" if default else "[y/N]"
    while True:
        answer = _line(asker, f"{question} {hint} ").strip().lower()
        if answer in ("", "y", "yes", "n", "no"):
            return default if not answer else answer.startswith("y")


def choose(asker: Asker, question: str, options: Sequence[tuple[str, str]]) -> str | None:
    """Ask for one of `options` on the terminal; None when declined."""
    if not _is_plain(asker):
        library = _questionary()
        choices = [
            library.Choice(str(output.shown(label)), value=value) for value, label in options
        ]
        answer = _asked(asker, library.select(question, choices=choices))
        return None if answer is None else str(answer)
    for number, (_, label) in enumerate(options, start=1):
        _show(f"{number}. {label}\n")
    while True:
        answer = _line(asker, f"{question} ").strip()
        if not answer:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(options):
            return options[int(answer) - 1][0]


def tick(asker: Asker, question: str, boxes: Sequence[Box]) -> list[str] | None:
    """Ask for any of `boxes` on the terminal; None when declined."""
    if not _is_plain(asker):
        library = _questionary()
        choices = [
            library.Choice(str(output.shown(one.label)), value=one.value, checked=one.is_ticked)
            for one in boxes
        ]
        picker = library.checkbox(question, choices=choices)
        _take_capitals(picker.application.key_bindings)
        answer = _asked(asker, picker)
        return None if answer is None else [str(value) for value in answer]
    for number, one in enumerate(boxes, start=1):
        _show(f"{number}. [{'x' if one.is_ticked else ' '}] {one.label}\n")
    while True:
        words = _line(asker, f"{question} ").replace(",", " ").split()
        if not words:
            return [one.value for one in boxes if one.is_ticked]
        if all(word.isdecimal() and 1 <= int(word) <= len(boxes) for word in words):
            wanted = {int(word) for word in words}
            return [one.value for number, one in enumerate(boxes, start=1) if number in wanted]


def _take_capitals(keys: Any) -> None:
    """Let `A` do what `a` does, as the question says it."""
    for one in list(keys.bindings):
        if one.keys == ("a",):
            keys.add("A", eager=True)(one.handler)


def ask(asker: Asker, question: str, *, default: str) -> str:
    """Ask for a line of text on the terminal."""
    if not _is_plain(asker):
        return str(_asked(asker, _questionary().text(question, default=default)))
    hint = f" [{default}]" if default else ""
    return _line(asker, f"{question}{hint} ").strip() or default


def _is_plain(asker: Asker) -> bool:
    return asker.environ.get("TERM", "") in ("", "dumb")


def _show(text: str) -> None:
    sys.stderr.write(str(output.shown(text)))
    sys.stderr.flush()


def _line(asker: Asker, prompt: str) -> str:
    _show(prompt)
    line = sys.stdin.readline()
    if not line:
        raise unanswered(asker)
    return line


def _questionary() -> Any:
    import questionary

    return questionary


def _asked(asker: Asker, question: Any) -> Any:
    try:
        return question.unsafe_ask()
    except EOFError:
        raise unanswered(asker) from None
