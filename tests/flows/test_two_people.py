"""Two people, two machines, one store: from registration to two changes of one spec, both archived."""

from __future__ import annotations

from pathlib import Path

from tests.support.team import SPEC, Machine, bare, every_text, write
from tests.support.world import World

DELTA = """## MODIFIED Requirements

### Requirement: {title}
The system SHALL {does}.

#### Scenario: Works
- **WHEN** it is asked
- **THEN** it does so
"""


def _proposal(store: Path, name: str, delta: str) -> None:
    write(store, f"rasen/changes/{name}/specs/pay/spec.md", delta)
    write(store, f"rasen/changes/{name}/proposal.md", f"## Why\n{name} needs it.\n")
    write(store, f"rasen/changes/{name}/tasks.md", "- [x] 1.1 Do it\n")


def _share(machine: Machine, root: Path, message: str) -> None:
    machine.commit(root, message)
    machine.git(root, "pull", "-q", "--rebase", "origin", "main")
    machine.git(root, "push", "-q", "origin", "HEAD")


def test_both_sides_of_one_spec_survive(world: World) -> None:
    mia, tom = Machine(world, "mia"), Machine(world, "tom")
    hers = mia.store()
    write(hers, "rasen/specs/pay/spec.md", SPEC.format(name="pay"))
    mia.commit(hers, "First spec")
    remote = bare(world, hers, "team")
    his = tom.clone(remote, "team")
    tom.ok("store", "register", str(his))

    web, shop = mia.project("web"), tom.project("shop")
    mia.ok("store", "add-project", str(web), "--to", "team")
    _share(mia, hers, "Web joins")
    tom.git(his, "pull", "-q", "--rebase")
    tom.ok("store", "add-project", str(shop), "--to", "team")
    _share(tom, his, "Shop joins")
    mia.git(hers, "pull", "-q", "--rebase")
    assert len(list((hers / ".rasen-store/projects").iterdir())) == 2
    references = (hers / "rasen/config.yaml").read_text()
    assert "- project:web\n" in references
    assert "- project:shop\n" in references

    mia.ok("new", "change", "faster", "--store", "team")
    tom.ok("new", "change", "safer", "--store", "team")
    _proposal(hers, "faster", DELTA.format(title="First", does="do the first thing at once"))
    _proposal(his, "safer", DELTA.format(title="Second", does="do the second thing twice"))
    for machine in (mia, tom):
        machine.ok("validate", "--changes", "--strict", "--store", "team")
    _share(mia, hers, "Propose faster")
    tom.commit(his, "Propose safer")
    tom.git(his, "pull", "-q", "--rebase")
    tom.git(his, "push", "-q", "origin", "HEAD")

    mia.ok("archive", "faster", "--yes", "--store", "team")
    _share(mia, hers, "Archive faster")
    tom.git(his, "pull", "-q", "--rebase")
    tom.ok("archive", "safer", "--yes", "--store", "team")
    _share(tom, his, "Archive safer")
    mia.git(hers, "pull", "-q", "--rebase")

    spec = (hers / "rasen/specs/pay/spec.md").read_text()
    assert "SHALL do the first thing at once." in spec
    assert "SHALL do the second thing twice." in spec
    assert spec == (his / "rasen/specs/pay/spec.md").read_text()
    names = sorted(path.name[11:] for path in (hers / "rasen/changes/archive").iterdir()
                   if path.is_dir())  # fmt: skip
    assert names == ["faster", "safer"]
    for machine, root in ((mia, hers), (tom, his)):
        assert machine.git(root, "status", "--porcelain") == ""
        assert str(world.base) not in every_text(root)


def test_both_archive_before_they_meet(world: World) -> None:
    mia, tom = Machine(world, "mia"), Machine(world, "tom")
    hers = mia.store()
    write(hers, "rasen/specs/pay/spec.md", SPEC.format(name="pay"))
    mia.commit(hers, "First spec")
    his = tom.clone(bare(world, hers, "team"), "team")
    tom.ok("store", "register", str(his))
    _proposal(hers, "faster", DELTA.format(title="First", does="do the first thing at once"))
    _proposal(his, "safer", DELTA.format(title="Second", does="do the second thing twice"))
    for machine, root, name in ((mia, hers, "faster"), (tom, his, "safer")):
        machine.commit(root, f"Propose {name}")
        machine.ok("archive", name, "--yes", "--store", "team")
        machine.commit(root, f"Archive {name}")

    mia.git(hers, "push", "-q", "origin", "HEAD")
    tom.git(his, "pull", "-q", "--no-rebase", "--no-edit")
    tom.git(his, "push", "-q", "origin", "HEAD")
    mia.git(hers, "pull", "-q")

    spec = (hers / "rasen/specs/pay/spec.md").read_text()
    assert "at once." in spec
    assert "twice." in spec
    mia.ok("validate", "--all", "--strict", "--store", "team")


def test_a_project_adopted_by_one_is_planned_in_by_the_other(world: World) -> None:
    mia, tom = Machine(world, "mia"), Machine(world, "tom")
    hers, web = mia.store(), mia.project("web")
    write(web, "rasen/specs/pay/spec.md", SPEC.format(name="pay"))
    mia.commit(web, "Plan")
    remotes = bare(world, hers, "team"), bare(world, web, "web")
    mia.ok("store", "adopt", str(web), "--to", "team")
    for root in (hers, web):
        _share(mia, root, "Adopt")

    his_web = tom.clone(remotes[1], "web")
    before = tom.cli("list", "--json", cwd=his_web)
    his = tom.clone(remotes[0], "team-of-mine")
    tom.ok("store", "register", str(his))
    told = tom.ok("list", "--specs", "--json", cwd=his_web).json

    assert before.error == "store_bootstrap_required"
    assert told["root"]["source"] == "declared"
    assert told["root"]["path"] == str(his)
    assert [spec["id"] for spec in told["specs"]] == ["pay"]
    back = tom.ok("store", "eject", "web", "--from", "team", "--json", cwd=his_web).json
    assert back["ejection"]["specs"] == ["pay"]
    assert (his_web / "rasen/specs/pay/spec.md").is_file()
