"""Samples an answer from a causal language model, token for token, with a generator of its own.

Not `model.generate`: that draws from torch's global random state and applies whatever warpers the folder's generation
config names. Here a token is drawn from softmax(logits / temperature) and from nothing else, and its log-probability
is the one under which it was drawn (temperature 1 where decoding is greedy).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Sampled:
    """One answer."""

    token_ids: list[int]
    """With the token that ended it, if one did."""
    logprobs: list[float]
    stopped: bool
    """Whether a stop token ended it; otherwise it was cut at its longest length."""


@torch.inference_mode()
def sample(
    model: Any,
    prompt: Sequence[int],
    *,
    stops: Collection[int],
    max_tokens: int,
    temperature: float = 0.0,
    seed: int = 0,
) -> Sampled:
    """Return an answer of at most `max_tokens` tokens; greedy at temperature 0."""
    chance = torch.Generator().manual_seed(seed)
    takes = signature(model.forward).parameters
    cache = "cache" if "cache" in takes else "past_key_values"  # transformers renamed it on its way to 5.24
    only_last = {"logits_to_keep": 1} if "logits_to_keep" in takes else {}
    token_ids, logprobs = list[int](), list[float]()
    step, past = torch.tensor([list(prompt)], device=model.device), None
    while len(token_ids) < max_tokens:
        out = model(input_ids=step, use_cache=True, **{cache: past}, **only_last)
        past = getattr(out, cache)
        scores = torch.log_softmax(out.logits[0, -1].float().cpu() / (temperature or 1.0), dim=-1)
        drawn = torch.multinomial(scores.exp(), 1, generator=chance) if temperature else scores.argmax().reshape(1)
        token = int(drawn.item())
        token_ids.append(token)
        logprobs.append(float(scores[token]))
        if token in stops:
            return Sampled(token_ids, logprobs, True)
        step = drawn.reshape(1, 1).to(model.device)
    return Sampled(token_ids, logprobs, False)
