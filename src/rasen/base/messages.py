"""Message templates: English text with named places, translated only where it is shown."""

from __future__ import annotations

from collections.abc import Mapping


def N_(text: str) -> str:  # noqa: N802 - the name that message extractors look for
    """Mark `text` for translation and return it unchanged."""
    return text


class Phrase(str):
    """A parameter that is a template itself, without places: translated with the text around it."""

    __slots__ = ()


NONE = Phrase(N_("none"))
"""What stands where names are listed and there are none."""


def fill(template: str, params: Mapping[str, object]) -> str:
    """Put `params` into the named places of `template`; a value is never read as a template itself."""
    return template.format(**params) if params else template.replace("{{", "{").replace("}}", "}")
