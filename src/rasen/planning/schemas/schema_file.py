"""Owns `schema.yaml`: its structure, everything that can be wrong with it, and where.

Unknown keys are ignored. Source: planning §5.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath, PureWindowsPath

from rasen.base.errors import InvalidInput
from rasen.base.findings import Finding, Level, Rule, has_errors
from rasen.base.messages import N_
from rasen.planning.schemas import rules
from rasen.planning.schemas.model import Apply, Artifact, Place, Schema

FORMAT = "schema.yaml"
Steps = tuple[str | int, ...]
Where = Callable[[Steps], tuple[int, int] | None]


class SchemaInvalid(InvalidInput):
    """A schema file that cannot be used; `findings` says everything that is wrong with it."""

    code = "schema_invalid"
    text = N_("the schema {file} cannot be used: {problems}")
    fix = N_("correct {file}; `rasen schema validate {name}` lists every problem")

    def __init__(self, *, file: str, name: str, findings: Iterable[Finding]) -> None:
        self.findings = list(findings)
        super().__init__(file=file, name=name, problems="; ".join(map(_sentence, self.findings)))


def _sentence(finding: Finding) -> str:
    at = f"line {finding.line}: " if finding.line else ""
    return at + finding.message + (f" ({finding.fix})" if finding.fix.startswith("did you") else "")


def parse(text: str, *, file: str, place: Place) -> Schema:
    """The schema that `text` holds.

    Errors: schema_invalid (with all findings), yaml_invalid.
    """
    from rasen.syntax import yaml

    document = yaml.load_positioned(text, file=file)
    schema, findings = read(document.value, document.where, place)
    if schema is None:
        wrong = [one for one in findings if one.level is Level.ERROR]
        raise SchemaInvalid(file=file, name=place.name, findings=wrong)
    return schema


def trusted(value: Mapping[object, object], place: Place) -> Schema:
    """The schema in a document that a test has checked: ours, shipped with the program."""
    return _Reader(lambda _: None).schema(value, place)


def read(value: object, where: Where, place: Place) -> tuple[Schema | None, list[Finding]]:
    """The schema in a parsed document and every finding; no schema when one of them is an error."""
    reader = _Reader(where)
    if not isinstance(value, Mapping):
        reader.report(rules.NOT_A_MAP, ())
        return None, reader.findings
    schema = reader.schema(value, place)
    if not has_errors(reader.findings):
        from rasen.planning.schemas.sense import Sense

        Sense(schema, reader.report).check()
    return (None if has_errors(reader.findings) else schema), reader.findings


class _Reader:
    """Takes a document apart and collects what is wrong with its structure."""

    def __init__(self, where: Where) -> None:
        self.where = where
        self.findings: list[Finding] = []

    def report(self, rule: Rule, path: Steps, **params: object) -> None:
        line, column = self.where(path) or self.where(path[:-1]) or (None, None)
        self.findings.append(Finding(rule, FORMAT, params, line, column))

    def schema(self, value: Mapping[object, object], place: Place) -> Schema:
        self.text(value, "name", ())
        version = value.get("version")
        if version is None:
            self.missing(("version",), "a positive whole number")
        elif not isinstance(version, int) or isinstance(version, bool) or version < 1:
            self.wrong(("version",), "a positive whole number", version)
            version = None
        return Schema(
            name=place.name,
            version=version or 1,
            description=self.optional(value, "description", ()) or "",
            artifacts=self.artifacts(value.get("artifacts")),
            apply=self.apply(value["apply"]) if value.get("apply") is not None else None,
            source=place.source,
            directory=place.directory,
        )

    def artifacts(self, value: object) -> tuple[Artifact, ...]:
        expected = "a list of at least one artifact"
        if value is None:
            self.missing(("artifacts",), expected)
            return ()
        if not isinstance(value, list) or not value:
            self.wrong(("artifacts",), expected, value)
            return ()
        return tuple(self.artifact(item, ("artifacts", at)) for at, item in enumerate(value))

    def artifact(self, value: object, path: Steps) -> Artifact:
        if not isinstance(value, Mapping):
            self.wrong(path, "a map with id, generates, description and template", value)
            return Artifact("", "", "", "")
        return Artifact(
            id=self.text(value, "id", path),
            generates=self.inner_path(value, "generates", path),
            description=self.text(value, "description", path, may_be_empty=True),
            template=self.inner_path(value, "template", path),
            instruction=self.optional(value, "instruction", path),
            requires=self.names(value, "requires", path),
            enhance=self.optional(value, "enhance", path),
            provider=self.optional(value, "provider", path),
            context_from=self.optional(value, "context-from", path),
        )

    def apply(self, value: object) -> Apply | None:
        if not isinstance(value, Mapping):
            self.wrong(("apply",), "a map with requires, tracks and instruction", value)
            return None
        expected = "a list of at least one artifact id"
        if value.get("requires") is None:
            self.missing(("apply", "requires"), expected)
        elif value["requires"] == []:
            self.wrong(("apply", "requires"), expected, [])
        tracks = self.optional(value, "tracks", ("apply",))
        if tracks is not None:
            self.check_inner_path(tracks, ("apply", "tracks"))
        return Apply(
            requires=self.names(value, "requires", ("apply",)),
            tracks=tracks,
            instruction=self.optional(value, "instruction", ("apply",)),
        )

    def text(
        self, owner: Mapping[object, object], key: str, path: Steps, *, may_be_empty: bool = False
    ) -> str:
        value = owner.get(key)
        expected = "a text" if may_be_empty else "a text that is not empty"
        if value is None:
            self.missing((*path, key), expected)
        elif not isinstance(value, str) or not (value.strip() or may_be_empty):
            self.wrong((*path, key), expected, value)
        else:
            return value
        return ""

    def optional(self, owner: Mapping[object, object], key: str, path: Steps) -> str | None:
        value = owner.get(key)
        if value is None or isinstance(value, str):
            return value
        self.wrong((*path, key), "a text", value)
        return None

    def names(self, owner: Mapping[object, object], key: str, path: Steps) -> tuple[str, ...]:
        value = owner.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.wrong((*path, key), "a list of artifact ids", value)
            return ()
        for at, item in enumerate(value):
            if not isinstance(item, str):
                self.wrong((*path, key, at), "an artifact id", item)
        return tuple(item for item in value if isinstance(item, str))

    def inner_path(self, owner: Mapping[object, object], key: str, path: Steps) -> str:
        value = self.text(owner, key, path)
        if value:
            self.check_inner_path(value, (*path, key))
        return value

    def check_inner_path(self, value: str, path: Steps) -> None:
        if not is_inner_path(value):
            self.report(rules.UNSAFE_PATH, path, place=_place(path), value=value)

    def missing(self, path: Steps, expected: str) -> None:
        self.report(rules.MISSING, path, place=_place(path), expected=expected)

    def wrong(self, path: Steps, expected: str, actual: object) -> None:
        self.report(
            rules.WRONG_TYPE, path, place=_place(path), expected=expected, actual=_describe(actual)
        )


def is_inner_path(value: str) -> bool:
    """True for a relative path that cannot lead out of the folder it is joined to."""
    if "\0" in value or "\\" in value or not value.strip("./ "):
        return False
    windows = PureWindowsPath(value)
    rooted = value.startswith("/") or bool(windows.drive) or windows.is_absolute()
    return not rooted and ".." not in PurePosixPath(value).parts


def _place(path: Steps) -> str:
    return ".".join(map(str, path))


def _describe(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, str):
        return f"'{value}'" if value.strip() else "an empty text"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return "a map" if isinstance(value, Mapping) else str(value).lower()
