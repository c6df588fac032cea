"""A rollout's tokens are in the log: what was given, what was sampled, how likely it was, and which policy chose it."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from releaseops_mcp.audit.verify import verify
from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.log.export import write_export
from releaseops_mcp.log.logged import DatabaseLog
from releaseops_mcp.log.reading import ExportLog
from tests.playing import logged
from tests.sequences import GATE_SCENARIO
from training.capture.policy import PolicyName, policy_name, tokenizer_hash
from training.capture.recorder import record_sequences
from training.capture.sequences import TokenSequence, read_sequence, sequence_of
from training.models.tiny import tiny_tokenizer
from training.trainers import sequences_of

NAN = math.nan
POLICY = PolicyName("runs/warm", "abc", "tok", "tpl")


def recorded(arena, sequence: TokenSequence) -> tuple[str, dict]:
    """Record one rollout and return its episode and the event."""
    episode = arena.start(GATE_SCENARIO, capture="tokens").episode_id
    arena.finish(episode)
    record_sequences(arena, POLICY, 7, [(episode, sequence)])
    return episode, logged(arena.store, episode).events[-1].data


@given(st.lists(st.tuples(st.integers(0, 2**31 - 1), st.one_of(st.just(NAN), st.floats(-50, 0))), min_size=1))
def test_a_sequence_survives_its_blobs(tokens):
    sequence = sequence_of([token for token, _ in tokens], [chance for _, chance in tokens])
    ids, chances = sequence.blobs()
    assert np.array_equal(np.frombuffer(ids, "<i4"), sequence.token_ids)
    assert np.array_equal(np.frombuffer(chances, "<f2"), sequence.logprobs, equal_nan=True)
    assert (len(ids), len(chances)) == (4 * len(tokens), 2 * len(tokens))


def test_nan_says_what_was_given():
    sequence = sequence_of([5, 6, 7, 8, 9], [NAN, NAN, -0.5, NAN, -1.0])
    assert sequence.sampled.tolist() == [False, False, True, False, True]
    assert sequence.prompt_tokens == 2
    assert sequence_of([5], [NAN]).prompt_tokens == 1
    with pytest.raises(ValueError, match="2 tokens have 1 log-probabilities"):
        sequence_of([1, 2], [0.0])


def test_the_event_names_tokens_policy_tokenizer_and_template(sqlite_arena):
    sequence = sequence_of([5, 6, 7], [NAN, -0.5, -1.0])
    _, event = recorded(sqlite_arena, sequence)
    assert (event["policy_version"], event["tokenizer_hash"], event["template_hash"]) == ("abc@7", "tok", "tpl")
    assert (event["input_tokens"], event["output_tokens"]) == (1, 2)
    again = read_sequence(sqlite_arena.store.blobs, event["token_ids_sha256"], event["logprobs_sha256"])
    assert again.token_ids.tolist() == [5, 6, 7]
    assert again.logprobs[1:].tolist() == [-0.5, -1.0]


def test_a_log_with_blobs_verifies_and_exports(sqlite_arena, tmp_path):
    recorded(sqlite_arena, sequence_of([5, 6], [NAN, -0.5]))
    assert verify(DatabaseLog(sqlite_arena.store)).episodes == 1
    write_export(sqlite_arena.store, tmp_path / "log.jsonl", with_truth=True)
    assert verify(ExportLog(tmp_path / "log.jsonl")).episodes == 1


def test_blobs_that_do_not_belong_together_are_refused(sqlite_arena):
    blobs = sqlite_arena.store.blobs
    (ids, _), (_, chances) = sequence_of([1, 2], [0.0, 0.0]).blobs(), sequence_of([1], [0.0]).blobs()
    names = blobs.put([ids, chances])
    with pytest.raises(ChainBroken, match="differ in length"):
        read_sequence(blobs, *names)


def test_a_trainers_batch_becomes_sequences_without_padding():
    # given two rollouts: one with a tool's answer between its own tokens, one shorter
    output = {
        "prompt_ids": torch.tensor([[0, 1, 2], [3, 4, 5]]),
        "prompt_mask": torch.tensor([[0, 1, 1], [1, 1, 1]]),
        "completion_ids": torch.tensor([[6, 7, 8], [9, 0, 0]]),
        "completion_mask": torch.tensor([[1, 1, 1], [1, 0, 0]]),
        "tool_mask": torch.tensor([[1, 0, 1], [1, 1, 1]]),
    }
    first, second = sequences_of(output, torch.tensor([[-1.0, -2.0, -3.0], [-4.0, 0.0, 0.0]]))
    assert first.token_ids.tolist() == [1, 2, 6, 7, 8]
    assert first.sampled.tolist() == [False, False, True, False, True]
    assert second.token_ids.tolist() == [3, 4, 5, 9]
    assert second.logprobs[-1] == -4.0


def test_padding_does_not_change_a_tokenizers_hash_and_its_words_do(installed):
    from tests.training.arms import SIZE, SUITE

    tokenizer = tiny_tokenizer((SUITE,), SIZE)
    before = tokenizer_hash(tokenizer)
    tokenizer(["a", "a b c"], padding=True, truncation=True, max_length=2)
    assert tokenizer_hash(tokenizer) == before
    tokenizer.add_tokens(["release"])
    assert tokenizer_hash(tokenizer) != before
    assert policy_name("m", "r", tokenizer).at(3) == "r@3"
