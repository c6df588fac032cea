"""A new suite or scorer is a new file in its folder, and nothing else."""

import sys

import pytest

from releaseops_mcp import episodes, rewards
from releaseops_mcp.episodes.registry import suite_of, suites
from releaseops_mcp.errors import UnknownScenario
from releaseops_mcp.rewards.classic_canary import SCORER as CANARY_SCORER
from releaseops_mcp.rewards.classic_gate import ClassicGateScorer
from releaseops_mcp.rewards.registry import code_hash, scorers
from releaseops_mcp.simulation import Simulation
from tests import toys
from tests.sequences import CANARY_SCENARIO


@pytest.fixture
def new_files(tmp_path, monkeypatch):
    """A suite and a scorer as new files in the packages' folders."""
    for package, name, found in ((episodes, "TOY as SUITE", suites), (rewards, "TOY_SCORER as SCORER", scorers)):
        folder = tmp_path / package.__name__
        folder.mkdir()
        (folder / "a_toy.py").write_text(f"from tests.toys import {name}\n")
        (folder / "a_note.py").write_text("SUITE = SCORER = None\n")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        found.cache_clear()
    yield
    monkeypatch.undo()
    for package, found in ((episodes, suites), (rewards, scorers)):
        for module in ("a_toy", "a_note"):
            sys.modules.pop(f"{package.__name__}.{module}", None)
            vars(package).pop(module, None)
        found.cache_clear()


def test_the_suites_are_found_with_their_scorers():
    assert {"canary", "classic-canary", "classic-gate"} <= set(suites())
    assert set(suites()) == set(scorers())


@pytest.mark.usefixtures("new_files")
def test_a_new_suite_is_found_by_its_file_alone():
    assert suites()["toy"] is toys.TOY
    simulation = Simulation.of(toys.SCENARIO)
    assert simulation.call("decide", {"verdict": "block"}).earned.reward == 1.0
    assert simulation.score().reward_id == "toy"


def test_the_suite_of_a_scenario_is_its_first_segment():
    assert suite_of(CANARY_SCENARIO).name == "classic-canary"
    with pytest.raises(
        UnknownScenario, match=r"no suite 'nowhere' .*: the suites are canary, classic-canary, classic-gate"
    ):
        suite_of("nowhere/easy/seed-0")


def test_a_scorer_names_its_code_whether_it_is_a_file_or_a_folder():
    hashes = {code_hash(ClassicGateScorer), code_hash(type(CANARY_SCORER))}
    assert len(hashes) == 2
    assert all(len(each) == 64 for each in hashes)


def test_a_tool_that_a_suite_lacks_is_refused_for_free_and_named():
    simulation = Simulation.of(CANARY_SCENARIO)
    judged = simulation.call("ask_worker", {})
    assert (judged.refusal.code, judged.earned.reward) == ("unknown_tool", 0.0)
    assert judged.refusal.message == "classic-canary has no tool 'ask_worker': call one of decide_rollout"
