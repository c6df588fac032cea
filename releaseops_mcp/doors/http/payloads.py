"""JSON in and JSON out, without a model in between: the arena judges what a body says, and the log keeps it raw.

Keys go out in the order in which they were put: an agent that is shown an observation as text reads it as its suite
wrote it.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from releaseops_mcp import canonical
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument

_encoder = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def encode(value: Any) -> str:
    """Return compact JSON, keys in their order, ASCII only."""
    return _encoder.encode(value)


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON answer."""
    return Response(encode(value), status, headers, "application/json")


async def read_object(request: Request) -> Json:
    """Return a request's JSON object, {} for an empty body; raises InvalidArgument for anything else."""
    return parse_object(await request.body())


def parse_object(body: bytes | str) -> Json:
    """Return a text's JSON object, {} for an empty one; raises InvalidArgument for anything else."""
    parsed: Any = parse(body) if body.strip() else {}
    if not isinstance(parsed, dict):
        raise InvalidArgument(f"a JSON object is needed here, not {_kind(parsed)}")
    return cast("Json", parsed)


def given(body: Json) -> Json:
    """Return what a body says: null says nothing."""
    return {key: value for key, value in body.items() if value is not None}


def refuse_strangers(body: Json, known: Collection[str]) -> None:
    """Refuse a body with fields that a route does not have; raises InvalidArgument."""
    strangers = sorted(body.keys() - set(known))
    if strangers:
        raise InvalidArgument(f"no field {ascii(strangers[0])[:60]} here: the fields are {', '.join(sorted(known))}")


def parse(body: bytes | str) -> Any:
    """Return a text's JSON value; raises InvalidArgument where it is none, or is nested or long beyond limits."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"this is no JSON: {_why(error)}") from None
    if _may_be_deep(body) or len(body) > canonical.MAX_STRING_CHARS:
        _refuse_beyond_limits(parsed)
    return parsed


def _may_be_deep(body: bytes | str) -> bool:
    """Return whether there are brackets enough to nest too deeply: most bodies need no closer look."""
    if isinstance(body, str):
        return body.count("{") + body.count("[") > canonical.MAX_DEPTH
    return body.count(b"{") + body.count(b"[") > canonical.MAX_DEPTH


def _refuse_beyond_limits(parsed: Any) -> None:
    layer: list[Any] = [parsed]
    for _ in range(canonical.MAX_DEPTH + 1):
        strings = (each for each in layer if isinstance(each, str))
        if any(len(each) > canonical.MAX_STRING_CHARS for each in strings):
            raise InvalidArgument(f"a string is longer than {canonical.MAX_STRING_CHARS:,} characters: shorten it")
        layer = [inner for each in layer for inner in _inside(each)]
        if not layer:
            return
    raise InvalidArgument(f"this JSON is nested more than {canonical.MAX_DEPTH} deep: flatten it")


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        held = cast("Json", value)
        return [*held.keys(), *held.values()]
    return cast("list[Any]", value) if isinstance(value, list) else []


def _kind(value: Any) -> str:
    names: dict[Any, str] = {list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number or a character cannot be read"
