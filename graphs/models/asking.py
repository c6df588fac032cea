"""Asks a model for its next message, and says whose fault it is where there is none."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable

from releaseops_mcp.agents.drive import InfrastructureFailed

MAX_DETAIL_CHARS = 300


@contextmanager
def faults_of_the_model() -> Generator[None]:
    """Turn whatever a model raises into InfrastructureFailed.

    A model that answers nonsense raises nothing, so what raises is what it runs on. For one call of a model, also an
    awaited one, and nothing else.
    """
    try:
        yield
    except Exception as error:
        raise InfrastructureFailed(f"the model gave no answer: {_told(error)}") from error


def ask(model: Runnable[LanguageModelInput, BaseMessage], messages: Sequence[BaseMessage]) -> AIMessage:
    """Return a model's answer to a conversation; raises InfrastructureFailed."""
    with faults_of_the_model():
        answer = model.invoke(list(messages))
    if not isinstance(answer, AIMessage):
        raise InfrastructureFailed(f"the model gave no answer but a {type(answer).__name__}")
    return answer


def _told(error: BaseException) -> str:
    """Return what an error says, with what lies beneath it: the openai package hides that behind a general phrase."""
    said = [f"{type(error).__name__}: {error}"]
    if error.__cause__ is not None:
        said.append(str(error.__cause__))
    return " ".join("; ".join(said).split())[:MAX_DETAIL_CHARS]
