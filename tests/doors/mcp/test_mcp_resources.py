"""Resources, prompts, completions, and how the server introduces itself."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from releaseops_mcp import __version__
from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import StoreUnavailable
from tests.doors.mcp.doorkit import CANARY, GATE, HOLD, VERSIONS, body_of, error_of, hold, read_json, start

pytestmark = pytest.mark.anyio


async def test_the_server_introduces_itself(client: Client, era: str) -> None:
    async with client:
        info, instructions, version = client.server_info, client.instructions, client.protocol_version

    assert info is not None
    assert (info.name, info.title, info.version) == ("releaseops-arena", "ReleaseOps Arena", __version__)
    assert info.icons is not None
    kind, _, data = info.icons[0].src.partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data).startswith(b"<svg ")
    assert version == VERSIONS[era]
    assert instructions is not None
    lines = instructions.split("\n")
    assert [line.partition(":")[0] for line in lines] == ["Order", "Budget", "Terminal verbs", "Retries", "Long texts"]


async def test_policies_are_listed_and_readable(client: Client) -> None:
    async with client:
        listed = (await client.list_resources()).resources
        texts = {resource.name: (await client.read_resource(resource.uri)).contents[0] for resource in listed}
        templates = (await client.list_resource_templates()).resource_templates

    for suite in suites().values():
        content = texts[f"{suite.name}-policy"]
        assert (content.mime_type, content.text) == ("text/markdown", suite.policy)
    assert [template.uri_template for template in templates] == [
        "releaseops://suites/{suite}/policy",
        "releaseops://episodes/{episode_id}/observation",
        "releaseops://episodes/{episode_id}/transcript",
        "releaseops://episodes/{episode_id}/transcript/{offset}",
    ]
    assert all(entry.description and entry.title for entry in (*listed, *templates))


async def test_the_observation_is_read_without_being_logged(
    client: Client, history: Callable[[str], list[Any]]
) -> None:
    async with client:
        episode_id = await start(client)
        answer = body_of(await hold(client, episode_id))
        seen = await read_json(client, f"releaseops://episodes/{episode_id}/observation")

    del answer["result"]
    assert seen == answer
    assert len(history(episode_id)) == 3


async def test_the_transcript_is_what_the_agent_saw(client: Client) -> None:
    async with client:
        episode_id = await start(client)
        held = body_of(await hold(client, episode_id, action_id="a1"))
        refusal = error_of(await client.call_tool("decide_rollout", {"episode_id": episode_id}))
        transcript = await read_json(client, f"releaseops://episodes/{episode_id}/transcript")

    begun, first, second = transcript["entries"]
    assert begun["tool"] == "start_episode"
    assert first["arguments"] == HOLD
    assert first["action_id"] == "a1"
    assert {key: first[key] for key in ("result", "observation", "done", "step")} == {
        key: held[key] for key in ("result", "observation", "done", "step")
    }
    assert f"{second['error']}: {second['message']}" == refusal
    assert (transcript["total"], transcript["truncated"], transcript["next_offset"]) == (3, False, None)


async def test_a_long_transcript_comes_in_pages(client: Client) -> None:
    async with client:
        episode_id = await start(client)
        for _ in range(14):
            await hold(client, episode_id, reasoning="words " * 100)
        uri: str | None = f"releaseops://episodes/{episode_id}/transcript"
        pages = []
        while uri is not None:
            contents = (await client.read_resource(uri)).contents[0]
            assert len(contents.text) < 9_000
            pages.append(await read_json(client, uri))
            following = pages[-1]["next_offset"]
            assert pages[-1]["truncated"] is (following is not None)
            uri = f"releaseops://episodes/{episode_id}/transcript/{following}" if following else None

    entries = [entry for page in pages for entry in page["entries"]]
    assert len(pages) > 2
    assert len(entries) == pages[0]["total"]
    assert [entry["step"] for entry in entries if "step" in entry] == list(range(15))


@pytest.mark.parametrize(
    "uri",
    [
        "releaseops://suites/chess/policy",
        "releaseops://episodes/ep_0/observation",
        "releaseops://episodes/ep_0/transcript",
        "releaseops://episodes/ep_0/transcript/x",
        "releaseops://episodes/../observation",
        "file:///etc/hostname",
        "",
        "releaseops://episodes/ep_\ud7ff/observation",
    ],
)
async def test_an_unknown_resource_is_not_found(client: Client, uri: str) -> None:
    async with client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)

    assert caught.value.code == -32602
    assert caught.value.data == {"uri": uri}


async def test_a_log_out_of_reach_is_told_to_readers(client_of: Callable[..., Client]) -> None:
    def fail() -> Arena:
        raise StoreUnavailable("gone fishing")

    async with client_of(build_server(ArenaHolder(fail))) as client:
        with pytest.raises(MCPError, match="store_unavailable: gone fishing"):
            await client.read_resource("releaseops://episodes/ep_0/observation")


async def test_a_crash_while_reading_keeps_its_details(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(*_: Any) -> Any:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(Arena, "peek", crash)
    async with client:
        with pytest.raises(MCPError, match=r"^internal_error: ") as caught:
            await client.read_resource("releaseops://episodes/ep_0/observation")

    assert "secret" not in str(caught.value)
    assert "secret detail" in caplog.text


async def test_each_suite_has_a_prompt_that_briefs_and_begins(client: Client) -> None:
    async with client:
        prompts = (await client.list_prompts()).prompts
        open_ended = await client.get_prompt("supervise_classic_gate", {})
        pointed = await client.get_prompt("supervise_classic_gate", {"scenario": GATE})

    assert len(prompts) == len(suites())
    for prompt in prompts:
        assert prompt.description
        assert prompt.arguments is not None
        assert [(argument.name, argument.required) for argument in prompt.arguments] == [("scenario", False)]
        assert prompt.arguments[0].description
    for answer, hint in ((open_ended, "`list_scenarios`"), (pointed, f"scenario `{GATE}`")):
        text = answer.messages[0].content.text
        assert text.startswith(suites()["classic-gate"].briefing.rstrip())
        assert hint in text
        assert "releaseops://suites/classic-gate/policy" in text


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("supervise_chess", {}),
        ("supervise_classic_gate", {"seed": "3"}),
        ("supervise_classic_gate", {"scenario": "a\nb"}),
        ("supervise_classic_gate", {"scenario": "a" * 301}),
    ],
)
async def test_a_prompt_that_cannot_be_given_is_refused(client: Client, name: str, arguments: dict[str, str]) -> None:
    async with client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)

    assert caught.value.code == -32602


async def test_scenarios_are_completed_by_their_beginning(client: Client, arena: Arena) -> None:
    ours, other = arena.tickets.mint([GATE, CANARY])
    prompt = PromptReference(name="supervise_classic_gate")
    async with client:

        async def complete(value: str, name: str = "scenario") -> list[str]:
            return (await client.complete(prompt, {"name": name, "value": value})).completion.values

        by_id = await complete("classic-gate/green_ci_disabled_payment_test/medium/seed-")
        everything = (await client.complete(prompt, {"name": "scenario", "value": ""})).completion
        by_ticket = await complete(ours[:6])
        tickets = await complete("scn_")
        nothing = [await complete("chess"), await complete("x", name="seed")]

    assert by_id[:3] == [f"classic-gate/green_ci_disabled_payment_test/medium/seed-{seed}" for seed in range(3)]
    assert len(everything.values) == 100
    assert everything.has_more
    assert everything.total is not None
    assert everything.total > 100
    assert ours in by_ticket
    assert tickets == [ours]
    assert other not in tickets
    assert nothing == [[], []]


async def test_a_closed_suite_completes_tickets_alone(
    client: Client, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ticket,) = arena.tickets.mint([GATE])
    monkeypatch.setattr(type(suites()["classic-gate"]), "open_ids", False)
    async with client:
        prompt = PromptReference(name="supervise_classic_gate")
        completion = (await client.complete(prompt, {"name": "scenario", "value": ""})).completion

    assert completion.values == [ticket]


async def test_suites_are_completed_in_the_policys_template(client: Client) -> None:
    template = ResourceTemplateReference(uri="releaseops://suites/{suite}/policy")
    episode = ResourceTemplateReference(uri="releaseops://episodes/{episode_id}/observation")
    async with client:
        names = (await client.complete(template, {"name": "suite", "value": "classic-c"})).completion.values
        none = (await client.complete(episode, {"name": "episode_id", "value": "ep_"})).completion.values

    assert names == ["classic-canary"]
    assert none == []
