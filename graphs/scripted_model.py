"""Chat models without a model: a script that is read off, and a scripted supervisor that plays as if it were one.

Both are stateless: where they stand follows from the messages alone, so that they go on after any crash.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    ToolCall,
    ToolMessage,
)
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import InstanceOf

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Action, Brief, Supervisor, Turn
from releaseops_mcp.agents.drive import SupervisorFailed
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import suites

KEY = "releaseops"
"""Where the first message to a model carries the suite and the observation as data, for models of this module."""
OWN = "supervisor_call_"
"""How the ids of a SupervisorChat's calls begin, so that it knows them among others'."""
NOT_MINE = "I have nothing to add: the next call is another's."
"""What it says in a seat from which the tool that its policy calls next cannot be called."""
LEAVES = "I leave the release as it is."


class _Unreal(BaseChatModel):
    """What both share: binding tools, and being asked."""

    bound: tuple[str, ...] = ()
    """Names of the tools that it was given."""

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return a copy that knows these tools."""
        names = [tool.name for tool in tools if isinstance(tool, BaseTool)]
        return self.model_copy(update={"bound": tuple(names)})

    @abstractmethod
    def answer(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Return the next message."""

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.answer(messages))])


class ScriptedChat(_Unreal):
    """Says one message of a script after the other; the last one again and again when the script is at its end."""

    script: tuple[AIMessage, ...]
    speaker: str = ""
    """Counts only the messages of this name, where several speak in one conversation."""
    strict: bool = True
    """Whether it refuses to call a tool that it was not given."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def answer(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Return the script's message for this turn; raises AssertionError for a tool that is not bound."""
        said = [message for message in messages if isinstance(message, AIMessage) and message.name == self._name]
        message = self.script[min(len(said), len(self.script) - 1)].model_copy()
        strangers = {call["name"] for call in message.tool_calls} - set(self.bound)
        assert not self.strict or not strangers, f"not bound: {', '.join(sorted(strangers))}"
        return message

    @property
    def _name(self) -> str | None:
        return self.speaker or None

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        message = self.answer(messages)
        for word in str(message.content).split(" ") if message.content else ():
            yield ChatGenerationChunk(message=AIMessageChunk(content=f"{word} "))
        said = [(call["name"], canonical.dumps(call["args"]), call["id"]) for call in message.tool_calls]
        said += [(call["name"] or "", call["args"] or "", call["id"]) for call in message.invalid_tool_calls]
        chunks = [
            tool_call_chunk(name=name, args=text, id=call_id, index=index)
            for index, (name, text, call_id) in enumerate(said)
        ]
        last = AIMessageChunk(content="", tool_call_chunks=chunks, usage_metadata=message.usage_metadata)
        yield ChatGenerationChunk(message=last)


def script(calls: Iterable[tuple[str, Json]], *, prefix: str = "call") -> tuple[AIMessage, ...]:
    """Return a script that makes these calls, one a turn."""
    return tuple(
        AIMessage("", tool_calls=[ToolCall(name=tool, args=arguments, id=f"{prefix}_{index}", type="tool_call")])
        for index, (tool, arguments) in enumerate(calls)
    )


class SupervisorChat(_Unreal):
    """A registered supervisor as a model: it plays its policy again over what its calls came to, and says the next."""

    supervisor: str | InstanceOf[Supervisor]
    """Its name, to be found for the suite at hand, or the supervisor itself."""
    seed: int = 0
    """For supervisors that draw."""

    @property
    def _llm_type(self) -> str:
        return "supervisor"

    def answer(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Return the next call; a message without one where the supervisor leaves. Raises SupervisorFailed."""
        suite, observation = _first(messages)
        chosen = self.supervisor if isinstance(self.supervisor, Supervisor) else find_supervisor(self.supervisor, suite)
        turns = list(_turns(messages, observation))
        action = _next(chosen, Brief(observation, suites()[suite].tools, self.seed), turns)
        if action is None:
            return AIMessage(LEAVES)
        if action.tool not in self.bound and action.tool in {tool.name for tool in suites()[suite].tools}:
            return AIMessage(NOT_MINE)
        call = ToolCall(name=action.tool, args=action.arguments, id=f"{OWN}{len(turns)}", type="tool_call")
        return AIMessage("", tool_calls=[call])


def _next(supervisor: Supervisor, brief: Brief, turns: Sequence[Turn]) -> Action | None:
    play = supervisor.policy(brief)
    try:
        action = next(play)
        for turn in turns:
            action = play.send(turn)
    except StopIteration:
        return None
    except SupervisorFailed:
        raise
    except Exception as error:
        raise SupervisorFailed(f"{type(error).__name__}: {error}") from error
    else:
        return action
    finally:
        play.close()


def _first(messages: Sequence[BaseMessage]) -> tuple[str, Json]:
    carried = next(
        message.additional_kwargs[KEY]
        for message in messages
        if isinstance(message, HumanMessage) and KEY in message.additional_kwargs
    )
    return carried["suite"], carried["observation"]


def _turns(messages: Sequence[BaseMessage], observation: Json) -> Iterator[Turn]:
    """Yield what each of its own calls came to; a refused one has changed nothing since the one before."""
    turn = Turn(None, None, observation, False, None)
    for message in messages:
        if isinstance(message, ToolMessage) and message.tool_call_id.startswith(OWN):
            turn = _turn(message, turn)
            yield turn


def _turn(message: ToolMessage, before: Turn) -> Turn:
    if message.artifact is None:
        code, _, text = str(message.content).partition(": ")
        return Turn(None, code, before.observation, before.done, before.terminal_reason, text)
    body: Json = message.artifact
    return Turn(body["result"], None, body["observation"], body["done"], body["terminal_reason"])
