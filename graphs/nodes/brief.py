"""brief: begins the episode, or takes over one that runs, and tells the model what it is about."""

from typing import Any

from langchain_core.messages import HumanMessage, SystemMessage

from graphs.nodes.base import Node, Update, record
from graphs.scripted_model import KEY
from graphs.setup import Setup
from graphs.state import Start, figures_of
from graphs.texts import filled
from releaseops_mcp import canonical
from releaseops_mcp.arena.tools import EPISODE_ID, OBSERVE
from releaseops_mcp.errors import InvalidArgument


def brief(setup: Setup) -> Node:
    """Return the node."""

    async def node(state: Start) -> Update:
        standing, suite = await _standing(setup, state)
        observation = standing["observation"]
        told = filled("supervisor", briefing=await setup.session.briefing(suite))
        shown = filled("observation", observation=canonical.dumps(observation))
        messages = [
            SystemMessage(told),
            HumanMessage(shown, additional_kwargs={KEY: {"suite": suite, "observation": observation}}),
        ]
        episode_id = standing["episode_id"]
        await record(setup.session, episode_id, messages)
        return {
            "episode_id": episode_id,
            "suite": suite,
            "messages": messages,
            "observation": observation,
            "figures": figures_of(observation),
            "step": standing["step"],
            "done": standing["done"],
            "terminal_reason": standing["terminal_reason"],
            "calls": 0,
            "tokens": 0,
            "idle_turns": 0,
            "refused_turns": 0,
            "decisions": {},
            "gate_problem": "",
            "stop_reason": "",
        }

    return node


async def _standing(setup: Setup, state: Start) -> tuple[dict[str, Any], str]:
    """Return the answer that shows where the episode stands, and its suite."""
    if episode_id := state.get("episode_id", ""):
        outcome = await setup.session.call(OBSERVE.name, {EPISODE_ID.name: episode_id})
        suite = state.get("suite", "")
        if outcome.body is None or not suite:
            raise InvalidArgument(outcome.error or "name the suite of the episode that is to be taken over")
        return outcome.body, suite
    scenario = state.get("scenario", "")
    if not scenario:
        raise InvalidArgument("name a scenario, or an episode_id and its suite")
    agent, model = state.get("agent", ""), state.get("model", "")
    started = await setup.session.start(scenario, agent=agent, model=model)
    return started, started["suite"]
