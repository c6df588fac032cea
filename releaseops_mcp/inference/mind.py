"""One decision: the model's, or that of the cautious policy where there is no model or it failed."""

from dataclasses import dataclass

from releaseops_mcp.agents.scripted.classic_canary_policies import cautious_decision
from releaseops_mcp.client.errors import ClientError
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.inference.chat import ChatModel
from releaseops_mcp.inference.contract import MAX_ERROR_CHARS, one_line
from releaseops_mcp.inference.parsing import read_decision
from releaseops_mcp.inference.prompt import SYSTEM, user_message


@dataclass(frozen=True, slots=True)
class Thought:
    """A decision, and how it came about."""

    decision: Json
    attempted: bool
    """Whether the model was asked."""
    error: str | None = None
    """What went wrong with the model, so that the decision is the fallback's."""


def decide(observation: Json, model: ChatModel | None) -> Thought:
    """Return the decision on an observation."""
    fallback = cautious_decision(observation)
    if model is None:
        return Thought(fallback, attempted=False)
    try:
        answer = model.complete(SYSTEM, user_message(observation))
        return Thought(read_decision(answer, fallback), attempted=True)
    except (ClientError, ValueError) as error:
        message = one_line(error.message if isinstance(error, ClientError) else str(error))
        return Thought(fallback, attempted=True, error=f"model_call_failed:{message[:MAX_ERROR_CHARS]}")
