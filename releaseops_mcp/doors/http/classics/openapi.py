"""What every operation of a mounted classic documents: its body, its answer, and all the ways of not answering."""

from typing import Any

from pydantic import BaseModel, ConfigDict

Responses = dict[int | str, dict[str, Any]]


class Detail(BaseModel):
    """An error as the originals tell it."""

    model_config = ConfigDict(extra="forbid")

    detail: str | list[dict[str, Any]]
    """What is wrong; a list of mistakes where a body has a wrong shape."""


class ServerError(BaseModel):
    """What an error is, for programs and for people."""

    model_config = ConfigDict(extra="forbid")

    code: str
    message: str


class Turned(BaseModel):
    """An error of the server as a whole, before any environment is asked."""

    model_config = ConfigDict(extra="forbid")

    error: ServerError


_MEANINGS = {
    400: "The call is refused.",
    401: "A bearer token is needed.",
    403: "Not for pages of that Origin.",
    404: "No such live episode, or no such name.",
    408: "The body did not come in time.",
    409: "The action_id names another call of this episode, or other writers were first again and again.",
    413: "The body is too long.",
    421: "This server does not go by that Host.",
    422: "A field has a wrong type or value.",
    429: "A limit is reached: try again after Retry-After seconds.",
    503: "The log is out of reach, or the server failed: try again after Retry-After seconds.",
}

EVERYWHERE: Responses = {
    status: {"model": Turned | Detail, "description": _MEANINGS[status]} for status in (401, 403, 421, 503)
}
"""What may come instead of any answer."""


def answers(model: type[BaseModel] | None, *refusals: int, body: bool = False) -> Responses:
    """Return the documented answers of an operation: 200 with a model, and its refusals; `body` says it reads one."""
    read = (408, 413, 422) if body else ()
    ok: dict[str, Any] = {"model": model} if model else {}
    documented: Responses = {200: {"description": "The answer.", **ok}}
    for status in sorted({*refusals, *read}):
        documented[status] = {"model": Turned | Detail, "description": _MEANINGS[status]}
    return documented


def takes(model: type[BaseModel], *, required: bool = False) -> dict[str, Any]:
    """Return the documentation of a JSON body that a handler reads by itself."""
    schema = model.model_json_schema()
    assert "$defs" not in schema, f"{model.__name__} must be flat to stand inside an operation"
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}
