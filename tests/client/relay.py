"""A connection that breaks when it hurts: the server has acted, and its answer is lost."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx


@contextmanager
def lossy_relay(server: str, path: str) -> Iterator[tuple[str, list[bytes]]]:
    """Relay to a server, but lose the first answer to each different body posted to `path`; yield URL and the lost."""
    lost: list[bytes] = []

    class Relay(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = httpx.post(server + self.path, content=body)
            if self.path == path and body not in lost:
                lost.append(body)
                return
            self.send_response(answer.status_code)
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with serving(Relay) as url:
        yield url, lost


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve with a handler of the standard library on a free port, and yield the URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as relay:
        thread = threading.Thread(target=relay.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{relay.server_port}"
        relay.shutdown()
        thread.join()
