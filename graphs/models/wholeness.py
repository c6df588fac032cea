"""Says whether an endpoint's answer is a whole chat completion, whatever the model may have said in it."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Function(_Part):
    name: str
    arguments: str


class _Call(_Part):
    function: _Function


class _Message(_Part):
    content: Any = None
    refusal: Any = None
    tool_calls: list[_Call] | None = None


class _Choice(_Part):
    message: _Message
    finish_reason: str | None = None


class _Completion(_Part):
    choices: list[_Choice] = Field(min_length=1)


def flaw(content: bytes) -> str:
    """Return what an answer lacks of a chat completion; empty where it is whole.

    An answer that was cut at its longest length may say nothing: that is the model's own doing.
    """
    try:
        choice = _Completion.model_validate_json(content).choices[0]
    except ValidationError as error:
        first = error.errors()[0]
        return f"no whole chat completion: {'.'.join(map(str, first['loc']))} {first['msg']}"
    said = choice.message
    silent = not (said.tool_calls or said.content or said.refusal)
    return "the answer says nothing" if silent and choice.finish_reason != "length" else ""
