"""A small model that has learnt two rollouts of the classic canary by heart: it plays several turns, and validly."""

from functools import cache
from pathlib import Path

import torch

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.episodes.registry import suites
from training.datasets.schemas import tool_schemas
from training.models.corpus import played
from training.models.tiny import TinySize, one_thread, tiny_model, tiny_tokenizer
from training.rendered import padded, tokens_of

SUITE = "classic-canary"
SCENARIOS = tuple(f"{SUITE}/{task}/seed-2" for task in ("easy", "hard"))
"""Held out, and of different lengths."""
AGENT = "threshold-only"
SIZE = TinySize(hidden=48, layers=1, heads=2, vocabulary=700, context=2_048, scenarios=1)


@cache
def build(folder: Path, steps: int = 70) -> Path:
    """Write the model."""
    suite = suites()[SUITE]
    tokenizer = tiny_tokenizer((suite,), SIZE)
    model = tiny_model(tokenizer, SIZE)
    talks = [played(suite, scenario, find_supervisor(AGENT, SUITE), 0) for scenario in SCENARIOS]
    batch = padded([tokens_of(tokenizer, talk, tool_schemas(suite)) for talk in talks], tokenizer.pad_token_id)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-2)
    with one_thread():
        for _ in range(steps):
            loss = model(**batch).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
