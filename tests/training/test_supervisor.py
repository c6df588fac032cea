"""A trained policy among the supervisors: it plays what the sampled evaluation plays."""

from pathlib import Path

import pytest

from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import InvalidArgument
from tests.training import parrot
from tests.training.playing_table import table_of
from training.evaluation.games import Player
from training.models.loading import load_model
from training.supervisor import trained


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parrot.build(tmp_path_factory.mktemp("parrot"))


@pytest.mark.parametrize("scenario", parrot.SCENARIOS)
def test_it_plays_as_the_greedy_policy_of_the_evaluation(folder: Path, arena: Arena, scenario: str) -> None:
    # given what the policy is worth in an evaluation
    player = Player(load_model(str(folder)), table_of(arena), temperature=0)
    (game,) = player.play([scenario], size=1)

    # when it plays as a supervisor
    played = play_episode(arena, trained(str(folder), parrot.SUITE), scenario)

    # then it makes the same calls, and earns the same
    assert game.seat.score is not None
    assert (played.steps, played.reward) == (len(game.seat.actions), game.seat.score.total)
    assert played.steps > 1
    assert (played.fault, played.invalid, played.truncated) == (None, 0, False)


def test_its_name_is_in_the_log(folder: Path, arena: Arena) -> None:
    played = play_episode(arena, trained(str(folder), parrot.SUITE), parrot.SCENARIOS[0])

    assert played.agent == f"trained:{folder}"


def test_an_unknown_suite_and_a_folder_without_a_model_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="no suite 'chess': choose one of"):
        trained(str(folder), "chess")
    with pytest.raises(InvalidArgument, match="cannot be loaded"):
        trained(str(tmp_path), parrot.SUITE)
