"""The scripts beside expert skills, really run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.skills import ASSETS
from tests.support.world import World

CAREFUL = ASSETS / "experts/rasen-careful/bin/ask-before"
FROZEN = ASSETS / "experts/rasen-freeze/bin/frozen"
BISECT = ASSETS / "experts/rasen-investigate/scripts/bisect.sh"
LOOK = ASSETS / "experts/rasen-chrome-use/scripts/look.sh"


def run(
    argv: Sequence[object],
    text: str = "",
    *,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    words = [str(one) for one in argv]
    return subprocess.run(
        words, input=text, text=True, capture_output=True, cwd=cwd, env=env, timeout=60, check=False
    )


@pytest.mark.parametrize("script", [CAREFUL, FROZEN, BISECT, LOOK], ids=lambda path: path.name)
def test_a_script_can_be_run(script: Path) -> None:
    assert os.access(script, os.X_OK)
    assert script.read_text("utf-8").startswith("#!")


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf build",
        "rm -r -f -- build",
        "rm --recursive x",
        "rm *.log",
        "sudo ls",
        "/bin/rm -R x",
        "A=1 rm -rf x",
        "env A=1 rm -rf x",
        "timeout 5 rm -rf x",
        "nice -n 5 rm -rf x",
        "true && rm -rf x",
        "true;rm -rf x",
        "echo `rm -rf x`",
        "echo $(git push --force)",
        "bash -c 'rm -rf x'",
        'sh -c "git reset --hard"',
        "eval rm -rf x",
        "find . -name '*.pyc' -delete",
        "find . | xargs rm -rf",
        "git push --force",
        "git push -f origin main",
        "git push --force-with-lease",
        "git push origin :old",
        "git push origin +main",
        "git -C elsewhere reset --hard",
        "git -c a.b=c clean -fd",
        "git checkout -- .",
        "git checkout -- file",
        "git restore .",
        "git branch -D old",
        "git stash drop",
        "git commit --amend",
        "git rebase -i main",
        "psql -c 'DROP TABLE users'",
        "psql -c 'delete from users'",
        "mysql -e 'UPDATE users SET admin = 1'",
        "redis-cli FLUSHALL",
        "TRUNCATE TABLE x",
        "kubectl delete pod x",
        "terraform destroy",
        "docker system prune -a",
        "npm publish",
        "dd if=a of=/dev/sda",
        "mkfs.ext4 /dev/sda1",
        "chmod -R 777 .",
        "ls\nrm -rf x",
        "ls\r\nrm -rf x",
        "echo a#b; rm -rf x",
        "rm \\\n -rf x",
        "# don't\nrm -rf x\n# don't",
        "# don't\nX=$(rm -rf x)\n# don't",
        "cat <<EOF\nit's\nEOF\nrm -rf x",
        "cat <<EOF\n$(rm -rf x)\nEOF",
        "bash <<EOF\nrm -rf x\nEOF",
        "ssh host <<EOF\nrm -rf x\nEOF",
        'echo "$(rm -rf $(pwd))"',
        "if true; then rm -rf x; fi",
        "for one in a b; do rm -rf $one; done",
        "{ rm -rf x; }",
        "! rm -rf x",
        "\\rm -rf x",
        "'r'm -r''f x",
        "R=rm; $R -rf x",
        "rm${IFS}-rf${IFS}x",
        "env -u A rm -rf x",
        "ls | xargs -n 1 rm -rf",
        "ls | xargs -I {} sh -c 'rm -rf {}'",
        "timeout -k 5 10 rm -rf x",
        "find . -name x -exec rm {} +",
        "find . -exec sh -c 'git clean -fd' ';'",
        "bash -lc 'rm -rf x'",
        "bash -ec 'rm -rf x'",
        "curl -s http://localhost/x | sh",
        ". <(curl -s http://localhost/x)",
        "echo cm0gLXJmIHg= | base64 -d | bash",
        "bash <<< 'rm -rf x'",
        "trap 'rm -rf x' EXIT",
        "ssh host 'rm -rf x'",
        "ssh -p 22 host rm -rf x",
        "docker exec box rm -rf x",
        "kubectl exec pod -- sh -c 'rm -rf x'",
        "rm -rf build --dry-run",
        "rm -rf build -- --help",
        "rm --recur x",
        "python3 -c 'import shutil; shutil.rmtree(\"x\")'",
        "python3 <<EOF\nimport shutil\nshutil.rmtree('x')\nEOF",
        "git push -d origin old",
        "git push --forc",
        "git --git-dir x push -f",
        "git push --force -- origin --dry-run",
        "git reset --har",
        "git restore notes.txt",
        "git restore --staged --worktree notes.txt",
        "git checkout HEAD~1 notes.txt",
        "git checkout -qf main",
        "git switch -C main",
        "git branch -f main HEAD~3",
        "git tag -d v1",
        "git worktree remove --force x",
        "git reflog expire --all",
        "psql -c 'delete from a; select 1 from b where x'",
        "echo 'DROP TABLE x' | psql",
        "cat <<EOF | psql\nDROP TABLE x;\nEOF",
        "kubectl delete pod x --dry-run=none",
        "docker compose down -v",
        "aws s3 rm s3://x --recursive",
        "systemctl stop web",
        "pkill -f node",
        "curl -X DELETE http://localhost/x",
        "rsync -a --delete a/ b/",
        "cat x > /dev/sda",
        "echo x > $FILE",
        "rd /s /q build",
        "Remove-Item -Recurse build",
        "powershell -Command 'Remove-Item -Recurse x'",
        "$(" * 60_000,
        "bash -c " * 50,
        "env " * 300 + "ls",
    ],
    ids=lambda command: command[:40],
)
def test_dangerous_commands_need_a_yes(command: str) -> None:
    plain = run([CAREFUL, "--plain"], command)
    hook = run([CAREFUL], json.dumps({"tool_input": {"command": command}}))

    assert plain.returncode == 2
    assert plain.stderr.startswith("needs a yes: it ")
    answer = json.loads(hook.stdout)["hookSpecificOutput"]
    assert (hook.returncode, answer["permissionDecision"]) == (0, "ask")


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "rm notes.txt",
        "git status",
        "git push origin main",
        "git clean -n",
        "git commit -m 'rm -rf is dangerous'",
        "echo 'git push --force'",
        "grep -rn 'DROP' src",
        "psql -c 'delete from users where id = 3'",
        "psql -c \"update users set name = 'x' where id = 3\"",
        "terraform plan",
        "make test 2>&1",
        "cat x > /dev/null",
        "git checkout main",
        "git checkout -b new origin/main",
        "git restore --staged notes.txt",
        "git push --force --dry-run",
        "git rebase --continue",
        "git tag -a v1 -m 'Version 1'",
        "git commit -m 'Drop table support'",
        "git commit -m \"$(cat <<'EOF'\nSay `rm -rf`\n\nIt's done.\nEOF\n)\"",
        "cat > fresh.sh <<'EOF'\nrm -rf \"$1\"\nEOF",
        "cat > fresh.md <<'EOF'\nNever `git push --force`.\nEOF",
        "ls # rm -rf x",
        "awk '{ print $(NF) }' notes",
        "for one in $(ls); do echo $one; done",
        "X=$(date); echo $((1 + 2))",
        "docker run -v $PWD:/x image ls",
        "bash script.sh",
        "bash --version",
        "uv run ruff format .",
        "find . -name '*.py' -exec grep -l x {} +",
        "kubectl delete pod x --dry-run=client",
        "terraform destroy --help",
        "python3 -m pytest -q",
        "echo x > fresh.txt",
        "echo x >> notes.txt",
        "make > /dev/null 2>&1",
        "",
        'echo "unbalanced',
    ],
)
def test_harmless_commands_pass(command: str) -> None:
    told = run([CAREFUL, "--plain"], command)

    assert (told.returncode, told.stderr) == (0, "")
    hook = run([CAREFUL], json.dumps({"tool_input": {"command": command}}))
    assert (hook.returncode, hook.stdout) == (0, "")


@pytest.mark.parametrize(
    "text", ["[]", '{"tool_input": 3}', '{"tool_input": {"command": 3}}', '{"tool_input": {}}']
)
def test_an_event_about_something_else_passes(text: str) -> None:
    result = run([CAREFUL], text)

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("text", ["", "{", "\udc80"])
def test_an_event_that_cannot_be_read_is_asked_about(text: str) -> None:
    result = subprocess.run(
        [str(CAREFUL)],
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )

    assert b'"ask"' in result.stdout
    assert result.stderr == b""


def test_only_a_file_with_something_in_it_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("x", "utf-8")
    (tmp_path / "empty").touch()

    def asks(command: str) -> bool:
        event = {"cwd": str(tmp_path), "tool_input": {"command": command}}
        return "writes over a file" in run([CAREFUL], json.dumps(event)).stdout

    over = (
        "date > full",
        "date >| full",
        "date &> full",
        "git log > full",
        "date 2> full",
        "> full",
    )
    assert [asks(one) for one in over] == [True] * 6
    assert [asks(one) for one in ("date > empty", "date > new", "date >> full", "cat < full")] == [
        False
    ] * 4


def test_a_command_may_come_as_words_and_be_denied() -> None:
    event = json.dumps({"tool_input": {"command": ["bash", "-lc", "rm -rf x"]}})

    denied = run([CAREFUL, "--deny"], event)

    assert "ask" in json.loads(run([CAREFUL], event).stdout)["hookSpecificOutput"].values()
    assert (denied.returncode, denied.stdout) == (2, "")
    assert "deletes folders" in denied.stderr
    assert run([CAREFUL, "--deny"], '{"tool_input": {"command": "ls"}}').returncode == 0


@pytest.fixture
def repository(world: World) -> Path:
    world.git("init", "-q")
    for name in ("a", "b", "a/inner"):
        world.path(name).mkdir()
    return world.root


def frozen(repository: Path, *words: object, text: str = "") -> subprocess.CompletedProcess[str]:
    return run([FROZEN, *words], text, cwd=repository)


def test_only_the_folder_may_be_edited(repository: Path) -> None:
    assert frozen(repository, "check", "b/x").returncode == 0
    assert frozen(repository, "set", "a").returncode == 0
    (repository / "a/way-out").symlink_to(repository / "b")

    inside = [frozen(repository, "check", one).returncode for one in ("a/x", "a", "a/inner/../y")]
    outside = [
        frozen(repository, "check", one).returncode
        for one in ("b/x", "a/../b/x", "ab/x", repository / "b/x", "a/way-out/x", "..")
    ]

    assert inside == [0, 0, 0]
    assert outside == [2] * 6
    assert frozen(repository, "show").stdout.startswith("edits only below ")
    assert frozen(repository, "clear").returncode == 0
    assert frozen(repository, "check", "b/x").returncode == 0


def test_the_boundary_leaves_no_file_in_the_tree(repository: Path, world: World) -> None:
    frozen(repository, "set", "a")

    assert world.git("status", "--porcelain") == ""


def test_a_hook_refuses_edits_outside(repository: Path) -> None:
    frozen(repository, "set", "a")

    def hook(path: object) -> int:
        event = json.dumps({"tool_input": {"file_path": str(path)}})
        return frozen(repository, "hook", text=event).returncode

    assert hook(repository / "a/x") == 0
    assert hook(repository / "b/x") == 2
    assert frozen(repository, "hook", text='{"tool_input": {"command": "ls"}}').returncode == 0
    assert frozen(repository, "hook", text="{").returncode == 2


def test_without_a_boundary_an_unreadable_event_is_none_of_its_business(repository: Path) -> None:
    assert frozen(repository, "hook", text="{").returncode == 0


def test_a_boundary_that_cannot_be_read_refuses(repository: Path) -> None:
    (repository / ".git/rasen-freeze").write_text("", "utf-8")

    assert frozen(repository, "check", "a/x").returncode == 2


def test_without_the_means_to_follow_links_no_boundary_is_set(repository: Path) -> None:
    """A boundary that nobody worked out would allow everything."""
    few = repository / "few"
    few.mkdir()
    for name in ("git", "sh", "cat"):
        (few / name).symlink_to(str(shutil.which(name)))

    result = run([FROZEN, "set", "a"], cwd=repository, env={"PATH": str(few)})

    assert result.returncode != 0
    assert not (repository / ".git/rasen-freeze").exists()


def test_names_with_patterns_in_them_are_only_names(repository: Path) -> None:
    (repository / "[ab] *").mkdir()
    frozen(repository, "set", "[ab] *")

    assert frozen(repository, "check", "[ab] */x").returncode == 0
    assert frozen(repository, "check", "a/x").returncode == 2
    assert frozen(repository, "check", "a */x").returncode == 2


@pytest.mark.parametrize("words", [(), ("set",), ("set", "nowhere"), ("check",), ("thaw",)])
def test_wrong_use_is_told(repository: Path, words: tuple[str, ...]) -> None:
    result = frozen(repository, *words)

    assert result.returncode == 1
    assert result.stderr


def history(world: World, first_bad: int, total: int = 9) -> list[str]:
    world.git("init", "-q")
    commits = []
    for number in range(total):
        world.write("value", f"{number}\n")
        world.write("works", "no\n" if number >= first_bad else "yes\n")
        world.git("add", "-A")
        world.git("commit", "-q", "-m", f"Step {number}")
        commits.append(world.git("rev-parse", "HEAD").strip())
    return commits


@pytest.mark.parametrize("first_bad", [1, 2, 5, 8])
def test_the_first_bad_commit_is_found_and_nothing_is_touched(world: World, first_bad: int) -> None:
    commits = history(world, first_bad)
    world.write("value", "edited\n")
    world.write("untracked", "mine\n")

    result = run(
        ["sh", BISECT, commits[0], "HEAD", "grep", "-q", "yes", "works"],
        cwd=world.root,
        env={**os.environ, **world.env},
    )

    assert result.returncode == 0, result.stderr
    assert f"{commits[first_bad]}\n" in result.stdout
    assert f"Step {first_bad}" in result.stdout
    assert (world.read("value"), world.read("untracked")) == ("edited\n", "mine\n")
    assert len(world.git("worktree", "list").splitlines()) == 1


def bisect(world: World, *words: object) -> subprocess.CompletedProcess[str]:
    return run(["sh", BISECT, *words], cwd=world.root, env={**os.environ, **world.env})


BREAKS_IN_THE_MIDDLE = (
    'v=$(cat value); [ "$v" -lt 3 ] || [ "$v" -gt 5 ] || exit 125; grep -q yes works'
)


def test_commits_that_cannot_be_told_are_passed_over(world: World) -> None:
    commits = history(world, 7)

    result = bisect(world, commits[0], "HEAD", "sh", "-c", BREAKS_IN_THE_MIDDLE)

    assert result.returncode == 0, result.stderr
    assert f"{commits[7]}\n" in result.stdout


def test_commits_between_which_it_cannot_be_told_are_listed(world: World) -> None:
    commits = history(world, 4)

    result = bisect(world, commits[0], "HEAD", "sh", "-c", BREAKS_IN_THE_MIDDLE)

    assert result.returncode == 1
    assert set(result.stderr.splitlines()[1:]) == set(commits[3:7])
    assert len(world.git("worktree", "list").splitlines()) == 1


def test_it_goes_into_merged_branches_and_leaves_a_search_of_the_users_alone(world: World) -> None:
    commits = history(world, 9, total=3)
    world.git("checkout", "-q", "-b", "side")
    world.write("works", "no\n")
    world.git("commit", "-q", "-a", "-m", "Break it")
    broken = world.git("rev-parse", "HEAD").strip()
    world.git("checkout", "-q", "-")
    world.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    world.git("bisect", "start", "HEAD", commits[0])
    before = (world.git("bisect", "log"), world.git("rev-parse", "HEAD"))

    result = bisect(world, commits[0], broken, "grep", "-q", "yes", "works")

    assert f"{broken}\n" in result.stdout, result.stderr
    assert (world.git("bisect", "log"), world.git("rev-parse", "HEAD")) == before


def test_what_a_run_leaves_does_not_reach_the_next(world: World) -> None:
    commits = history(world, 5)
    leaving = "[ ! -e left ] || exit 0; touch left; echo no >works.tmp; grep -q yes works"

    assert f"{commits[5]}\n" in bisect(world, commits[0], "HEAD", "sh", "-c", leaving).stdout


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ([], 2),
        (["HEAD~8", "HEAD"], 2),
        (["nothing", "HEAD", "true"], 4),
        (["HEAD~8", "HEAD", "true"], 3),
        (["HEAD~8", "HEAD", "false"], 3),
        (["HEAD", "HEAD", "false"], 4),
        (["HEAD", "HEAD~8", "false"], 4),
        (["HEAD~8", "HEAD", "sh", "-c", "grep -q yes works || exit 125"], 3),
    ],
)
def test_bisecting_says_what_is_wrong(world: World, words: list[str], status: int) -> None:
    history(world, 5)

    result = run(["sh", BISECT, *words], cwd=world.root, env={**os.environ, **world.env})

    assert result.returncode == status
    assert len(world.git("worktree", "list").splitlines()) == 1


def test_without_a_browser_it_says_so(tmp_path: Path) -> None:
    result = run(["/bin/sh", LOOK, "--find"], env={"PATH": str(tmp_path)})

    assert result.returncode == 3
    assert "CHROME" in result.stderr


@pytest.fixture
def browser(tmp_path: Path) -> dict[str, str]:
    """A program that does with its arguments what a browser does."""
    program = tmp_path / "chromium"
    program.write_text(
        "#!/bin/sh\n"
        'for word in "$@"; do case "$word" in\n'
        '  --user-data-dir=*) mkdir -p "${word#*=}"; echo "${word#*=}" >"$SEEN" ;;\n'
        '  --screenshot=*) echo picture >"${word#*=}" ;;\n'
        "  --dump-dom) echo '<p>after</p>' ;;\n"
        "esac; done\n",
        "utf-8",
    )
    program.chmod(0o755)
    return {**os.environ, "CHROME": str(program), "SEEN": str(tmp_path / "seen")}


def test_a_look_makes_a_picture_or_gives_the_text_and_leaves_nothing(
    browser: dict[str, str], tmp_path: Path
) -> None:
    shot = run(
        ["sh", LOOK, "http://localhost:1/", "--picture", "page.png", "--width", "360"],
        cwd=tmp_path,
        env=browser,
    )
    text = run(["sh", LOOK, "http://localhost:1/", "--text"], cwd=tmp_path, env=browser)

    assert (shot.returncode, (tmp_path / "page.png").read_text("utf-8")) == (0, "picture\n")
    assert (text.returncode, text.stdout) == (0, "<p>after</p>\n")
    assert not Path((tmp_path / "seen").read_text("utf-8").strip()).exists()


@pytest.mark.parametrize(
    "words",
    [[], ["http://localhost/"], ["localhost", "--text"], ["http://localhost/", "--width", "x"],
     ["http://localhost/", "--text", "--more"], ["http://localhost/", "--picture"]],
)  # fmt: skip
def test_a_look_refuses_wrong_words(browser: dict[str, str], words: list[str]) -> None:
    assert run(["sh", LOOK, *words], env=browser).returncode == 2


def test_a_look_that_is_stopped_takes_the_browser_with_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pid")
    program = tmp_path / "chromium"
    program.write_text(f"#!/bin/sh\necho $$ >'{tmp_path}/pid'\nexec sleep 300\n", "utf-8")
    program.chmod(0o755)
    env = {**os.environ, "CHROME": str(program), "TMPDIR": str(tmp_path)}
    words = ["sh", str(LOOK), "http://localhost:1/", "--text"]
    with subprocess.Popen(words, env=env, cwd=tmp_path) as look:
        browser = int((tmp_path / "pid").read_text("utf-8"))
        look.terminate()
        assert look.wait(timeout=30) == 143

    with pytest.raises(ProcessLookupError):
        os.kill(browser, 0)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["chromium", "pid"]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser is installed here")
def test_a_real_browser_shows_the_page_after_its_scripts(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p id=x>before</p><script>x.textContent = 'after'</script>", "utf-8")

    text = run(["sh", LOOK, page.as_uri(), "--text"])
    shot = run(["sh", LOOK, page.as_uri(), "--picture", tmp_path / "page.png"])

    assert "after</p>" in text.stdout, text.stderr
    assert shot.returncode == 0
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
