"""Spans as OpenTelemetry's SDK holds them, and their way to a collector over OTLP/HTTP. Needs the extra `otel`.

Nothing global is set up: the SDK's exporter gets spans that are made here, ids and times as the log has them.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from releaseops_mcp import __version__
from releaseops_mcp.errors import InvalidArgument, UserError
from releaseops_mcp.log.spans import Span, Trace
from releaseops_mcp.log.trace import TraceContext
from releaseops_mcp.telemetry.naming import SCOPE, SERVICE

TRACES_PATH = "/v1/traces"
"""Where a collector takes traces."""
BATCH_SPANS = 512
"""A request to the collector is sent when it holds this many spans."""

_KINDS = {"internal": SpanKind.INTERNAL, "client": SpanKind.CLIENT}
_SCOPE = InstrumentationScope(SCOPE, __version__)


def collector(endpoint: str) -> SpanExporter:
    """Return an exporter to a collector's URL; `/v1/traces` is added to one without a path.

    Headers, certificates, compression and the time limit come from the variables OTEL_EXPORTER_OTLP_*. Raises
    InvalidArgument for what is no URL of HTTP.
    """
    try:
        parts = urlsplit(endpoint)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        parts, usable = urlsplit(""), None
    if not usable:
        raise InvalidArgument(f"{endpoint[:200]!r} is no endpoint: give a collector's URL, as http://localhost:4318")
    path = parts.path if parts.path.strip("/") else TRACES_PATH
    return OTLPSpanExporter(endpoint=parts._replace(path=path).geturl())


def send(traces: Iterable[Trace], exporter: SpanExporter) -> int:
    """Send traces in batches and return how many spans went; raises UserError where the exporter fails.

    Sending again is safe: the ids are the same.
    """
    sent = 0
    batch: list[ReadableSpan] = []
    for trace in traces:
        batch += readable(trace)
        if len(batch) >= BATCH_SPANS:
            sent += _export(batch, exporter, sent)
            batch = []
    return sent + (_export(batch, exporter, sent) if batch else 0)


def readable(trace: Trace) -> list[ReadableSpan]:
    """Return the spans of one episode as the SDK's exporters take them."""
    resource = Resource({"service.name": SERVICE, "service.version": trace.version})
    return [_readable(span, resource, remote=trace.remote and number == 0) for number, span in enumerate(trace.spans)]


def _export(batch: list[ReadableSpan], exporter: SpanExporter, sent: int) -> int:
    if exporter.export(batch) is not SpanExportResult.SUCCESS:
        raise UserError(
            f"the collector did not take the spans ({sent} went before): see that it listens there, then export again: "
            "the spans keep their ids"
        )
    return len(batch)


def _readable(span: Span, resource: Resource, *, remote: bool) -> ReadableSpan:
    return ReadableSpan(
        name=span.name,
        context=_context(span.context),
        parent=None if span.parent is None else _context(span.parent, remote=remote),
        resource=resource,
        attributes=span.attributes,
        events=[Event(event.name, event.attributes, event.at_ns) for event in span.events],
        links=[] if span.link is None else [Link(_context(span.link, remote=True))],
        kind=_KINDS[span.kind],
        status=Status() if span.error is None else Status(StatusCode.ERROR, span.error),
        start_time=span.start_ns,
        end_time=span.end_ns,
        instrumentation_scope=_SCOPE,
    )


def _context(context: TraceContext, *, remote: bool = False) -> SpanContext:
    sampled = TraceFlags(TraceFlags.SAMPLED)
    return SpanContext(int(context.trace_id, 16), int(context.span_id, 16), is_remote=remote, trace_flags=sampled)
