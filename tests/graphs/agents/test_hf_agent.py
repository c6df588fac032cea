"""`hf:PATH` as a supervisor: tiny random weights play, and every sampled token is kept."""

import json

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch")
pytest.importorskip("transformers", reason="needs transformers")
pytest.importorskip("langchain_core", reason="needs langchain-core")

from graphs.agents import schemes
from graphs.models import local
from graphs.models.decoding import Sampled
from graphs.models.weights import load_weights
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.log.blobs import LOGPROBS
from tests.graphs.models.tiny import write_tiny_model
from tests.playing import logged

pytestmark = pytest.mark.slow  # torch and transformers take seconds to import

SUITE = "classic-gate"
SCENARIO = "classic-gate/green_ci_disabled_payment_test/low/seed-5"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("RELEASEOPS_MODEL_MAX_TOKENS", "8")


def events(arena, played, kind):
    return [event.data for event in logged(arena.store, played.episode_id).events if event.kind == kind]


def test_random_weights_babble_and_leave_with_every_token_kept(sqlite_arena, folder):
    played = play_episode(sqlite_arena, schemes.hf(str(folder), SUITE), SCENARIO, seed=3)

    assert (played.invalid, played.fault) == (3, None)
    assert events(sqlite_arena, played, "episode_start")[0]["capture"] == "tokens"
    calls = events(sqlite_arena, played, "model_call")
    assert len(calls) == 3
    for call in calls:
        ids, logprobs = sqlite_arena.store.blobs.get([call["token_ids_sha256"], call["logprobs_sha256"]]).values()
        assert (len(ids), len(logprobs)) == (4 * call["output_tokens"], 2 * call["output_tokens"])
        assert np.frombuffer(logprobs, LOGPROBS).max() <= 0
        assert (call["model"], call["cost_usd"]) == (folder.name, None)
        assert call["policy_version"] == load_weights(folder.resolve()).policy_version


def test_weights_that_write_tool_calls_play_to_the_end(sqlite_arena, folder, monkeypatch):
    tokenizer = load_weights(folder.resolve()).tokenizer
    call = json.dumps({"name": "hold_release", "arguments": {"reason_code": "awaiting_fix"}})
    ids = tokenizer(f"<tool_call>{call}</tool_call><|im_end|>")["input_ids"]
    monkeypatch.setattr(local, "sample", lambda *_, **__: Sampled(ids, [-0.5] * len(ids), True))

    played = play_episode(sqlite_arena, schemes.hf(str(folder), SUITE), SCENARIO)

    assert (played.steps, played.invalid, played.terminal_reason, played.fault) == (3, 0, "missed_deadline", None)


def test_a_conversation_that_outgrows_the_model_is_unscored(sqlite_arena, tmp_path):
    small = write_tiny_model(tmp_path / "small", context=128)

    played = play_episode(sqlite_arena, schemes.hf(str(small), SUITE), SCENARIO)

    assert played.reward is None
    assert str(played.fault).startswith("infrastructure: the model gave no answer: ValueError: the conversation is")
