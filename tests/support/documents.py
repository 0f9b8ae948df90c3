"""Holding JSON answers against the schema files that we publish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs

import rasen.surfaces

FOLDER = Path(rasen.surfaces.__file__).parent / "schemas"


def fits(name: str, document: Any) -> Any:
    """The document itself, once it fits `surfaces/schemas/<name>.schema.json`."""
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    errors = [
        f"{'/'.join(map(str, error.instance_path))}: {error.message}"
        for error in jsonschema_rs.validator_for(schema).iter_errors(document)
    ]
    assert errors == []
    return document
