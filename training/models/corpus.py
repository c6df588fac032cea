"""What the tiny tokenizer learns from: episodes of every suite as a model reads them, and every call that can be made.

The episodes are played in memory by the scripted supervisors, on scenarios that may be trained on. A value that none of
them ever sends, such as a rarely broken rule, still becomes a token: `vocabulary` names the parts of every call.
"""

from collections.abc import Iterable, Iterator

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Action, Brief, Supervisor, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.agents.runner import turn_of
from releaseops_mcp.catalogue import Parameter
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.simulation import Simulation
from training.conversation import Conversation, Message
from training.heldout import training_scenarios
from training.models.templates import CALL_OPENING

MAX_CALLS = 40
"""Some supervisors loop for ever on some worlds."""


def conversations(suites: Iterable[Suite], scenarios: int, seed: int = 0) -> Iterator[list[Message]]:
    """Yield each suite's first `scenarios` training scenarios as every quick supervisor that judges plays them."""
    for suite in suites:
        scripted = (agent for agent in supervisors_for(suite.name) if agent.runner is None)
        agents = [agent for agent in scripted if not agent.degenerate and not agent.slow]
        for scenario in training_scenarios(suite, scenarios):
            for agent in agents:
                yield played(suite, scenario, agent, seed)


def played(suite: Suite, scenario: str, agent: Supervisor, seed: int, most: int = MAX_CALLS) -> list[Message]:
    """Return one episode of at most so many calls, played in memory, as messages."""
    simulation = Simulation(suite, suite.parse(scenario))
    talk = Conversation(suite, simulation.first_observation)

    def apply(action: Action) -> Turn:
        judged = simulation.call(action.tool, canonical.plain(action.arguments))
        turn = turn_of(judged)
        talk.add(action, turn)
        return turn

    drive(agent.policy, Brief(simulation.first_observation, suite.tools, seed), apply, max_calls=most)
    return talk.messages


def call_parts(suites: Iterable[Suite]) -> list[str]:
    """Return the pieces that the JSON of any call is made of: its opening by tool, its keys, and where values end."""
    parts: dict[str, None] = {}
    for tool in (tool for suite in suites for tool in suite.tools):
        opening = CALL_OPENING.format(name=tool.name)
        parts |= dict.fromkeys([opening, f"{opening}}}}}"] if not tool.parameters else [opening])
        parts |= dict.fromkeys(part for parameter in tool.parameters for part in _keys(parameter))
    return [*parts, '"}}', "}}"]


def words(suites: Iterable[Suite]) -> list[str]:
    """Return the names of tools and arguments, and the values that arguments may take."""
    found: dict[str, None] = {"true": None, "false": None}
    for tool in (tool for suite in suites for tool in suite.tools):
        found[tool.name] = None
        for parameter in tool.parameters:
            found |= dict.fromkeys((parameter.name, *parameter.enum))
    return [word for word in found if word.replace("_", "").isalnum()]


def _keys(parameter: Parameter) -> tuple[str, ...]:
    """Return how an argument begins as the first one, behind a text and behind another value."""
    key = f'"{parameter.name}": ' + ('"' if parameter.type == "string" else "")
    return key, f'", {key}', f", {key}"
