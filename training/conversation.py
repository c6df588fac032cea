"""The message list of an episode, live or logged: the one form in which environments, datasets and evaluations agree.

    system      the suite's prompt
    user        the first observation
    assistant   one or more tool calls, as OpenAI-style functions
    tool        what each came to
    ...
    assistant   nothing: the last word of an episode that is over

Messages hold what an agent was shown and what it sent; no text is invented for an agent that wrote none. The empty
last word is how a model learns to stop, since TRL's loop ends with a turn that calls no tool.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from releaseops_mcp.agents.base import Action, Turn
from releaseops_mcp.episodes.base import Json, Suite
from training.prompts import system_prompt
from training.rendering.registry import rendering_of

Message = dict[str, Any]


def opening(suite: Suite, observation: Json | None) -> list[Message]:
    """Return the messages before the first call; without an observation the user's message is empty.

    TRL appends what an environment's `reset` returns to the last user message: a start row holds the empty one.
    """
    text = "" if observation is None else rendering_of(suite.name).first(observation)
    return [{"role": "system", "content": system_prompt(suite)}, {"role": "user", "content": text}]


def called(action: Action, text: str = "") -> Message:
    """Return the message of one tool call; `text` is what the agent wrote beside it, if it was logged."""
    function = {"name": action.tool, "arguments": action.arguments}
    return {"role": "assistant", "content": text, "tool_calls": [{"type": "function", "function": function}]}


def answered(suite: Suite, action: Action, before: Json, turn: Turn) -> Message:
    """Return the message of what a call came to; `before` is the observation that the agent knew until then."""
    return {"role": "tool", "name": action.tool, "content": rendering_of(suite.name).later(before, turn)}


def closing() -> Message:
    """Return the message that ends an episode: no call and no text."""
    return {"role": "assistant", "content": ""}


@dataclass(slots=True)
class Conversation:
    """An episode's messages as they grow."""

    suite: Suite
    observation: Json
    """The last one that the agent knew."""
    messages: list[Message] = field(default_factory=list[Message])

    def __post_init__(self) -> None:
        if not self.messages:
            self.messages.extend(opening(self.suite, self.observation))

    def add(self, action: Action, turn: Turn, text: str = "") -> None:
        """Take in one call and what it came to."""
        self.messages.append(called(action, text))
        self.messages.append(answered(self.suite, action, self.observation, turn))
        self.observation = turn.observation
        if turn.done:
            self.messages.append(closing())


def conversation(suite: Suite, observation: Json, moves: Iterable[tuple[Action, Turn]]) -> list[Message]:
    """Return the messages of a whole episode that began with `observation`."""
    talk = Conversation(suite, observation)
    for action, turn in moves:
        talk.add(action, turn)
    return talk.messages
