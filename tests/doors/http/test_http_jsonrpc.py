"""The JSON-RPC answers where OpenEnv expects some and no MCP server stands."""

import json

import pytest

from releaseops_mcp.doors.http.jsonrpc import answer_body


def asked(method, **more):
    return answer_body(json.dumps({"jsonrpc": "2.0", "method": method, "id": 7, **more}).encode())


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"no json", -32700),
        (b"[]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "2.0", "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "method": "tools/list", "id": {}}', -32600),
    ],
)
def test_what_is_no_request_is_told_so(body, code):
    answer = answer_body(body)
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", None, code)


@pytest.mark.parametrize(("method", "code"), [("tools/list", -32603), ("tools/call", -32603), ("initialize", -32601)])
def test_no_method_of_mcp_is_served(method, code):
    answer = asked(method)
    assert (answer["id"], answer["error"]["code"]) == (7, code)


def test_openenvs_session_handshake_is_answered():
    first, second = asked("openenv/session/create"), asked("openenv/session/create")
    assert first["result"]["session_id"] != second["result"]["session_id"]
    assert asked("openenv/session/close", params={})["result"] == {"closed": True}
