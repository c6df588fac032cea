"""`releaseops episodes export --format otel`: to a file, to standard output, and to a collector that listens."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from releaseops_mcp.settings import Settings, open_arena
from tests.cli.conftest import Cli
from tests.playing import fill


@pytest.fixture
def ids(database_url: str) -> list[str]:
    """Four episodes: an ended one of each suite, a closed one, a running one."""
    arena = open_arena(Settings(database_url=database_url))
    try:
        return fill(arena)
    finally:
        arena.close()


@dataclass
class Collector:
    """An OTLP/HTTP collector that keeps what it is sent."""

    url: str = ""
    status: int = 200
    requests: list[tuple[str, str, bytes]] = field(default_factory=list)
    """Path, content type and body."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.requests.append((self.path, self.headers["Content-Type"], body))
            self.send_response(kept.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        kept.url = f"http://127.0.0.1:{port}"
        yield kept


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[int]:
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_spans_are_written_an_episode_a_line_without_the_extra(cli: Cli, ids: list[str], tmp_path: Path) -> None:
    out = tmp_path / "spans.jsonl"

    assert cli("episodes", "export", "--format", "otel", "--out", str(out)).code == 0
    lines = cli("episodes", "export", "--format", "otel").out.splitlines()

    assert out.read_text().splitlines() == lines
    episodes = [json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"] for line in lines]
    conversations = [
        value["stringValue"]
        for spans in episodes
        for key, value in (each.values() for each in spans[0]["attributes"])
        if key == "gen_ai.conversation.id"
    ]
    assert conversations == ids
    assert ["evaluation" in line for line in lines] == [True, True, True, False]
    assert not any("gen_ai.tool.call.arguments" in line for line in lines)
    assert "gen_ai.tool.call.arguments" in cli("episodes", "export", "--format", "otel", "--with-content").out


def test_a_collector_gets_the_same_spans_each_time(cli: Cli, ids: list[str], collector: Collector) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    ran = [cli("episodes", "export", "--format", "otel", "--endpoint", collector.url) for _ in range(2)]

    assert [each.code for each in ran] == [0, 0]
    (path, content_type, first), (_, _, second) = collector.requests
    assert (path, content_type, first == second) == ("/v1/traces", "application/x-protobuf", True)
    request = ExportTraceServiceRequest.FromString(first)
    spans = [span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans]
    assert len([span for span in spans if span.name == "invoke_agent python"]) == len(ids)
    assert ran[0].err == f"{len(spans)} spans sent to {collector.url}\n"


def test_one_episode_goes_to_a_path_of_ones_own(cli: Cli, ids: list[str], collector: Collector) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")

    ran = cli("episodes", "export", ids[3], "--format", "otel", "--endpoint", f"{collector.url}/mine")

    assert (ran.code, [path for path, _, _ in collector.requests]) == (0, ["/mine"])


def test_a_collector_that_refuses_is_an_error(cli: Cli, ids: list[str], collector: Collector) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")
    collector.status = 400

    ran = cli("episodes", "export", "--format", "otel", "--endpoint", collector.url)

    assert ran.code != 0
    assert "the collector did not take the spans (0 went before)" in ran.err


def test_without_the_extra_the_way_to_it_is_told(cli: Cli, ids: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "releaseops_mcp.telemetry.sdk", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)

    ran = cli("episodes", "export", "--format", "otel", "--endpoint", "http://127.0.0.1:9")

    assert ran.code == 2
    assert "pip install 'releaseops-arena[otel]'" in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "otel", "--with-truth"], "an OpenTelemetry span holds no truth"),
        (["--endpoint", "http://host"], "only spans have --endpoint"),
        (["--format", "atif", "--with-content"], "only spans have --endpoint"),
        (["--format", "otel", "--endpoint", "http://host", "--out", "x"], "give --endpoint or --out, not both"),
    ],
)
def test_options_that_make_no_sense_are_refused(words: list[str], message: str, cli: Cli, ids: list[str]) -> None:
    ran = cli("episodes", "export", *words)

    assert ran.code == 2
    assert message in ran.err
