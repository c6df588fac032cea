"""Bodies that the originals read through models, and the mistakes in them as FastAPI tells them."""

from typing import Any, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from releaseops_mcp.canonical import plain

M = TypeVar("M", bound=BaseModel)


def validated(model: type[M], body: Any, *where: str) -> M:
    """Return a body as a model; raises RequestValidationError, which names each mistake by its place below `where`."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise RequestValidationError(mistakes(error, "body", *where)) from None


def mistakes(error: ValidationError, *where: str) -> list[dict[str, Any]]:
    """Return what pydantic found as plain JSON data, one object a mistake, each place below `where`."""
    found = error.errors(include_url=False, include_context=False)
    return plain([{**each, "loc": (*where, *each["loc"])} for each in found])
