"""A store's own metadata, `.rasen-store/store.yaml`, versions 1 and 2."""

from __future__ import annotations

from pathlib import Path

from rasen.stores.model import Metadata, normal_uid
from rasen.stores.refusals import InvalidStoreMetadata
from rasen.syntax import yaml
from rasen.syntax.strict import problems, summary

FORMAT = "store-metadata"
VERSIONS = (1, 2)
_SCHEMAS = {
    number: Path(__file__).with_name(f"store_file.v{number}.schema.json") for number in VERSIONS
}


def parse(text: str, *, file: str) -> Metadata:
    """The metadata in `text`.

    Errors: invalid_store_metadata. Source: planning §7.2.
    """
    try:
        value = yaml.load(text, file=file)
    except yaml.YamlInvalid as error:
        raise _invalid(file, str(error)) from error
    version = value.get("version") if isinstance(value, dict) else None
    is_first = version == VERSIONS[0] and not isinstance(version, bool)
    broken = problems(value, _SCHEMAS[VERSIONS[0] if is_first else VERSIONS[-1]])
    if broken or not isinstance(value, dict):
        raise _invalid(file, summary(broken))
    uid = value.get("uid")
    return Metadata(value["id"], normal_uid(uid) if uid is not None else None, value.get("remote"))


def render(metadata: Metadata) -> str:
    """The text of `metadata`, in the version that holds it."""
    fields: dict[str, object] = {"version": metadata.version}
    if metadata.uid is not None:
        fields["uid"] = metadata.uid
    fields["id"] = metadata.id
    if metadata.remote is not None:
        fields["remote"] = metadata.remote
    return yaml.dump(fields)


def _invalid(file: str, problem: str) -> InvalidStoreMetadata:
    return InvalidStoreMetadata(target="store.metadata", file=file, problem=problem)
