"""Which lines that look like tasks are surely meant as some."""

from __future__ import annotations

import pytest

from rasen.base.findings import Finding
from rasen.planning.changes import tasks_file
from rasen.planning.fixes.model import Case
from rasen.planning.fixes.tasks import readable_task
from rasen.planning.load import TASK_UNREAD
from rasen.syntax.markdown import Markdown


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("- [] 1.1 Print", "- [ ] 1.1 Print"),
        ("  * [] 1.1 Print", "  * [ ] 1.1 Print"),
        ("1. [] Print", "1. [ ] Print"),
        ("[ ] 1.1 Print", "- [ ] 1.1 Print"),
        ("  [x] 1.1 Print", "  - [x] 1.1 Print"),
        ("- [?] 1.1 Print", None),
        ("> [ ] 1.1 Print", None),
    ],
)
def test_a_box_becomes_one_that_is_read(line: str, mended: str | None) -> None:
    text = f"## 1. Desk\r\n{line}\r\n"
    assert tasks_file.parse(text).suspicious == (1,)

    after = readable_task(Case(Finding(TASK_UNREAD, "tasks.md", {}, 2), Markdown(text)))

    assert after == (None if mended is None else f"## 1. Desk\r\n{mended}\r\n")
    assert after is None or tasks_file.parse(after).total == 1
