"""Plays many episodes side by side with a sampled model, as TRL's loop does: tokens are added, never cut anew.

Raw mode: nothing that the model says is mended. An answer without a readable call ends the play of its episode.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from training.conversation import opening
from training.datasets.schemas import tool_schemas
from training.sampling import Ids, Sampler
from training.seat import Seat

MAX_TURNS = 60
"""An episode that has not ended by then is left as it is."""


@dataclass(slots=True)
class Game:
    """One episode, with what the model has read and said so far."""

    seat: Seat
    tokens: Ids
    unread: int = 0
    """Answers that should have been a call and were none."""
    over: bool = False


def play(sampler: Sampler, seats: Sequence[Seat], *, max_turns: int = MAX_TURNS) -> list[Game]:
    """Play every seat to its end, leave it, and return the games; raises EnvironmentFault."""
    games = [Game(seat, _opened(sampler, seat)) for seat in seats]
    for _ in range(max_turns):
        going = [game for game in games if not game.over and len(game.tokens) < sampler.context]
        if not going:
            break
        for game, answer in zip(going, sampler.answers([game.tokens for game in going]), strict=True):
            _take(sampler, game, answer)
    for game in games:
        game.seat.leave()
    return games


def valid_rate(games: Sequence[Game]) -> float:
    """Return the share of sampled answers that were calls which the world accepted; 0 where there was none."""
    calls = sum(len(game.seat.actions) for game in games)
    unread = sum(game.unread for game in games)
    accepted = calls - sum(game.seat.invalid for game in games)
    return accepted / (calls + unread) if calls + unread else 0.0


def _opened(sampler: Sampler, seat: Seat) -> Ids:
    return sampler.prompt(opening(seat.suite, seat.observation), tool_schemas(seat.suite))


def _take(sampler: Sampler, game: Game, answer: Ids) -> None:
    """Make an answer's calls, and let the model read what they came to."""
    calls = sampler.calls(answer, game.tokens)
    if calls is None:
        game.over, game.unread = True, game.unread + 1
        return
    told = [{"role": "tool", "name": call.tool, "content": game.seat.call(call)} for call in calls]
    game.tokens += answer + sampler.results(told)
    game.over = game.seat.done
