"""The quick ones of the gate suite's own gates, on a handful of worlds."""

from collections.abc import Iterator

import pytest

from releaseops_mcp.world.scenario import ScenarioName
from tests.gates import gate_worlds
from tests.gates.gate_worlds import digest, elsewhere, is_solvable, names_itself, spread


def _id(name: ScenarioName) -> str:
    return name.id


def _telling(name: ScenarioName) -> Iterator[bytes]:
    yield f"see {name.kind}".encode()


def test_every_scenario_has_a_world_of_its_own() -> None:
    # Given two samples of different sizes, when both are hashed, then the hash is of all their worlds.
    assert digest(12) == digest(12) != digest(11)


def test_another_process_with_another_hash_seed_makes_the_same_worlds() -> None:
    assert elsewhere(8, {"PYTHONHASHSEED": "1"}) == digest(8)


@pytest.mark.parametrize("name", list(spread(24)), ids=_id)
def test_full_knowledge_ends_every_release_well_and_reading_costs_it_little(name: ScenarioName) -> None:
    assert is_solvable(name)


@pytest.mark.parametrize("name", list(spread(12)), ids=_id)
def test_nothing_that_an_agent_sees_names_a_kind(name: ScenarioName) -> None:
    assert not names_itself(name)


def test_the_search_for_names_would_find_one(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(spread(1))
    monkeypatch.setattr(gate_worlds, "visible", _telling)
    assert names_itself(name)
