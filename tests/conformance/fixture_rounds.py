"""The official suite's fixtures for the 2026 protocol's rounds: a call that asks for input is made again with it."""

import hashlib
import hmac
import secrets
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    Prompt,
    PromptMessage,
    SamplingMessage,
    TextContent,
    Tool,
)

from tests.conformance.fixture_asking import Context
from tests.conformance.fixture_content import NOTHING, text

_KEY = secrets.token_bytes(32)
Answer = CallToolResult | InputRequiredResult


def _elicit(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(words: str, max_tokens: int = 100) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(text=words))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=max_tokens))


_NAME = _elicit("What is your name?", "name")
_CONFIRM = _elicit("Please confirm", "ok", "boolean")

_ROUNDS: dict[str, list[dict[str, InputRequest]]] = {
    "test_input_required_result_elicitation": [{"user_name": _NAME}],
    "test_streaming_elicitation": [{"user_name": _NAME}],
    "test_input_required_result_sampling": [{"capital_question": _sample("What is the capital of France?")}],
    "test_input_required_result_list_roots": [{"client_roots": ListRootsRequest()}],
    "test_input_required_result_request_state": [{"confirm": _CONFIRM}],
    "test_input_required_result_tampered_state": [{"confirm": _CONFIRM}],
    "test_input_required_result_multiple_inputs": [
        {"user_name": _NAME, "greeting": _sample("Generate a greeting", 50), "client_roots": ListRootsRequest()}
    ],
    "test_input_required_result_multi_round": [
        {"step1": _elicit("Step 1: What is your name?", "name")},
        {"step2": _elicit("Step 2: What is your favorite color?", "color")},
    ],
    "test_input_required_result_capabilities": [{"user_name": _NAME, "question": _sample("Say something")}],
}
"""What each tool asks for, round by round."""
_STATELESS = {
    "test_input_required_result_elicitation",
    "test_streaming_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_capabilities",
}

TOOLS = [Tool(name=name, description="A fixture of the suite.", input_schema=NOTHING) for name in _ROUNDS]
PROMPT = Prompt(name="test_input_required_result_prompt", description="A prompt that asks for its context.")


def call(ctx: Context, params: CallToolRequestParams) -> Answer | None:
    """Return a round's answer, or None for a tool that is none of ours."""
    rounds = _ROUNDS.get(params.name)
    if rounds is None:
        return None
    number = _opened(params.request_state)
    asked = rounds[number]
    if params.name == "test_input_required_result_capabilities":
        asked = {key: request for key, request in asked.items() if _declared(ctx, request)}
    answers = params.input_responses or {}
    if any(not _fits(asked[key], answers.get(key)) for key in asked):
        return _ask(params.name, number, asked)
    if number + 1 < len(rounds):
        return _ask(params.name, number + 1, rounds[number + 1])
    said = ", ".join(f"{key}: {_gist(answers[key])}" for key in asked)
    return text(f"{'state-ok; ' if params.request_state else ''}{said}")


def prompt(params: GetPromptRequestParams) -> GetPromptResult | InputRequiredResult | None:
    """Return the prompt that asks for input, or None for another name."""
    if params.name != PROMPT.name:
        return None
    asked = _elicit("What context should the prompt use?", "context")
    answer = (params.input_responses or {}).get("user_context")
    if not _fits(asked, answer):
        return InputRequiredResult(input_requests={"user_context": asked})
    return GetPromptResult(messages=[PromptMessage(role="user", content=TextContent(text=_gist(answer)))])


def _ask(tool: str, number: int, asked: dict[str, InputRequest]) -> InputRequiredResult:
    state = None if tool in _STATELESS else _sealed(number)
    return InputRequiredResult(input_requests=asked, request_state=state)


def _fits(request: InputRequest, answer: Any) -> bool:
    if isinstance(request, ElicitRequest):
        needed = request.params.requested_schema["required"]  # type: ignore[union-attr]
        content = (answer.content or {}) if isinstance(answer, ElicitResult) else {}
        return all(key in content for key in needed)
    return answer is not None and isinstance(answer, ListRootsResult) == isinstance(request, ListRootsRequest)


def _declared(ctx: Context, request: InputRequest) -> bool:
    declared = ctx.session.client_capabilities
    capability = "elicitation" if isinstance(request, ElicitRequest) else "sampling"
    return getattr(declared, capability, None) is not None


def _gist(answer: Any) -> str:
    if isinstance(answer, ElicitResult):
        return f"Hello, {', '.join(str(value) for value in (answer.content or {}).values())}!"
    if isinstance(answer, ListRootsResult):
        return ", ".join(str(root.uri) for root in answer.roots)
    return str(getattr(answer.content, "text", answer.content))


def _sealed(number: int) -> str:
    return f"{number}.{hmac.new(_KEY, str(number).encode(), hashlib.sha256).hexdigest()}"


def _opened(state: str | None) -> int:
    if state is None:
        return 0
    number = state.partition(".")[0]
    if not (number.isdecimal() and hmac.compare_digest(_sealed(int(number)).encode(), state.encode())):
        raise MCPError(INVALID_PARAMS, "this request state is not one of ours")
    return int(number)
