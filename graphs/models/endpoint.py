"""A model at any OpenAI-compatible endpoint, over our own HTTP clients.

The clients are httpx's, handed in, because the openai package's default transport is another library that our tests
could not see; retries live in their transports, so that the openai package's own are off.
"""

from typing import Any, cast

import httpx
from langchain_core.messages import AIMessage, InvalidToolCall
from langchain_core.messages.tool import invalid_tool_call
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from graphs.models.calls import ORDER, identify, is_object
from graphs.models.settings import ModelSettings
from graphs.models.transport import AsyncPatientTransport, PatientTransport
from releaseops_mcp.client.retries import Retries
from releaseops_mcp.errors import InvalidArgument

NO_KEY = "none"
"""Sent where no key is set, for endpoints that want none."""
LIMITS = httpx.Limits(max_keepalive_connections=0)
"""A connection a call: what it costs is nothing beside a model, and no idle one is left to go stale or to leak."""
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0


class EndpointModel(ChatOpenAI):
    """ChatOpenAI that keeps tool calls as they came, also those whose arguments are no JSON object."""

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        body = cast("dict[str, Any]", response if isinstance(response, dict) else response.model_dump())
        made = [_take_calls(choice["message"]) for choice in body["choices"]]
        result = super()._create_chat_result(body, generation_info)  # pyright: ignore[reportUnknownMemberType]
        for generation, calls in zip(result.generations, made, strict=True):
            message = generation.message
            assert isinstance(message, AIMessage)
            message.response_metadata[ORDER] = [call["id"] for call in calls]
            message.invalid_tool_calls = [_unread(call) for call in calls if not _is_readable(call)]
        return result


def _take_calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a raw message's calls, each with an id, and leave in it those that LangChain can read."""
    calls: list[dict[str, Any]] = message.get("tool_calls") or []
    identify(calls)
    message["tool_calls"] = [call for call in calls if _is_readable(call)]
    return calls


def _is_readable(call: dict[str, Any]) -> bool:
    return is_object(call["function"]["arguments"])


def _unread(call: dict[str, Any]) -> InvalidToolCall:
    function = call["function"]
    return invalid_tool_call(name=function["name"], args=function["arguments"], id=call["id"], error="no JSON object")


def endpoint_model(
    name: str,
    settings: ModelSettings,
    *,
    transport: httpx.BaseTransport | None = None,
    async_transport: httpx.AsyncBaseTransport | None = None,
) -> EndpointModel:
    """Return the model that an endpoint calls `name`; the transports are given by tests.

    Raises InvalidArgument where a setting cannot be used.
    """
    if not settings.url.startswith(("http://", "https://")):
        raise InvalidArgument(f"RELEASEOPS_MODEL_URL: {ascii(settings.url)[:80]} is no http:// or https:// URL")
    if not (settings.key.isascii() and settings.key.isprintable()):
        raise InvalidArgument("RELEASEOPS_MODEL_KEY holds a character that no HTTP header can carry")
    retries = Retries(settings.attempts, FIRST_WAIT_S, LONGEST_WAIT_S)
    below = transport or PatientTransport(httpx.HTTPTransport(limits=LIMITS), retries)
    async_below = async_transport or AsyncPatientTransport(httpx.AsyncHTTPTransport(limits=LIMITS), retries)
    return EndpointModel(
        model=name,
        base_url=settings.url,
        api_key=SecretStr(settings.key or NO_KEY),
        temperature=settings.temperature,
        max_completion_tokens=settings.max_tokens,
        timeout=settings.timeout_s,
        max_retries=0,
        use_responses_api=False,
        stream_usage=True,
        http_client=httpx.Client(transport=below, timeout=settings.timeout_s),
        http_async_client=httpx.AsyncClient(transport=async_below, timeout=settings.timeout_s),
    )
