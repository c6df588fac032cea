"""The trace that a client is in reaches the log in both eras, over memory and over stdio, and a bad one does not."""

from collections.abc import Callable

import pytest
from mcp import Client, StdioServerParameters
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span

from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.genai import to_trace
from releaseops_mcp.log.trace import TraceContext
from tests.doors.mcp.doorkit import CANARY, HOLD, body_of, hold, start
from tests.playing import logged

pytestmark = pytest.mark.anyio
History = Callable[[str], list[LoggedEvent]]

TRACE, FIRST, SECOND = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"


def sent(span_id: str) -> str:
    return f"00-{TRACE}-{span_id}-01"


async def play_traced(client: Client) -> str:
    """Start an episode and make a call, each with a trace context of its own in `_meta`."""
    arguments = {"scenario": CANARY}
    begun = await client.call_tool("start_episode", arguments, meta={"traceparent": sent(FIRST)})
    episode_id = body_of(begun)["episode_id"]
    called = {"episode_id": episode_id, **HOLD}
    body_of(await client.call_tool("decide_rollout", called, meta={"traceparent": sent(SECOND)}))
    return episode_id


async def test_what_the_client_sends_is_in_the_log_and_in_the_spans(client: Client, arena: Arena) -> None:
    async with client:
        episode_id = await play_traced(client)

    begun, call, _ = (episode := logged(arena.store, episode_id)).events
    root, tool = to_trace(episode).spans
    assert (begun.data["origin"]["traceparent"], call.data["traceparent"]) == (sent(FIRST), sent(SECOND))
    assert call.data["origin"] is None
    assert root.parent == TraceContext(TRACE, FIRST)
    assert (tool.parent, tool.link) == (root.context, TraceContext(TRACE, SECOND))
    assert verify_store(arena.store).replayed == 1


async def test_a_client_inside_a_span_sends_it_of_itself(
    over_stdio: Callable[..., StdioServerParameters], client_of: Callable[..., Client], history: History
) -> None:
    flags = TraceFlags(TraceFlags.SAMPLED)
    agent = NonRecordingSpan(SpanContext(int(TRACE, 16), int(FIRST, 16), is_remote=False, trace_flags=flags))
    async with client_of(over_stdio()) as client:
        with use_span(agent):
            episode_id = await start(client)

    assert history(episode_id)[0].data["origin"]["traceparent"] == sent(FIRST)


@pytest.mark.parametrize("given", ["", "nonsense", f"00-{'0' * 32}-{FIRST}-01", 7])
async def test_a_malformed_trace_is_none_and_refuses_nothing(given: object, client: Client, history: History) -> None:
    async with client:
        begun = await client.call_tool("start_episode", {"scenario": CANARY}, meta={"traceparent": given})  # type: ignore[typeddict-item]
        episode_id = body_of(begun)["episode_id"]
        body_of(await hold(client, episode_id))

    begun_event, call, _ = history(episode_id)
    assert "traceparent" not in begun_event.data["origin"]
    assert "traceparent" not in call.data


async def test_a_trace_crosses_stdio(
    over_stdio: Callable[..., StdioServerParameters], client_of: Callable[..., Client], history: History
) -> None:
    async with client_of(over_stdio()) as client:
        episode_id = await play_traced(client)

    assert history(episode_id)[1].data["traceparent"] == sent(SECOND)
