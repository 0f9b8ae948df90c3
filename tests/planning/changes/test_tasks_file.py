"""Task lists: every mark counted, and nothing else touched when one changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.planning.changes.tasks_file import TaskState, parse, with_state
from rasen.syntax.markdown import Markdown

LINES = st.one_of(
    st.text(max_size=20),
    st.builds(
        lambda lead, mark, rest: f"{lead}[{mark}]{rest}",
        st.sampled_from(["- ", "* ", "+ ", "1. ", "2) ", "  - ", "\t- ", "-", "", "> - "]),
        st.sampled_from(["", " ", "x", "X", "~", "-", "/", " x ", "  ", "?", "xx", "✓"]),
        st.text(alphabet="ab 1.2(:[", max_size=8),
    ),
    st.sampled_from(["## 1. Group", "## Notes", "```", ""]),
)
TEXTS = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=10).map(
    lambda rows: "".join(line + ending for line, ending in rows)
)


def states(text: str) -> list[str]:
    return [task.state.value for task in parse(text).tasks]


@given(st.one_of(st.text(), TEXTS))
def test_any_text_is_read(text: str) -> None:
    tasks = parse(text)

    assert [task.id for task in tasks.tasks] == [str(at + 1) for at in range(tasks.total)]
    assert tasks.done + tasks.in_progress <= tasks.total
    assert not {task.line for task in tasks.tasks} & set(tasks.suspicious)


@given(TEXTS, st.sampled_from(TaskState))
def test_a_new_state_changes_only_the_mark(text: str, state: TaskState) -> None:
    for task in parse(text).tasks:
        changed = with_state(text, task, state)

        after = parse(changed)
        same = [(one.text, one.line, one.number, one.group) for one in after.tasks]
        assert same == [(one.text, one.line, one.number, one.group) for one in parse(text).tasks]
        assert after.tasks[int(task.id) - 1].state is state
        old, new = around(text, task.line), around(changed, task.line)
        assert (new[0], new[2]) == (old[0], old[2])
        assert new[1].partition("[")[0] == old[1].partition("[")[0]
        assert new[1].partition("]")[2] == old[1].partition("]")[2]


def around(text: str, line: int) -> tuple[str, str, str]:
    """`text` before, in and after a line."""
    document = Markdown(text)
    count = len(document.lines)
    return document.raw(0, line), document.raw(line, line + 1), document.raw(line + 1, count)


@pytest.mark.parametrize(
    ("mark", "state"),
    [
        (" ", "open"),
        ("  ", "open"),
        ("x", "done"),
        ("X", "done"),
        (" x ", "done"),
        ("~", "in-progress"),
        ("-", "in-progress"),
        ("/", "in-progress"),
    ],
)
def test_marks(mark: str, state: str) -> None:
    assert states(f"- [{mark}] a\n") == [state]


@pytest.mark.parametrize("lead", ["- ", "* ", "+ ", "1. ", "12) ", "  - ", "    * ", "\t- ", "-"])
def test_any_list_marker_and_indent(lead: str) -> None:
    (task,) = parse(f"{lead}[x] 1.1 Do it  \n").tasks

    assert (task.text, task.number, task.state) == ("1.1 Do it", "1.1", TaskState.DONE)


@pytest.mark.parametrize(
    "line",
    [
        "- [notes](notes.md)",
        "- [x](notes.md)",
        "- [x][ref]",
        "- [x]: http",
        "- [WIP] a",
        "- x",
        "[a",
    ],
)
def test_links_and_words_in_brackets_are_ordinary_text(line: str) -> None:
    tasks = parse(f"{line}\n")

    assert tasks.tasks == ()
    assert tasks.suspicious == ()


@pytest.mark.parametrize(
    "line", ["- [] a", "- [?] a", "- [✓] a", "* [o] a", "[ ] a", "  [x] 1.1 b", "> - [ ] c"]
)
def test_what_only_looks_like_a_task_is_suspicious(line: str) -> None:
    tasks = parse(f"# T\n{line}\n")

    assert tasks.tasks == ()
    assert tasks.suspicious == (1,)


def test_nested_tasks_count() -> None:
    for indent in ("  ", "    ", "\t"):
        tasks = parse(
            f"- [x] 1.1 Due date rule\n{indent}- [x] 1.1.1 Reference stock\n"
            f"{indent}- [ ] 1.1.2 Students\n- [ ] 1.2 Print receipt\n"
        )
        assert (tasks.done, tasks.total) == (2, 4)


def test_tasks_begun_are_counted_and_not_done() -> None:
    tasks = parse("- [x] a\n- [~] b\n- [ ] c\n- [notes](notes.md)\n")

    assert (tasks.done, tasks.in_progress, tasks.total) == (1, 1, 3)


def test_tasks_in_fences_count() -> None:
    assert parse("```\n- [x] a\n```\n").total == 1


def test_numbers_and_groups() -> None:
    text = "- [ ] 0 first\n## 1. Desk\n- [ ] 1.1 a\n- [ ] b\n## 2) More\n- [ ] 1.2 c\n## Notes\n- [ ] d\n"

    found = [(task.number, task.group) for task in parse(text).tasks]

    assert found == [("0", ""), ("1.1", "1"), ("", "1"), ("1.2", "2"), ("", "")]


def test_windows_endings_and_byte_order_mark_stay() -> None:
    text = "\ufeff## 1. A\r\n- [ ] 1.1 a\r\n- [ x ] 1.2 b"
    first, second = parse(text).tasks

    assert with_state(text, first, TaskState.DONE) == text.replace("[ ]", "[x]")
    assert with_state(text, second, TaskState.DONE) == text
    assert with_state(text, second, TaskState.OPEN) == text.replace("[ x ]", "[ ]")
