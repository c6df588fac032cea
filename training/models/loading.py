"""Loads any causal language model that calls tools: a folder, an adapter's folder, or a name on the hub."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import chat_template_utils

from releaseops_mcp.errors import InvalidArgument

_MODELS: Any = AutoModelForCausalLM
_TOKENIZERS: Any = AutoTokenizer
_TEMPLATES: Any = chat_template_utils
"""Their types are half unknown."""
ADAPTER_CONFIG = "adapter_config.json"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model with the tokenizer that goes with it."""

    name: str
    """What was asked for."""
    base: str
    """The weights below an adapter; the same as `name` where there is none."""
    model: Any
    tokenizer: Any

    @property
    def stops(self) -> frozenset[int]:
        """The token ids that end an answer."""
        named: Any = self.model.generation_config.eos_token_id
        listed = cast("list[int | None]", named if isinstance(named, list) else [named])
        return frozenset(token for token in (*listed, self.tokenizer.eos_token_id) if token is not None)

    @property
    def context(self) -> int:
        """How many tokens fit, prompt and answers together."""
        return int(self.model.config.max_position_embeddings)


def load_model(name: str, *, dtype: torch.dtype = torch.float32, merge: bool = True) -> Loaded:
    """Return a model and its tokenizer, ready to call tools.

    An adapter is merged into its base, or kept apart where `merge` is false. Raises InvalidArgument where the name
    leads nowhere or the chat template cannot be used: it must render calls and results, must not change earlier turns
    with later ones, and answers in it must be readable.
    """
    folder = Path(name).expanduser()
    adapter = folder / ADAPTER_CONFIG
    base = str(json.loads(adapter.read_text())["base_model_name_or_path"]) if adapter.is_file() else name
    words = folder if (folder / "tokenizer_config.json").is_file() else base
    try:
        tokenizer = _TOKENIZERS.from_pretrained(words)
        model = _MODELS.from_pretrained(Path(base).expanduser() if _is_folder(base) else base, dtype=dtype)
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"model {name} cannot be loaded: {' '.join(str(error).split())[:300]}") from error
    if adapter.is_file():
        model = _with_adapter(model, folder, merge=merge)
    return Loaded(name, base, model.eval(), ready(tokenizer, name))


def ready(tokenizer: Any, name: str) -> Any:
    """Return a tokenizer that can pad and whose answers can be read; raises InvalidArgument where it calls no tools."""
    if not tokenizer.chat_template or not _TEMPLATES.supports_tool_calling(tokenizer):
        raise InvalidArgument(
            f"the chat template of {name} does not render tool calls and their results: choose a model that calls "
            "tools, or give its tokenizer ours with training.models.templates.teach"
        )
    if not _TEMPLATES.is_chat_template_prefix_preserving(tokenizer):
        raise InvalidArgument(
            f"the chat template of {name} rewrites earlier turns when later ones follow, so that a rollout cannot be "
            "continued token by token: use the training variant that TRL ships, or training.models.templates.teach"
        )
    if getattr(tokenizer, "response_template", None) is None:
        try:
            tokenizer = _TEMPLATES.add_response_schema(tokenizer)
        except ValueError as error:
            raise InvalidArgument(
                f"nobody here knows how to read the calls of {name}: set its tokenizer's response_template"
            ) from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def _is_folder(name: str) -> bool:
    return Path(name).expanduser().is_dir()


def _with_adapter(model: Any, folder: Path, *, merge: bool) -> Any:
    from peft import PeftModel  # only adapters need it

    adapters: Any = PeftModel
    tuned = adapters.from_pretrained(model, folder)
    return tuned.merge_and_unload() if merge else tuned
