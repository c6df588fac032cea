"""Sampled play: many episodes side by side, nothing mended, the same seed the same play."""

import pytest
import torch

from tests.training.playing_table import table_of
from training.models.loading import load_model
from training.playing import play, valid_rate
from training.rendered import tokens_of
from training.sampling import Sampler
from training.seat import Seat

pytestmark = pytest.mark.usefixtures("installed")


def seats(arena, count: int) -> list[Seat]:
    return [Seat.at(table_of(arena), f"arms/bandit/seed-{seed}") for seed in range(count)]


def test_a_warm_model_plays_every_seat_to_its_end(bench, sqlite_arena):
    loaded = load_model(bench.warm)
    games = play(Sampler(loaded.model, loaded.tokenizer, max_tokens=24, seed=1), seats(sqlite_arena, 8))
    assert valid_rate(games) > 0.8
    assert {game.seat.score.total for game in games} == {0.0, 1.0}


def test_what_was_read_and_said_is_what_training_reads(bench, sqlite_arena):
    # given a played episode
    loaded = load_model(bench.warm)
    (game,) = play(Sampler(loaded.model, loaded.tokenizer, temperature=0.0, max_tokens=24), seats(sqlite_arena, 1))

    # when the logged episode is rendered for SFT
    from training.conversation import opening
    from training.datasets.schemas import tool_schemas

    suite, action = game.seat.suite, game.seat.actions[0]
    call = {"role": "assistant", "content": "", "tool_calls": [_function(action)]}
    told = {
        "role": "tool",
        "name": action.tool,
        "content": f"pulled:{action.arguments['arm']}\npulled:true\nover: pulled",
    }
    messages = [*opening(suite, {"pulled": False}), call, told, {"role": "assistant", "content": ""}]
    rendered = tokens_of(loaded.tokenizer, messages, tool_schemas(suite))

    # then its tokens are those that the model saw
    assert rendered["input_ids"][: len(game.tokens)] == game.tokens


def _function(action) -> dict:
    return {"type": "function", "function": {"name": action.tool, "arguments": action.arguments}}


def test_an_untrained_models_answers_are_counted_as_unread(bench, sqlite_arena):
    loaded = load_model(bench.untrained)
    games = play(Sampler(loaded.model, loaded.tokenizer, max_tokens=8), seats(sqlite_arena, 4))
    assert valid_rate(games) == 0.0
    assert [game.unread for game in games] == [1] * 4
    assert all(game.seat.score.total == 0.0 for game in games)


def test_the_same_seed_plays_the_same_and_the_global_state_is_left_alone(bench, sqlite_arena):
    loaded = load_model(bench.warm)
    before = torch.random.get_rng_state()
    played = [
        play(Sampler(loaded.model, loaded.tokenizer, max_tokens=24, seed=5), seats(sqlite_arena, 4)) for _ in range(2)
    ]
    assert torch.equal(torch.random.get_rng_state(), before)
    assert [game.tokens for game in played[0]] == [game.tokens for game in played[1]]


def test_a_model_goes_back_to_training_where_it_was(bench):
    loaded = load_model(bench.warm)
    loaded.model.train()
    Sampler(loaded.model, loaded.tokenizer, max_tokens=2).answers([[1, 2, 3], [4]])
    assert loaded.model.training
