"""Samples answers of a causal language model, a batch at a time, without touching the global random state."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch

from releaseops_mcp.agents.base import Action
from training.untyped import parse_response

Ids = list[int]
_chance: Any = torch.random
"""Its types are half unknown."""


class Sampler:
    """A model, its tokenizer and how it is sampled; the same seed gives the same answers."""

    def __init__(
        self, model: Any, tokenizer: Any, *, temperature: float = 1.0, max_tokens: int = 128, seed: int = 0
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.temperature = temperature
        self.max_tokens = max_tokens
        named: Any = model.generation_config.eos_token_id
        self.stops: set[int] = {token for token in (tokenizer.eos_token_id, *_listed(named)) if token is not None}
        self._seed = seed

    @property
    def context(self) -> int:
        """How many tokens fit, prompt and answers together."""
        return int(self.model.config.max_position_embeddings)

    def answers(self, prompts: Sequence[Ids]) -> list[Ids]:
        """Return one answer to each prompt, its end token included where it has one."""
        self._seed += 1
        longest = max(map(len, prompts))
        pad = self.tokenizer.pad_token_id
        ids = torch.tensor([[pad] * (longest - len(prompt)) + prompt for prompt in prompts])
        mask = torch.tensor([[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts])
        chosen: dict[str, Any] = (
            {"do_sample": True, "temperature": self.temperature, "top_k": 0, "top_p": 1.0}
            if self.temperature > 0
            else {"do_sample": False, "temperature": None, "top_k": None, "top_p": None}
        )
        training = self.model.training
        self.model.eval()
        with _chance.fork_rng(), torch.no_grad():
            _chance.manual_seed(self._seed)
            made = self.model.generate(
                input_ids=ids.to(self.model.device),
                attention_mask=mask.to(self.model.device),
                max_new_tokens=min(self.max_tokens, self.context - longest),
                pad_token_id=pad,
                eos_token_id=sorted(self.stops),
                **chosen,
            )
        self.model.train(training)
        return [self._cut(row[longest:].tolist()) for row in made]

    def calls(self, answer: Ids, prompt: Ids) -> list[Action] | None:
        """Return the calls in an answer, or None where it was read as text alone or its calls have no arguments."""
        said = parse_response(self.tokenizer, answer, prefix=prompt)
        written: list[Any] = said.get("tool_calls") or []
        made: list[dict[str, Any]] = [call["function"] for call in written]
        if not made or not all(isinstance(call.get("arguments"), dict) for call in made):
            return None
        return [Action(str(call["name"]), call["arguments"]) for call in made]

    def prompt(self, messages: Iterable[Any], tools: Iterable[Any]) -> Ids:
        """Return a conversation's tokens up to where the model answers."""
        read = self.tokenizer.apply_chat_template(
            list(messages), tools=list(tools), add_generation_prompt=True, return_dict=True
        )
        return list(read["input_ids"])

    def results(self, messages: Sequence[Any]) -> Ids:
        """Return the tokens of tools' answers, from the end of the call on to where the model answers again."""
        call: dict[str, Any] = {"type": "function", "function": {"name": messages[0]["name"], "arguments": {}}}
        before: list[Any] = [
            {"role": "user", "content": ""},
            {"role": "assistant", "content": "", "tool_calls": [call]},
        ]
        known = self._render(before, going_on=False)
        whole = self._render([*before, *messages], going_on=True)
        ends = [index for index, token in enumerate(known) if token == self.tokenizer.eos_token_id]
        return whole[ends[-1] + 1 if ends else len(known) :]

    def _render(self, messages: list[Any], *, going_on: bool) -> Ids:
        read = self.tokenizer.apply_chat_template(messages, add_generation_prompt=going_on, return_dict=True)
        return list(read["input_ids"])

    def _cut(self, row: Ids) -> Ids:
        end = next((index for index, token in enumerate(row) if token in self.stops), len(row) - 1)
        return row[: end + 1]


def _listed(value: Any) -> list[Any]:
    """Return what a generation config holds one of, or several, as a list."""
    return [*value] if isinstance(value, (list, tuple)) else [value]
