"""Message templates: English text with named places, translated only where it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


def N_(text: str) -> str:  # noqa: N802 - the name that message extractors look for
    """Mark `text` for translation and return it unchanged."""
    return text


class Phrase(str):
    """A parameter that is a template itself, without places: translated with the text around it."""

    __slots__ = ()


class Sentence(Protocol):
    """What can be said: a template and what stands in its places. Errors and findings are such."""

    @property
    def text(self) -> str: ...

    @property
    def params(self) -> Mapping[str, object]: ...


class Sentences(tuple[Sentence, ...]):
    """A parameter of several sentences: one after the other, each in the language around them."""

    __slots__ = ()

    def __str__(self) -> str:
        return "; ".join(fill(one.text, one.params) for one in self)


NONE = Phrase(N_("none"))
"""What stands where names are listed and there are none."""


def fill(template: str, params: Mapping[str, object]) -> str:
    """Put `params` into the named places of `template`; a value is never read as a template itself."""
    return template.format(**params) if params else template.replace("{{", "{").replace("}}", "}")
