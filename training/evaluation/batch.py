"""Many conversations generated side by side, each read once: what was computed for a token is kept for all later turns.

Rows grow by different numbers of tokens a turn; the gaps are masked, and positions count real tokens only, so that a
row is computed as if it were alone. The tokens are TRL's: answers are added as they were sampled, never cut anew.
"""

import inspect
from collections.abc import Sequence
from typing import Any, cast

import torch
from transformers import DynamicCache

Ids = list[int]


class Batch:
    """The rows under way. `rows` of a call are places in the current batch."""

    def __init__(self, model: Any, *, pad: int, stops: frozenset[int], temperature: float, seed: int) -> None:
        self._model = model
        self._pad = pad
        self._stops = torch.tensor(sorted(stops), device=model.device)
        self._temperature = temperature
        self._draws = torch.Generator(device=model.device).manual_seed(seed)
        self._cache: Any = DynamicCache(config=model.config)
        takes = inspect.signature(model.forward).parameters
        self._takes_cache_as = "cache" if "cache" in takes else "past_key_values"
        self._mask = torch.zeros((0, 0), dtype=torch.long, device=model.device)
        """Which cached places hold a token; shape (rows, places)."""

    def answers(self, told: Sequence[Ids], room: int) -> list[Ids]:
        """Let every row read `told`, then answer with at most `room` tokens, its end token included."""
        with torch.no_grad():
            return self._answers(*self._filled(told), room)

    def _answers(self, ids: torch.Tensor, fed: torch.Tensor, room: int) -> list[Ids]:
        logits = self._feed(ids, fed)
        answers = [Ids() for _ in ids]
        going = torch.ones(len(ids), dtype=torch.bool, device=ids.device)
        for left in range(room, 0, -1):
            chosen = self._choose(logits)
            said, speaks = cast("list[int]", chosen.tolist()), cast("list[bool]", going.tolist())  # pyright: ignore[reportUnknownMemberType]
            for answer, token, speaking in zip(answers, said, speaks, strict=True):
                if speaking:
                    answer.append(token)
            fed = going.long()[:, None]
            going = going & ~torch.isin(chosen, self._stops)
            # The last token of an answer is fed too: later turns see it.
            logits = self._feed(torch.where(fed.bool(), chosen[:, None], self._pad), fed)
            if left == 1 or not going.any():
                break
        return answers

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows alone, in this order."""
        chosen = torch.tensor(list(rows), device=self._mask.device)
        self._mask = self._mask[chosen]
        self._cache.batch_select_indices(chosen)

    def _feed(self, ids: torch.Tensor, fed: torch.Tensor) -> torch.Tensor:
        """Compute new places and return the logits behind the last of them; shape (rows, vocabulary).

        A row whose last place is a gap gets logits that nobody looks at.
        """
        self._mask = torch.cat([self._mask if self._mask.numel() else fed[:, :0], fed], dim=1)
        positions = (self._mask.cumsum(dim=1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        made = self._model(
            input_ids=ids,
            attention_mask=self._mask,
            position_ids=positions,
            use_cache=True,
            logits_to_keep=1,
            **{self._takes_cache_as: self._cache},
        )
        return made.logits[:, -1]

    def _choose(self, logits: torch.Tensor) -> torch.Tensor:
        if self._temperature == 0:
            return logits.argmax(dim=-1)
        chances = torch.softmax(logits.float() / self._temperature, dim=-1)
        return torch.multinomial(chances, 1, generator=self._draws)[:, 0]

    def _filled(self, told: Sequence[Ids]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return rows as one block, gaps on the left, and which of its places hold a token."""
        longest = max(map(len, told))
        ids = [[self._pad] * (longest - len(row)) + row for row in told]
        fed = [[0] * (longest - len(row)) + [1] * len(row) for row in told]
        device = self._mask.device
        return torch.tensor(ids, device=device), torch.tensor(fed, device=device)
