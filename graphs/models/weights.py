"""Transformers weights in a folder of this machine: loaded once, and named by what is in the files."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, cast

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from releaseops_mcp import canonical
from releaseops_mcp.errors import InvalidArgument

_TOKENIZERS: Any = AutoTokenizer
_MODELS: Any = AutoModelForCausalLM
"""Their types are half unknown."""

MODEL_FILES = ("config.json", "generation_config.json", "*.safetensors", "*.bin")
TOKENIZER_FILES = ("tokenizer*", "vocab*", "merges*", "special_tokens_map.json", "added_tokens.json")


@dataclass(frozen=True)
class Weights:
    """A causal language model with its tokenizer."""

    path: Path
    model: Any
    tokenizer: Any
    policy_version: str
    """Hex SHA-256 over the model's files: only what was sampled from these very weights is on-policy for them."""
    tokenizer_hash: str
    """Hex SHA-256 over the tokenizer's files."""
    template: str
    """The chat template, in Jinja."""
    guard: Any = field(default_factory=Lock)
    """A lock: one answer at a time: side by side they would only slow each other down."""

    @property
    def template_hash(self) -> str:
        """Hex SHA-256 of the chat template."""
        return canonical.sha256(self.template)

    @property
    def stops(self) -> frozenset[int]:
        """The token ids that end an answer."""
        named: Any = self.model.generation_config.eos_token_id
        listed = cast("list[int]", named) if isinstance(named, list) else [named]
        return frozenset(token for token in (*listed, self.tokenizer.eos_token_id) if token is not None)

    @property
    def context(self) -> int | None:
        """How many tokens fit, prompt and answer together; None where the model does not say."""
        return getattr(self.model.config, "max_position_embeddings", None)


@lru_cache(maxsize=2)
def load_weights(folder: Path) -> Weights:
    """Return the weights in a folder, on a GPU where there is one; nothing is downloaded.

    Raises InvalidArgument where there are none, or where the chat template knows no tools.
    """
    if not (folder / "config.json").is_file():
        raise InvalidArgument(f"hf: {folder} holds no weights: name a folder with config.json and *.safetensors")
    try:
        tokenizer = _TOKENIZERS.from_pretrained(folder, local_files_only=True)
        model = _MODELS.from_pretrained(folder, local_files_only=True, dtype="auto")
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"hf: {folder} cannot be loaded: {' '.join(str(error).split())[:300]}") from error
    template = tokenizer.chat_template
    if not isinstance(template, str) or "tools" not in template:
        raise InvalidArgument(f"hf: the chat template in {folder} knows no tools: choose a model that calls tools")
    model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
    return Weights(folder, model, tokenizer, _hash(folder, MODEL_FILES), _hash(folder, TOKENIZER_FILES), template)


def _hash(folder: Path, patterns: Iterable[str]) -> str:
    found = sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
    digests: dict[str, str] = {}
    for path in found:
        with path.open("rb") as file:
            digests[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return canonical.digest(digests)
