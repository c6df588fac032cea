"""Answers of an OpenAI-compatible endpoint, and the endpoint itself, scripted."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

Json = dict[str, Any]
URL = "http://model.test/v1"
PATH = "/chat/completions"
USAGE = {"prompt_tokens": 120, "completion_tokens": 8, "total_tokens": 128}


def call(name: str, arguments: Json | str, call_id: str | None = "call_a") -> Json:
    """Return one tool call; a text stands for arguments that are no JSON object."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def completion(*calls: Json, text: str | None = None, finish: str = "", usage: Json | None = USAGE) -> Json:
    """Return a whole chat completion."""
    message: Json = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = list(calls)
    choice = {"index": 0, "message": message, "finish_reason": finish or ("tool_calls" if calls else "stop")}
    body: Json = {"id": "c", "object": "chat.completion", "created": 1, "model": "m-1", "choices": [choice]}
    return body | ({"usage": usage} if usage else {})


def answer(*calls: Json, **fields: Any) -> httpx.Response:
    """Return a whole chat completion as an HTTP answer."""
    return httpx.Response(200, json=completion(*calls, **fields))


@contextmanager
def scripted_endpoint(script: Sequence[Json]) -> Iterator[tuple[str, list[Json]]]:
    """Serve chat completions over real HTTP, one after the other; yield the base URL and the requests so far."""
    left, asked = list(script), list[Json]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, "authorization": self.headers["Authorization"], **body})
            data = json.dumps(left.pop(0)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
