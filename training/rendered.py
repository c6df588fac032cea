"""Conversations as tokens, with the model's own ones marked: what SFT, MIX and preference training learn from.

They are rendered here and not by TRL: a data set's columns would give every call the arguments of all calls.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from training.refusals import TrainingRefused

IGNORED = -100
"""The label of a token that the loss leaves out."""
Tools = Sequence[Mapping[str, Any]]


def tokens_of(tokenizer: Any, messages: Sequence[Mapping[str, Any]], tools: Tools) -> dict[str, list[int]]:
    """Return `input_ids` and `labels` of a conversation: labels are IGNORED but for what the assistant says.

    Raises TrainingRefused where the template does not mark that, with `{% generation %}`.
    """
    read = tokenizer.apply_chat_template(
        list(messages), tools=list(tools), return_dict=True, return_assistant_tokens_mask=True
    )
    ids, own = read["input_ids"], read["assistant_masks"]
    if 1 not in own:
        raise TrainingRefused(
            "the chat template marks no token as the assistant's, so there is nothing to learn: give the tokenizer a "
            "template with {% generation %}, as training.models.templates.teach does"
        )
    return {"input_ids": ids, "labels": [token if mark else IGNORED for token, mark in zip(ids, own, strict=True)]}


def text_of(tokenizer: Any, messages: Sequence[Mapping[str, Any]], tools: Tools, *, going_on: bool = False) -> str:
    """Return a conversation as text; `going_on` adds what comes before the assistant's next answer."""
    return tokenizer.apply_chat_template(
        list(messages), tools=list(tools), tokenize=False, add_generation_prompt=going_on
    )


def batches(
    examples: Sequence[Mapping[str, list[int]]], size: int, pad: int, seed: int
) -> Iterator[dict[str, torch.Tensor]]:
    """Yield padded batches without end: `input_ids`, `attention_mask` and `labels`, each (size, longest)."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        drawn: Any = torch.randperm(len(examples), generator=generator)
        order: list[int] = drawn.tolist()
        for start in range(0, len(order), size):
            yield padded([examples[index] for index in order[start : start + size]], pad)


def padded(examples: Sequence[Mapping[str, list[int]]], pad: int) -> dict[str, torch.Tensor]:
    """Return examples as one batch, filled up on the right."""
    longest = max(len(example["input_ids"]) for example in examples)

    def fill(name: str, value: int) -> torch.Tensor:
        return torch.tensor([example[name] + [value] * (longest - len(example[name])) for example in examples])

    lengths = torch.tensor([len(example["input_ids"]) for example in examples])
    mask = (torch.arange(longest)[None, :] < lengths[:, None]).long()
    return {"input_ids": fill("input_ids", pad), "labels": fill("labels", IGNORED), "attention_mask": mask}
