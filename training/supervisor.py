"""A trained policy as a supervisor like any other: `trained:FOLDER` for `releaseops eval --agent`.

It reads what it was trained on, the compact rendering of its suite, and plays greedily in raw mode: nothing that it
says is mended, and an answer without a readable call ends its play. A model that was not trained here reads the
briefing and JSON instead: that is the scheme `hf`.
"""

from functools import cache

from releaseops_mcp.agents.base import Brief, Play, Supervisor
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument
from training.conversation import opening
from training.datasets.schemas import tool_schemas
from training.models.loading import Loaded, load_model
from training.playing import MAX_TURNS
from training.rendering.registry import rendering_of
from training.sampling import Sampler

MAX_ANSWER = 128
"""Tokens of one answer."""


def trained(rest: str, suite: str) -> Supervisor:
    """Return the supervisor `trained:FOLDER`; raises InvalidArgument for an unknown suite or no model there."""
    played = suites().get(suite)
    if played is None:
        raise InvalidArgument(f"no suite {suite[:80]!r}: choose one of {', '.join(suites())}")
    name, loaded = f"trained:{rest}", _loaded(rest)
    summary = "A policy that was trained here, played greedily."
    return Supervisor(name, suite, lambda brief: play(loaded, played, brief), False, summary, model=name)


def play(loaded: Loaded, suite: Suite, brief: Brief) -> Play:
    """Play one episode until it is over, an answer cannot be read, or no room is left."""
    sampler = Sampler(loaded.model, loaded.tokenizer, temperature=0, max_tokens=MAX_ANSWER)
    rendering, known = rendering_of(suite.name), brief.observation
    tokens = sampler.prompt(opening(suite, known), tool_schemas(suite))
    for _ in range(MAX_TURNS):
        if len(tokens) >= loaded.context:
            return
        (answer,) = sampler.answers([tokens])
        calls = sampler.calls(answer, tokens)
        if calls is None:
            return
        told: list[dict[str, str]] = []
        for call in calls:
            turn = yield call
            told.append({"role": "tool", "name": call.tool, "content": rendering.later(known, turn)})
            known = turn.observation
        tokens = [*tokens, *answer, *sampler.results(told)]


@cache
def _loaded(folder: str) -> Loaded:
    """Return the model of a folder, loaded once a process."""
    return load_model(folder)
