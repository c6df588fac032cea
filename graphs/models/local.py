"""Local transformers weights as a chat model: tools through the chat template, tokens kept for training."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import InstanceOf

from graphs.models.decoding import Sampled, sample
from graphs.models.settings import ModelSettings
from graphs.models.toolformats import ToolFormat, format_of, read_answer
from graphs.models.weights import Weights, load_weights

USUAL_MAX_TOKENS = 1024


class LocalModel(BaseChatModel):
    """Weights that answer in this process.

    An answer's metadata hold the tokens that were sampled and their log-probabilities (`sampled`: two lists), and what
    makes them usable for training (`model_call`: fields of `events.ModelCall`).
    """

    weights: InstanceOf[Weights]
    tool_format: InstanceOf[ToolFormat]
    temperature: float = 0.0
    """0 decodes greedily."""
    max_tokens: int = USUAL_MAX_TOKENS

    @property
    def _llm_type(self) -> str:
        return "releaseops-local"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return this model with tools that the chat template shows; `seed` fixes what is drawn."""
        if tool_choice not in (None, "auto"):
            raise NotImplementedError("a chat template cannot force a tool call")
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        *,
        tools: Sequence[dict[str, Any]] = (),
        seed: int = 0,
        **kwargs: Any,
    ) -> ChatResult:
        """Answer a conversation; raises ValueError where it does not fit the model."""
        prompt = self.prompt_ids(messages, tools)
        room = self.max_tokens if self.weights.context is None else self.weights.context - len(prompt)
        if room <= 0:
            raise ValueError(
                f"the conversation is {len(prompt)} tokens long and the model takes {self.weights.context}"
            )
        with self.weights.guard:
            sampled = sample(
                self.weights.model,
                prompt,
                stops=self.weights.stops,
                max_tokens=min(self.max_tokens, room),
                temperature=self.temperature,
                seed=seed + len(messages),
            )
        message = read_answer(self.tool_format, self._text(sampled), f"call_{len(messages)}")
        message.usage_metadata = UsageMetadata(
            input_tokens=len(prompt),
            output_tokens=len(sampled.token_ids),
            total_tokens=len(prompt) + len(sampled.token_ids),
        )
        message.response_metadata["finish_reason"] = "stop" if sampled.stopped else "length"
        message.response_metadata["model_call"] = self._facts()
        message.response_metadata["sampled"] = [sampled.token_ids, sampled.logprobs]
        return ChatResult(generations=[ChatGeneration(message=message)])

    def prompt_ids(self, messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]]) -> list[int]:
        """Return a conversation as the tokens that the model goes on from."""
        text = self.weights.tokenizer.apply_chat_template(
            [_turn(message) for message in messages],
            tools=list(tools) or None,
            add_generation_prompt=True,
            tokenize=False,
        )
        return self.weights.tokenizer(text, add_special_tokens=False)["input_ids"]

    def _text(self, sampled: Sampled) -> str:
        """Return an answer's text: special tokens stay, since they may mark a call, but for the one that ended it."""
        kept = sampled.token_ids[:-1] if sampled.stopped else sampled.token_ids
        return self.weights.tokenizer.decode(kept, skip_special_tokens=False)

    def _facts(self) -> dict[str, str]:
        return {
            "policy_version": self.weights.policy_version,
            "tokenizer_hash": self.weights.tokenizer_hash,
            "template_hash": self.weights.template_hash,
        }


def local_model(path: str, settings: ModelSettings) -> LocalModel:
    """Return the weights in a folder as a chat model; raises InvalidArgument where they cannot be used."""
    weights = load_weights(Path(path).expanduser().resolve())
    return LocalModel(
        weights=weights,
        tool_format=format_of(weights.template),
        temperature=settings.temperature or 0.0,
        max_tokens=settings.max_tokens or USUAL_MAX_TOKENS,
    )


def _turn(message: BaseMessage) -> dict[str, Any]:
    """Return a message as chat templates take it; an answer with calls that cannot be read stands as it was written."""
    if isinstance(message, ToolMessage):
        return {"role": "tool", "content": message.text, "tool_call_id": message.tool_call_id}
    if isinstance(message, AIMessage):
        if message.invalid_tool_calls or not message.tool_calls:
            return {"role": "assistant", "content": message.response_metadata.get("text", message.text)}
        calls = [
            {"type": "function", "function": {"name": call["name"], "arguments": call["args"]}}
            for call in message.tool_calls
        ]
        return {"role": "assistant", "content": message.text, "tool_calls": calls}
    return {"role": "system" if isinstance(message, SystemMessage) else "user", "content": message.text}
