"""Spans through OpenTelemetry's SDK: its exporters take them, and its encoder writes what our JSON lines say."""

import base64
import json

import pytest

pytest.importorskip("opentelemetry.sdk", reason="needs opentelemetry-sdk")
pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs opentelemetry-exporter-otlp-proto-http")

from google.protobuf.json_format import ParseDict
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from releaseops_mcp.errors import InvalidArgument, UserError
from releaseops_mcp.events import Origin
from releaseops_mcp.log.genai import to_trace
from releaseops_mcp.telemetry import sdk
from releaseops_mcp.telemetry.lines import trace_line
from releaseops_mcp.telemetry.sdk import collector, readable, send
from tests.playing import fill, logged, play
from tests.sequences import GATE_SCENARIO, HOLD, UNKNOWN_ARTIFACT

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
MODEL_CALL = {"model": "m-1", "input_tokens": 120, "output_tokens": 8, "cost_usd": 0.5, "latency_ms": 20}


@pytest.fixture
def traces(sqlite_arena):
    """Four episodes and one in a client's trace, with a bit of everything."""
    ids = fill(sqlite_arena)
    origin = Origin(door="mcp", client="inspector", traceparent=f"00-{TRACE}-{SPAN}-01")
    traced = sqlite_arena.start(GATE_SCENARIO, origin).episode_id
    sqlite_arena.call(traced, *UNKNOWN_ARTIFACT, origin)
    sqlite_arena.record(traced, "model_call", MODEL_CALL)
    store = sqlite_arena.store
    scored = [to_trace(logged(store, each), sqlite_arena.score(each), with_content=True) for each in ids]
    return [*scored, to_trace(logged(store, traced))]


def with_ids_as_bytes(value):
    """Return OTLP JSON as protobuf's own JSON spells it: ids in base64."""
    if isinstance(value, list):
        return [with_ids_as_bytes(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode() if key in ids else with_ids_as_bytes(item)
        for key, item in value.items()
    }


def test_an_exporter_of_the_sdk_gets_the_spans_as_the_log_has_them(traces):
    exporter = InMemorySpanExporter()

    sent = send(traces, exporter)
    root, call, chat = exporter.get_finished_spans()[-3:]

    assert sent == len(exporter.get_finished_spans()) == sum(len(trace.spans) for trace in traces)
    assert [span.name for span in (root, call, chat)] == [
        "invoke_agent inspector",
        "execute_tool inspect_pr_diff",
        "chat m-1",
    ]
    assert (f"{root.parent.trace_id:032x}", f"{root.parent.span_id:016x}") == (TRACE, SPAN)
    assert root.parent.is_remote
    assert not call.parent.is_remote
    assert call.parent.span_id == chat.parent.span_id == root.context.span_id
    assert (call.kind, chat.kind) == (SpanKind.INTERNAL, SpanKind.CLIENT)
    assert (call.status.status_code, chat.status.status_code) == (StatusCode.ERROR, StatusCode.UNSET)
    assert [f"{link.context.span_id:016x}" for link in call.links] == [SPAN]
    assert chat.attributes["gen_ai.usage.output_tokens"] == 8
    assert chat.end_time - chat.start_time == 20_000_000
    assert root.resource.attributes["service.name"] == "releaseops-arena"
    assert json.loads(root.to_json())["name"] == root.name


def test_a_json_line_says_what_the_sdks_own_encoder_writes(traces):
    for trace in traces:
        line = ParseDict(with_ids_as_bytes(json.loads(trace_line(trace))), ExportTraceServiceRequest())
        assert line == encode_spans(readable(trace))


def test_spans_go_in_batches_and_a_failure_says_how_many_went_before(traces, monkeypatch):
    monkeypatch.setattr(sdk, "BATCH_SPANS", 1)
    sizes: list[int] = []

    class Failing(SpanExporter):
        def export(self, spans):
            sizes.append(len(spans))
            return SpanExportResult.SUCCESS if len(sizes) < 3 else SpanExportResult.FAILURE

    with pytest.raises(UserError, match=rf"did not take the spans \({sum(len(t.spans) for t in traces[:2])} went"):
        send(traces, Failing())
    assert sizes == [len(trace.spans) for trace in traces[:3]]


def test_sending_nothing_is_no_request():
    assert send([], InMemorySpanExporter()) == 0


@pytest.mark.parametrize("endpoint", ["localhost:4318", "ftp://host", "http://", "", "http://[", "http://host:port"])
def test_what_is_no_url_of_a_collector_is_refused(endpoint):
    with pytest.raises(InvalidArgument, match="is no endpoint"):
        collector(endpoint)


def test_an_open_episode_is_sent_as_far_as_it_has_come(sqlite_arena):
    episode_id = play(sqlite_arena, GATE_SCENARIO, [HOLD])
    exporter = InMemorySpanExporter()
    send([to_trace(logged(sqlite_arena.store, episode_id))], exporter)
    assert exporter.get_finished_spans()[0].attributes["releaseops.ended"] is False
