"""Click's complaints about the words of a call, in our words and the reader's language."""

from __future__ import annotations

import re

import click

from rasen.base.errors import UsageError
from rasen.base.messages import N_, fill
from rasen.base.text import nearest
from rasen.surfaces.present import Translate

_SENTENCES: tuple[tuple[str, str], ...] = (
    (r"'(?P<value>.*)' is not one of (?P<choices>.*)\.", N_("'{value}' is not one of {choices}")),
    (r"'(?P<value>.*)' is not a valid (?P<kind>.*)\.", N_("'{value}' is not a valid {kind}")),
    (r"(?P<value>.*) is not in the range (?P<range>.*)\.", N_("{value} is not in the range {range}")),
    (r"Option '(?P<option>.*)' requires an argument\.", N_("option {option} needs a value")),
    (r"Option '(?P<option>.*)' requires (?P<count>\d+) arguments\.", N_("option {option} needs {count} values")),
    (r"Option '(?P<option>.*)' does not take a value\.", N_("option {option} takes no value")),
    (r"Argument '(?P<name>.*)' takes (?P<count>\d+) values\.", N_("argument {name} takes {count} values")),
    (r"Got unexpected extra arguments? \((?P<words>.*)\)", N_("one word too many: {words}")),
    (r"Missing command\.", N_("a command is missing")),
)  # fmt: skip


def explained(problem: click.UsageError, translate: Translate) -> UsageError:
    """`problem` as our usage error: what is wrong, and the call that shows the right words."""
    path = problem.ctx.command_path if problem.ctx is not None else "rasen"
    sentence = _sentence(problem, translate)
    near = _near(problem)
    if near:
        step = fill(
            translate(N_("Did you mean {names}? See {path} --help")),
            {"names": ", ".join(near), "path": path},
        )
    else:
        step = fill(translate(N_("See {path} --help")), {"path": path})
    return UsageError(problem=sentence, fix="{step}", step=step)


def _near(problem: click.UsageError) -> list[str]:
    """The words that were probably meant."""
    if isinstance(problem, click.exceptions.NoSuchCommand):
        return list(problem.possibilities or ())
    if isinstance(problem, click.exceptions.NoSuchOption) and problem.ctx is not None:
        params = problem.ctx.command.get_params(problem.ctx)
        names = [
            name for param in params for name in param.opts if not getattr(param, "hidden", False)
        ]
        return nearest(problem.option_name, names, most=1, within=3)
    return []


def _sentence(problem: click.UsageError, translate: Translate) -> str:
    match problem:
        case click.exceptions.NoSuchCommand():
            return fill(translate(N_("no command named '{name}'")), {"name": problem.command_name})
        case click.exceptions.NoSuchOption():
            return fill(translate(N_("no option named {name}")), {"name": problem.option_name})
        case click.exceptions.MissingParameter():
            return fill(translate(N_("{name} is missing")), {"name": _name(problem)})
        case click.exceptions.BadParameter():
            what = _matched(problem.message, translate)
            return fill(
                translate(N_("{name}: {problem}")), {"name": _name(problem), "problem": what}
            )
        case _:
            return _matched(problem.message, translate)


def _name(problem: click.exceptions.BadParameter) -> str:
    if problem.param is not None:
        return str(problem.param.get_error_hint(problem.ctx)).replace("'", "")
    hint = problem.param_hint
    return hint if isinstance(hint, str) else " / ".join(hint or ["?"])


def _matched(sentence: str, translate: Translate) -> str:
    for pattern, template in _SENTENCES:
        found = re.fullmatch(pattern, sentence, re.DOTALL)
        if found:
            return fill(translate(template), found.groupdict())
    return sentence
