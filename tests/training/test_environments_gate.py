"""Training plays the gate as every other suite: by its tools alone, on open seeds alone, and no text tells the kind."""

import pytest

from releaseops_mcp.simulation import Simulation
from tests.doors.gatekit import GIVEAWAY, tour
from tests.training.playing_table import table_of
from training.environments import environment_factory
from training.splits import HeldOut, trainable

SCENARIO = "gate/looplatch/k12-false-claim-twin/level-2/seed-3"


def test_an_environment_plays_a_whole_release(sqlite_arena):
    environment = environment_factory(table_of(sqlite_arena), ["gate"])["gate"]()
    simulation = Simulation.of(SCENARIO)

    shown = [environment.reset(prompt=[], scenario=SCENARIO)]
    for tool, arguments in tour(simulation.first_observation):
        simulation.call(tool, arguments)
        shown.append(getattr(environment, tool)(**arguments))

    assert shown[-1].endswith("over: refused")
    assert environment.get_reward() == simulation.score().total
    assert GIVEAWAY.search("\n".join(shown).replace("k01-skipped-test", "")) is None


@pytest.mark.parametrize(("seed", "part"), [(20_003, "pairs"), (30_001, "stream"), (3, None), (10_003, None)])
def test_training_is_refused_the_seeds_of_other_lists(seed, part):
    for end in ("", "-twin"):
        name = f"gate/cedarline/k07-soft-step{end}/level-1/seed-{seed}"
        if part is None:
            assert trainable(name).seed == seed
        else:
            with pytest.raises(HeldOut, match=part):
                trainable(name)
