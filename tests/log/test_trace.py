"""A traceparent is read as W3C's Trace Context says, and one that is malformed is none."""

import pytest

from releaseops_mcp.log.trace import TRACEPARENT_CHARS, TraceContext, read_traceparent

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.mark.parametrize(
    "text", [f"00-{TRACE}-{SPAN}-01", f"00-{TRACE}-{SPAN}-00", f"cc-{TRACE}-{SPAN}-01", f"cc-{TRACE}-{SPAN}-01-later"]
)
def test_a_good_one_names_a_span_of_a_trace(text):
    assert read_traceparent(text) == TraceContext(TRACE, SPAN)
    assert read_traceparent(text[:TRACEPARENT_CHARS]) == TraceContext(TRACE, SPAN)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE}-{SPAN}-01\n",
    ],
)
def test_a_malformed_one_is_none(text):
    assert read_traceparent(text) is None
