"""Plays episodes with a model in raw mode: nothing that it says is mended, and nothing answers in its place.

An answer without a readable call ends the play of its episode, which is then closed as it stands: TRL's training loop
ends there too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from releaseops_mcp.errors import EnvironmentFault
from training.conversation import opening
from training.datasets.schemas import tool_schemas
from training.evaluation.batch import Batch, Ids
from training.models.loading import Loaded
from training.sampling import Sampler
from training.seat import Seat, Table

MAX_TURNS = 60
"""An episode that has not ended by then is left as it is."""
MAX_ANSWER = 128
"""Tokens of one answer."""


@dataclass(slots=True)
class Game:
    """One episode, with what the model has read and said so far."""

    seat: Seat
    tokens: Ids
    told: Ids
    """What it has not read yet: the last of `tokens`."""
    answers: int = 0
    unread: int = 0
    """Answers without a readable call."""
    states: list[bytes] = field(default_factory=list[bytes])
    """A hash of all that was read before each answer."""


class Player:
    """A model at the table."""

    def __init__(self, loaded: Loaded, table: Table, *, temperature: float, max_answer: int = MAX_ANSWER) -> None:
        self._loaded = loaded
        self._table = table
        self._temperature = temperature
        self._max_answer = max_answer
        self._texts = Sampler(loaded.model, loaded.tokenizer)

    def play(self, scenarios: Sequence[str], *, size: int, seed: int = 0) -> Iterator[Game]:
        """Play the scenarios, `size` at a time, and yield each game once its episode is closed, in order.

        The same seed and size give the same games. Where the arena fails in an episode, its seat says so. Raises what
        `Arena.start` raises, and StoreUnavailable.
        """
        for first in range(0, len(scenarios), size):
            games = [self._begin(scenario) for scenario in scenarios[first : first + size]]
            self._play_together(games, seed + first)
            for game in games:
                game.seat.leave()
            yield from games

    def _begin(self, scenario: str) -> Game:
        seat = Seat.at(self._table, scenario)
        tokens = self._texts.prompt(opening(seat.suite, seat.observation), tool_schemas(seat.suite))
        return Game(seat, list(tokens), tokens)

    def _play_together(self, games: Sequence[Game], seed: int) -> None:
        batch = Batch(
            self._loaded.model,
            pad=self._loaded.tokenizer.pad_token_id,
            stops=self._loaded.stops,
            temperature=self._temperature,
            seed=seed,
        )
        going = list(games)
        for _ in range(MAX_TURNS):
            room = min(self._max_answer, self._loaded.context - max(len(game.tokens) for game in going))
            if room < 1:
                return
            for game in going:
                game.states.append(blake2b(repr(game.tokens).encode(), digest_size=8).digest())
            for game, answer in zip(going, batch.answers([game.told for game in going], room), strict=True):
                self._take(game, answer)
            kept = [place for place, game in enumerate(going) if game.told and not game.seat.done]
            if not kept:
                return
            if len(kept) < len(going):
                batch.keep(kept)
                going = [going[place] for place in kept]

    def _take(self, game: Game, answer: Ids) -> None:
        """Make an answer's calls, and let the model read what they came to."""
        game.answers += 1
        calls: Any = self._texts.calls(answer, game.tokens)
        game.tokens += answer
        game.told = []
        if calls is None:
            game.unread += 1
            return
        try:
            told = [{"role": "tool", "name": call.tool, "content": game.seat.call(call)} for call in calls]
        except EnvironmentFault:
            return  # the seat holds the fault: the episode has no figure, and the others go on
        game.told = self._texts.results(told)
        game.tokens += game.told
