"""Finds a chat model by name: `scripted:NAME` here, every other scheme in `graphs.models`."""

from langchain_core.language_models import BaseChatModel

from graphs.scripted_model import SupervisorChat
from releaseops_mcp.errors import InvalidArgument

SCRIPTED = "scripted:"


def chat_model(name: str) -> BaseChatModel:
    """Return the model of a name; raises InvalidArgument where there is none.

    `scripted:NAME` is a registered supervisor that plays as if it were a model.
    """
    if name.startswith(SCRIPTED):
        return SupervisorChat(supervisor=name.removeprefix(SCRIPTED))
    if not name:
        raise InvalidArgument("no model is named: choose one, such as scripted:rule or openai:NAME")
    from graphs import models

    return models.chat_model(name)
