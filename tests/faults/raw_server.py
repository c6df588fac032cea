"""A real `releaseops mcp` process over stdio, spoken to line by line, so that it can be killed between two bytes."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "releaseops_mcp.cli", "mcp"]


class RawServer:
    """One server process; `call` raises EOFError where it dies before it answers."""

    def __init__(self, log: Path) -> None:
        environment = dict(os.environ, RELEASEOPS_DATABASE_URL=f"sqlite:///{log}")
        self._process = subprocess.Popen(
            COMMAND, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._next_id = 0
        client = {"name": "raw", "version": "1"}
        self._request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send_call(self, tool: str, arguments: dict[str, Any]) -> int:
        """Send a tool call without waiting; return its request id."""
        return self._send_request("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Make a tool call and return its result."""
        return self._answer(self.send_call(tool, arguments))

    def kill(self) -> list[dict[str, Any]]:
        """SIGKILL the process; return the answers that it had already written."""
        self._process.kill()
        assert self._process.stdout is not None
        lines = self._process.stdout.read().split(b"\n")
        self._close()
        return [json.loads(line) for line in lines if line.endswith(b"}")]

    def stop(self) -> None:
        """Close its input and wait for its end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._close()

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        self._process.wait()

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return self._answer(self._send_request(method, params))

    def _send_request(self, method: str, params: dict[str, Any]) -> int:
        self._next_id += 1
        self._send({"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params})
        return self._next_id

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _answer(self, request_id: int) -> dict[str, Any]:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == request_id:
                return message["result"]
        raise EOFError
