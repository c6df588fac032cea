"""Reads a server's answers as what the contract promises."""

from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from releaseops_mcp.client.errors import MalformedAnswer
from releaseops_mcp.client.flow import Json

Model = TypeVar("Model", bound=BaseModel)


def as_object(value: Any, what: str) -> Json:
    """Return a JSON value as an object; raises MalformedAnswer."""
    if isinstance(value, dict):
        return cast("Json", value)
    raise MalformedAnswer(f"{what} is JSON but no object: is this a ReleaseOps server?")


def parsed(model: type[Model], answer: Json) -> Model:
    """Return an answer as its model; raises MalformedAnswer."""
    try:
        return model.model_validate(answer)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise MalformedAnswer(f"the answer is no {model.__name__}: {where}: {first['msg']}") from error
