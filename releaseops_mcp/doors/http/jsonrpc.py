"""Answers JSON-RPC requests where OpenEnv expects them and no MCP server stands: the `/mcp` shim of the classics.

The real MCP endpoint is `POST /mcp` at the root; OpenEnv's own dialect of it is not spoken anywhere.
"""

from typing import Any, cast
from uuid import uuid4

from releaseops_mcp.doors.http.payloads import parse
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603


def answer_body(body: bytes) -> Json:
    """Return the answer to a request's body, always a JSON-RPC object."""
    try:
        request: Any = parse(body)
    except InvalidArgument as error:
        return rpc_error(PARSE_ERROR, f"Parse error: {error.message}")
    return answer_request(request)


def answer_request(request: Any) -> Json:
    """Return the answer to a parsed request: no method but OpenEnv's session handshake does anything."""
    if not isinstance(request, dict):
        return rpc_error(INVALID_REQUEST, "Invalid Request: a JSON-RPC request is an object")
    sent = cast("Json", request)
    method, request_id = sent.get("method"), sent.get("id")
    if not isinstance(request_id, (str, int, type(None))):
        return rpc_error(INVALID_REQUEST, "Invalid Request: id must be a string or a whole number")
    if sent.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return rpc_error(INVALID_REQUEST, 'Invalid Request: "jsonrpc": "2.0" and a method are needed', request_id)
    if method == "openenv/session/create":
        return _result({"session_id": str(uuid4())}, request_id)
    if method == "openenv/session/close":
        return _result({"closed": True}, request_id)
    if method in ("tools/list", "tools/call"):
        message = "this environment offers no MCP tools here: the MCP server is POST /mcp at the server's root"
        return rpc_error(INTERNAL_ERROR, message, request_id)
    return rpc_error(METHOD_NOT_FOUND, f"Method not found: {ascii(method)[:80]}", request_id)


def rpc_error(code: int, message: str, request_id: str | int | None = None) -> Json:
    """Return a JSON-RPC error."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}


def _result(result: Json, request_id: str | int | None) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "result": result}
