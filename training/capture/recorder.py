"""Writes rollouts' tokens into the log, as one `model_call` an episode."""

from collections.abc import Sequence

from releaseops_mcp.arena import Arena
from training.capture.policy import PolicyName
from training.capture.sequences import TokenSequence


def record_sequences(
    arena: Arena, policy: PolicyName, step: int, rollouts: Sequence[tuple[str, TokenSequence]]
) -> None:
    """Store each (episode id, sequence) and note it in the episode; raises EpisodeOver ten minutes after its end."""
    names = arena.store.blobs.put(blob for _, sequence in rollouts for blob in sequence.blobs())
    for index, (episode_id, sequence) in enumerate(rollouts):
        sampled = int(sequence.sampled.sum())
        facts = {
            "model": policy.model,
            "input_tokens": len(sequence.token_ids) - sampled,
            "output_tokens": sampled,
            "policy_version": policy.at(step),
            "tokenizer_hash": policy.tokenizer_hash,
            "template_hash": policy.template_hash,
            "token_ids_sha256": names[2 * index],
            "logprobs_sha256": names[2 * index + 1],
        }
        arena.record(episode_id, "model_call", facts)
