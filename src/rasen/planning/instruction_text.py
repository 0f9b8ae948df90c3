"""Instructions as the text an agent reads; what comes from a repository cannot pose as ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rasen.planning.apply import ApplyInstructions
from rasen.planning.changes.tasks_file import TaskState
from rasen.planning.instructions import Instructions
from rasen.stores.references import ReferenceEntry, render_markdown, render_xml

TAGS = (
    "artifact",
    "warning",
    "task",
    "project_context",
    "referenced_stores",
    "rules",
    "quality-rules",
    "enhance",
    "provider",
    "structured-context",
    "dependencies",
    "dependency",
    "path",
    "description",
    "output",
    "instruction",
    "template",
    "success_criteria",
    "unlocks",
)
_OURS = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)
_ESCAPED = re.compile(r"&(?=(?:amp;)*lt;)")
_MARKUP = re.compile(r"<(?=[\s/!?A-Za-z])")


def quoted(text: str) -> str:
    """Untrusted text as data: nothing in it can open or close a tag; nothing is lost either."""
    return _MARKUP.sub("&lt;", _ESCAPED.sub("&amp;", text))


def kept(text: str) -> str:
    """Text of a schema, to be read as it stands: only our own tags are taken from it."""
    return _OURS.sub("&lt;", text)


def attribute(text: str) -> str:
    """Text between the quotes of an attribute."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return " ".join(escaped.split())


def artifact_text(instructions: Instructions, *, references: Sequence[ReferenceEntry] = ()) -> str:
    """The block for one artifact; tags and their order are stable. Source: planning §4.6."""
    return "\n".join(_artifact(instructions, references)) + "\n"


def _artifact(one: Instructions, references: Sequence[ReferenceEntry]) -> Iterator[str]:
    artifact, progress = one.artifact, one.progress
    names = f'id="{attribute(artifact.id)}" change="{attribute(progress.name)}"'
    yield f'<artifact {names} schema="{attribute(progress.schema.name)}">'
    if one.work_dir:
        yield f"Work dir: {quoted(one.work_dir)}"
    yield ""
    if one.missing:
        yield from _block("warning", [
            f"Blocked: {', '.join(map(quoted, one.missing))} should be written first.",
        ])  # fmt: skip
    for finding in progress.misplaced_in(artifact):
        yield from _block("warning", [quoted(f"{finding.message}. {finding.fix}.")])
    yield from _block("task", [
        f"Write the artifact {quoted(artifact.id)} of the change {quoted(progress.name)}.",
        quoted(artifact.description),
    ])  # fmt: skip
    yield from _settings(one, references)
    yield from _dependencies(one)
    yield from _block("output", [f"Write to: {quoted(str(one.target))}"])
    if artifact.instruction and artifact.instruction.strip():
        yield from _block("instruction", [kept(artifact.instruction.strip("\n"))])
    yield from _block("template", [
        "<!-- Use this as the structure of the file and fill it in. -->",
        kept(one.template.strip("\n")),
    ])  # fmt: skip
    yield from _block("success_criteria", [
        "- The file is at the output path and follows the template's structure.",
        "- Every point of the instruction is met, and no placeholder is left.",
        *(["- It obeys the rules above without repeating them."] if _has_rules(one) else []),
    ])  # fmt: skip
    if one.unlocks:
        yield from _block("unlocks", [f"Next: {', '.join(map(quoted, one.unlocks))}"])
    yield "</artifact>"


def _settings(one: Instructions, references: Sequence[ReferenceEntry]) -> Iterator[str]:
    constraint = "<!-- Settings of this project: obey them, do not copy them into the output. -->"
    if one.context:
        yield from _block("project_context", [constraint, quoted(one.context)])
    if references:
        yield render_xml(references)
    if one.rules:
        yield from _block("rules", [constraint, *_bullets(one.rules)])
    if one.settings.quality:
        yield from _block("quality-rules", [constraint, *_bullets(one.settings.quality)])
    if one.artifact.enhance:
        yield from _block("enhance", [
            f"When the file is written, run the skill {quoted(one.artifact.enhance)} on it.",
        ])  # fmt: skip
    if one.artifact.provider:
        yield from _block("provider", [
            f"The skill {quoted(one.artifact.provider)} produces this artifact.",
        ])  # fmt: skip
    if one.structured_context:
        yield from _block("structured-context", [quoted(one.structured_context)])


def _dependencies(one: Instructions) -> Iterator[str]:
    if not one.dependencies:
        return
    lines = ["Read these before you write:"]
    for need in one.dependencies:
        status = "done" if need.is_done else "missing"
        lines.append(f'<dependency id="{attribute(need.id)}" status="{status}">')
        lines += [f"  <path>{quoted(path)}</path>" for path in need.paths]
        lines.append(f"  <description>{quoted(need.description)}</description>")
        lines.append("</dependency>")
    yield from _block("dependencies", lines)


def _has_rules(one: Instructions) -> bool:
    return bool(one.rules or one.settings.quality)


def _bullets(items: Sequence[str]) -> list[str]:
    return [f"- {quoted(item)}" for item in items]


def _block(tag: str, lines: Sequence[str]) -> Iterator[str]:
    yield f"<{tag}>"
    yield from lines
    yield f"</{tag}>"
    yield ""


def apply_text(
    instructions: ApplyInstructions, *, references: Sequence[ReferenceEntry] = ()
) -> str:
    """The Markdown for applying a change. Source: planning §4.7."""
    return "\n".join(_apply(instructions, references)) + "\n"


def _apply(one: ApplyInstructions, references: Sequence[ReferenceEntry]) -> Iterator[str]:
    progress, tracked = one.progress, one.tracked
    yield f"## Apply: {progress.name}"
    yield f"Schema: {progress.schema.name}"
    if one.work_dir:
        yield f"Work dir: {one.work_dir}"
    yield ""
    if references:
        yield render_markdown(references)
    if one.missing:
        yield from ("### Blocked", "", f"Missing artifacts: {', '.join(one.missing)}", "")
    if one.context_files:
        yield from ("### Context Files", "")
        for name, paths in one.context_files.items():
            yield from (f"- {name}: {path}" for path in paths)
        yield ""
    if tracked.tasks:
        yield from ("### Progress", "", f"{tracked.done}/{tracked.total} complete", "")
        yield from ("### Tasks", "")
        for task in tracked.tasks:
            mark = "x" if task.state is TaskState.DONE else " "
            yield f"- [{mark}] {task.text}"
        yield ""
    yield from ("### Instruction", "", one.instruction.strip("\n"))
