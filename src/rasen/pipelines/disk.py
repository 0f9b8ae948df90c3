"""Where pipelines lie: the project's folder, the user's, then our own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rasen.base.errors import NotFound, ToolError
from rasen.base.findings import Finding, Level, Rule, has_errors
from rasen.base.messages import N_, Phrase
from rasen.base.text import nearest
from rasen.files import atomic
from rasen.files.paths import is_plain_name
from rasen.pipelines import pipeline_file, rules, sense
from rasen.pipelines.model import PACKAGE, PROJECT, USER, Pipeline
from rasen.pipelines.pipeline_file import FORMAT, PipelineInvalid, Where

SHIPPED = Path(__file__).parents[1] / "assets" / "pipelines"
LIMIT_BYTES = 1024 * 1024


class PipelineUnknown(NotFound):
    """No layer has a pipeline of that name."""

    code = "pipeline_not_found"
    text = N_("there is no pipeline '{name}'; there are: {known}")
    fix = N_("run `rasen pipeline list` to see them")


class Read(NamedTuple):
    """A pipeline as it could be read; None when it cannot be used, and the findings say why."""

    pipeline: Pipeline | None
    findings: tuple[Finding, ...]


class Shelf:
    """The pipelines that one command can see, highest layer first. Source: library §21.2."""

    def __init__(self, workspace_dir: Path | None, data_dir: Path, shipped: Path = SHIPPED) -> None:
        """workspace_dir: None leaves out the project's layer."""
        own = ((PROJECT, workspace_dir / "pipelines"),) if workspace_dir is not None else ()
        self.layers = (*own, (USER, data_dir / "pipelines"), (PACKAGE, shipped))

    def names(self, *sources: str) -> list[str]:
        """All names, usable or not, sorted; only those of the given layers when any are given."""
        found: set[str] = set()
        for source, folder in self.layers:
            if not sources or source in sources:
                found.update(_folders(folder))
        return sorted(found)

    def places(self, name: str) -> list[tuple[str, Path]]:
        """Every layer's folder of that name with its source, the one that counts first."""
        if not is_plain_name(name):
            return []
        return [
            (source, folder / name)
            for source, folder in self.layers
            if (folder / name / FORMAT).is_file()
        ]

    def find(self, name: str) -> tuple[str, Path]:
        """The place that counts. Errors: pipeline_not_found."""
        places = self.places(name)
        if not places:
            close = nearest(name, self.names(), most=1, within=3)
            raise PipelineUnknown(
                name=name,
                known=", ".join(self.names()),
                nearest=", ".join(close),
                fix=N_("did you mean {nearest}?") if close else None,
            )
        return places[0]

    def read(self, name: str) -> Read:
        """The pipeline of that name with all that is wrong with it, its child included.

        Errors: pipeline_not_found.
        """
        source, place = self.find(name)
        return self.read_at(place, source)

    def read_at(self, place: Path, source: str) -> Read:
        """The same for the pipeline in the folder `place`."""
        try:
            found = read_file(place / FORMAT, source=source)
        except ToolError as problem:
            line = problem.params.get("line")
            rule = Rule(problem.code or "pipeline_invalid", Level.ERROR, N_("{problem}"))
            at = line if isinstance(line, int) else None
            return Read(None, (Finding(rule, FORMAT, {"problem": problem}, at),))
        return self.judged(found)

    def judged(self, found: Read) -> Read:
        """`found` with what is wrong with the child of its decompose stage. Source: PL-012."""
        if found.pipeline is None:
            return found
        wrong = tuple(self._child(found.pipeline))
        return Read(None if wrong else found.pipeline, (*found.findings, *wrong))

    def load(self, name: str) -> Pipeline:
        """The pipeline of that name. Errors: pipeline_not_found, pipeline_invalid."""
        source, place = self.find(name)
        found = self.read_at(place, source)
        if found.pipeline is None:
            raise PipelineInvalid(file=str(place / FORMAT), name=name, findings=found.findings)
        return found.pipeline

    def usable(self) -> list[Pipeline]:
        """Every pipeline by name; one that cannot be used is left out, the next layer's is not
        looked at (it would not run either). Source: PL-011."""
        found = (self.read(name).pipeline for name in self.names())
        return [one for one in found if one is not None]

    def _child(self, pipeline: Pipeline) -> Iterable[Finding]:
        stage = pipeline.decompose
        if stage is None or stage.child is None:
            return
        params = {"stage": stage.id, "child": stage.child}
        place = f"stages[{pipeline.stages.index(stage)}].childPipeline"
        places = self.places(stage.child)
        child = None
        problem: object = Phrase(N_("it does not exist"))
        if stage.child == pipeline.name:
            child = pipeline
        elif places:
            try:
                child = read_file(places[0][1] / FORMAT, source=places[0][0]).pipeline
            except ToolError as error:
                problem = error
            else:
                problem = Phrase(N_("it is invalid"))
        if child is None:
            known = ", ".join(self.names())
            more = {"problem": problem, "known": known}
            yield Finding(rules.CHILD_UNKNOWN, place, {**params, **more})
        elif child.decompose is not None:
            yield Finding(rules.CHILD_DECOMPOSES, place, params)


def read_file(path: Path, *, source: str) -> Read:
    """The pipeline in the file `path`; what it means for other pipelines is not looked at.

    Errors: yaml_invalid, file_*.
    """
    from rasen.syntax import yaml

    text = atomic.read_text(path, limit_bytes=LIMIT_BYTES)
    document = yaml.load_positioned(text, file=str(path))
    return read_value(document.value, document.where, source=source, place=path.parent)


def read_value(
    value: object, where: Where, *, source: str = USER, place: Path | None = None
) -> Read:
    """The pipeline in data that was read already, such as a JSON document."""
    pipeline, findings = pipeline_file.read(value, where, source=source, place=place)
    if not has_errors(findings):
        findings += sense.check(pipeline, where)
    return Read(None if has_errors(findings) else pipeline, tuple(findings))


def _folders(folder: Path) -> list[str]:
    try:
        return [
            one.name
            for one in folder.iterdir()
            if not one.name.startswith(".") and (one / FORMAT).is_file()
        ]
    except OSError:
        return []  # a folder that is not there, or cannot be read, offers nothing
