"""The graph over an OpenAI-compatible endpoint that streams: tokens arrive, and nothing that a model said is mended."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

pytest.importorskip("langchain_openai", reason="needs langchain-openai")

from graphs.models import chat_model
from graphs.models.calls import UNPARSABLE
from graphs.models.settings import ModelSettings
from graphs.streaming import Token
from releaseops_mcp.arena import Arena
from tests.graphs.graphkit import ROLLED_BACK, calls_in_log, play, supervisor
from tests.playing import logged

pytestmark = pytest.mark.anyio
URL = "http://model.test/v1"
USAGE = {"prompt_tokens": 120, "completion_tokens": 8, "total_tokens": 128}


def streamed(said: str, *arguments: str) -> httpx.Response:
    """Return a streamed answer: a text in two pieces, then one call of `decide_rollout` in the pieces given."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": said[:4]}, {"content": said[4:]}]
    for place, text in enumerate(arguments):
        head = {"id": "call_a", "type": "function"} if place == 0 else {}
        function = {"name": "decide_rollout"} if place == 0 else {}
        deltas.append({"tool_calls": [{"index": 0, **head, "function": {**function, "arguments": text}}]})
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    chunks.append({"choices": [], "usage": USAGE})
    common = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
    text = "".join(f"data: {json.dumps(common | chunk)}\n\n" for chunk in chunks)
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=f"{text}data: [DONE]\n\n")


async def test_a_streaming_endpoint_plays_and_its_broken_json_stays_broken(
    sqlite_arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"m-1": {"input_usd_per_million": 1.0, "output_usd_per_million": 10.0}}')
    monkeypatch.setenv("RELEASEOPS_MODEL_PRICES", str(prices))
    whole = json.dumps(ROLLED_BACK[2][1])
    model = chat_model("openai:m-1", ModelSettings(url=URL, key="key"))
    with respx.mock(base_url=URL) as endpoint:
        route = endpoint.post("/chat/completions").mock(
            side_effect=[streamed("I look.", '{"action_type": "hold"'), streamed("I act.", whole[:20], whole[20:])]
        )
        events, state = await play(supervisor(sqlite_arena, model))

    assert "".join(event.text for event in events if isinstance(event, Token)) == "I look.I act."
    broken, good = calls_in_log(sqlite_arena, state["episode_id"])
    assert (broken[1], broken[2] is not None) == ({UNPARSABLE: '{"action_type": "hold"'}, True)
    assert (good[1], good[2]) == (ROLLED_BACK[2][1], None)
    assert (state["stop_reason"], state["tokens"]) == ("episode_over", 256)
    asked = [
        event.data for event in logged(sqlite_arena.store, state["episode_id"]).events if event.kind == "model_call"
    ]
    assert [(call["model"], call["input_tokens"], call["output_tokens"]) for call in asked] == [("m-1", 120, 8)] * 2
    assert [call["cost_usd"] for call in asked] == [pytest.approx(0.0002)] * 2
    sent = json.loads(route.calls[1].request.content)["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool"]
    assert sent[2]["tool_calls"][0]["function"]["arguments"] == '{"action_type": "hold"'
