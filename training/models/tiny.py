"""A small Qwen3-architecture model and its tokenizer, built on the spot: nothing is downloaded.

About a million parameters, untrained. The same sizes, suites and seed give the same files.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from pydantic import BaseModel, ConfigDict, Field
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from transformers.utils import chat_template_utils

from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from training.models.corpus import call_parts, conversations, words
from training.models.templates import TURN_END, chat_template
from training.models.tokenizer import PAD, train_tokenizer


class TinySize(BaseModel):
    """How large a model is built."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hidden: int = Field(default=128, ge=16)
    layers: int = Field(default=4, ge=1)
    heads: int = Field(default=4, ge=1)
    """Query heads; half as many key and value heads, where that is a whole number."""
    vocabulary: int = Field(default=1_536, ge=512)
    """Tokens at most."""
    context: int = Field(default=4_096, ge=256)
    """Tokens of one episode at most."""
    scenarios: int = Field(default=8, ge=1)
    """Scenarios of each suite that the tokenizer is trained on."""


USUAL = TinySize()
_TEMPLATES: Any = chat_template_utils
_RANDOM: Any = torch.random
"""Their types are half unknown."""


def build_tiny(folder: Path, size: TinySize = USUAL, *, seed: int = 0, played: tuple[Suite, ...] = ()) -> Path:
    """Write an untrained model and its tokenizer into `folder` and return it; `played` are suites, usually all."""
    tokenizer: Any = tiny_tokenizer(played or tuple(suites().values()), size, seed=seed)
    model: Any = tiny_model(tokenizer, size, seed=seed)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_tokenizer(played: tuple[Suite, ...], size: TinySize = USUAL, *, seed: int = 0) -> PreTrainedTokenizerFast:
    """Return a tokenizer that was trained on what the scripted supervisors of these suites see and call."""
    talks: Any = list(conversations(played, size.scenarios, seed))
    texts, _ = _TEMPLATES.render_jinja_template(conversations=talks, chat_template=chat_template(told=False))
    return train_tokenizer(texts, call_parts(played), words(played), size=size.vocabulary, context=size.context)


def tiny_model(tokenizer: PreTrainedTokenizerFast, size: TinySize = USUAL, *, seed: int = 0) -> Qwen3ForCausalLM:
    """Return an untrained model for a tokenizer, its weights drawn from `seed` without touching torch's own state."""
    ids: dict[str, int] = tokenizer.get_vocab()
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=size.hidden,
        intermediate_size=3 * size.hidden,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads // 2 if size.heads % 2 == 0 else size.heads,
        head_dim=size.hidden // size.heads,
        max_position_embeddings=size.context,
        tie_word_embeddings=True,
        eos_token_id=ids[TURN_END],
        pad_token_id=ids[PAD],
        bos_token_id=None,
    )
    with _RANDOM.fork_rng(devices=[]), one_thread():
        _RANDOM.manual_seed(seed)
        return Qwen3ForCausalLM(config)


@contextmanager
def one_thread() -> Generator[None]:
    """Let torch compute on one thread: where work is cut up among several, the last bits of a draw differ."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
