"""Where the user's workflows lie, and reading all of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from rasen.base.context import Context
from rasen.syntax.portable_path import is_junk, order
from rasen.workflows import registry, rules
from rasen.workflows.catalogue import Catalogue, Known, assemble
from rasen.workflows.model import Diagnostic, Invalid
from rasen.workflows.reading import Reading, read_folder

FOLDER = "workflows"


def home(ctx: Context) -> Path:
    """The folder of the user's workflows. Source: library WF-004."""
    return ctx.data_dir / FOLDER


def load(ctx: Context, known: Known | None = None) -> Catalogue:
    """The catalogue with every workflow of the user's, in order. Source: library §2.6."""
    registry.settle(ctx)
    folder = home(ctx)
    try:
        names = os.listdir(folder)  # noqa: PTH208 - the names suffice
    except FileNotFoundError:
        return Catalogue()
    except OSError as error:
        return Catalogue(invalid=(_unreadable(folder, error),))
    found = list(_entries(folder, names))
    readings = [one for one in found if isinstance(one, Reading)]
    return assemble(readings, [one for one in found if isinstance(one, Invalid)], known)


def _entries(folder: Path, names: list[str]) -> Iterator[Reading | Invalid]:
    for name in sorted(names, key=order):
        if is_junk(name):
            continue
        place = folder / name
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            yield _unreadable(place, error)
            continue
        if stat.S_ISDIR(mode):
            yield read_folder(place)
        else:
            params = {"file": name}
            found = Diagnostic(rules.NOT_A_FOLDER, name, params, source=str(place))
            yield Invalid(name, place, (found,))


def _unreadable(place: Path, error: OSError) -> Invalid:
    params = {"problem": error.strerror or str(error)}
    found = Diagnostic(rules.REGISTRY_UNREADABLE, place.name, params, source=str(place))
    return Invalid(place.name, place, (found,))
