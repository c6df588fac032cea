"""One episode's spans as a line of OTLP JSON: what a collector's `otlpjsonfile` receiver reads.

Format: OpenTelemetry protocol, file exporter; ids are hex, 64-bit integers are strings, kinds and codes are numbers.
"""

from typing import Any

from releaseops_mcp import __version__, canonical
from releaseops_mcp.log.spans import Attributes, Span, SpanEvent, Trace, Value
from releaseops_mcp.log.trace import TraceContext
from releaseops_mcp.telemetry.naming import SCOPE, SERVICE

Json = dict[str, Any]

KINDS = {"internal": 1, "client": 3}
"""Numbers of the protocol's SpanKind."""
STATUS_ERROR = 2
HAS_IS_REMOTE, IS_REMOTE = 0x100, 0x200
"""Flags of the protocol: that it is known whether the parent is in another process, and that it is."""


def trace_line(trace: Trace) -> str:
    """Return the spans of one episode as one line of JSON, without a line end."""
    resource = {"service.name": SERVICE, "service.version": trace.version}
    spans = [_span(span, remote=trace.remote and number == 0) for number, span in enumerate(trace.spans)]
    scoped = {"scope": {"name": SCOPE, "version": __version__}, "spans": spans}
    of_service = {"resource": {"attributes": _attributes(resource)}, "scopeSpans": [scoped]}
    return canonical.dumps({"resourceSpans": [of_service]})


def _span(span: Span, *, remote: bool) -> Json:
    written: Json = {
        "traceId": span.context.trace_id,
        "spanId": span.context.span_id,
        "name": span.name,
        "kind": KINDS[span.kind],
        "startTimeUnixNano": str(span.start_ns),
        "endTimeUnixNano": str(span.end_ns),
        "attributes": _attributes(span.attributes),
        "flags": HAS_IS_REMOTE | (IS_REMOTE if remote else 0),
        "status": {} if span.error is None else {"code": STATUS_ERROR, "message": span.error},
    }
    if span.parent is not None:
        written["parentSpanId"] = span.parent.span_id
    if span.events:
        written["events"] = [_event(event) for event in span.events]
    if span.link is not None:
        written["links"] = [_link(span.link)]
    return written


def _event(event: SpanEvent) -> Json:
    return {"name": event.name, "timeUnixNano": str(event.at_ns), "attributes": _attributes(event.attributes)}


def _link(context: TraceContext) -> Json:
    return {"traceId": context.trace_id, "spanId": context.span_id, "flags": HAS_IS_REMOTE | IS_REMOTE}


def _attributes(attributes: Attributes) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in attributes.items()]


def _value(value: Value) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}
