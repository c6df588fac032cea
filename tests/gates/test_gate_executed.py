"""The gate of executed truth on one world, and that it would find a report or a base that is not true."""

from dataclasses import replace
from pathlib import Path

from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.scenario import parse
from releaseops_mcp.world.world import World
from tests.gates.executing import Machine, commands_of, execute
from tests.gates.gate_executed import checked_kinds, contradictions, named

WORLD = generate(parse("gate/cedarline/k01-skipped-test/level-2/seed-5"))
STEP = "      - name: Unit tests\n        run: {}\n"
TWO = "def test_a():\n    pass\n\n\ndef test_b():\n    assert False\n"


def lying(world: World, field: str) -> World:
    """Return the world with a test of the named proposal's tree broken behind its report's back."""
    lineage = named(world)
    first = lineage.versions[0]
    trees = {"base": dict(first.base or {}), "head": dict(first.head or {})}
    trees[field]["tests/test_announce.py"] += "    assert False\n"
    changed = replace(lineage, versions=(replace(first, base=trees["base"], head=trees["head"]),))
    return replace(world, lineages=tuple(changed if each.id == lineage.id else each for each in world.lineages))


def test_real_pytest_contradicts_no_report_and_no_log() -> None:
    assert list(contradictions(WORLD, Machine())) == []


def test_a_report_of_a_failing_tree_that_says_passed_is_found_out() -> None:
    assert {fault for fault, _ in contradictions(lying(WORLD, "head"), Machine())} == {"reports", "logs"}


def test_a_base_that_is_not_green_is_found_out() -> None:
    assert {fault for fault, _ in contradictions(lying(WORLD, "base"), Machine())} == {"bases"}


def test_trees_that_are_equal_to_python_are_run_once(tmp_path: Path) -> None:
    machine, tree = Machine(), {WORKFLOW: "jobs: {}", "docs/runbook.md": "one"}
    machine.run(tmp_path, tree)
    machine.run(tmp_path, {**tree, "docs/runbook.md": "two"})
    assert len(machine.known) == 1
    machine.run(tmp_path, {**tree, "a.py": "1"})
    assert len(machine.known) == 2


def test_the_commands_are_those_of_the_workflow_file() -> None:
    steps = "".join(
        map(STEP.format, ("pip install pytest", "pytest -q", "|\n          set +e\n          pytest -x | tee a"))
    )
    assert commands_of({WORKFLOW: f"jobs:\n  test:\n    steps:\n{steps}"}) == ("pytest -q", "pytest -x | tee a")


def test_a_command_runs_what_it_selects_and_options_of_absent_plugins_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_two.py").write_text(TWO)
    whole = {"tests/test_two.py::test_a": "passed", "tests/test_two.py::test_b": "failed"}
    assert execute(tmp_path, "pytest -q --reruns 2 --junitxml=other.xml || true") == whole
    assert execute(tmp_path, "pytest -q tests -k 'not test_b'") == {"tests/test_two.py::test_a": "passed"}


def test_kinds_of_tests_and_ci_are_taken_and_no_others() -> None:
    assert {"k01-skipped-test", "k07-soft-step"} <= set(checked_kinds())
    assert "k15-stale-approval" not in checked_kinds()
