"""The suite's fixtures stand beside our own tools and change nothing about them."""

from collections.abc import Iterator

import pytest
from mcp import Client
from mcp_types import ElicitRequestParams, ElicitResult

from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.settings import Settings, open_arena
from tests.conformance.fixture_server import TOOLS, build_fixture_server

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def holder(tmp_path: object) -> Iterator[ArenaHolder]:
    holder = ArenaHolder(lambda: open_arena(Settings(database_url=f"sqlite:///{tmp_path}/log.sqlite3")))
    yield holder
    holder.close()


async def test_our_tools_are_listed_and_answer_as_ever(holder: ArenaHolder) -> None:
    async with Client(build_server(holder)) as ours, Client(build_fixture_server(holder)) as fixture:
        expected = (await ours.list_tools()).tools
        listed = (await fixture.list_tools()).tools
        refused = await fixture.call_tool("observe", {"episode_id": "ep_0"})
        policy = await fixture.read_resource("releaseops://suites/classic-gate/policy")
        briefing = await fixture.get_prompt("supervise_classic_gate")

    assert listed == [*expected, *TOOLS]
    assert refused.content[0].text.startswith("unknown_episode: ")
    assert policy.contents
    assert briefing.messages


async def test_fixtures_answer(holder: ArenaHolder) -> None:
    async def say_name(_: object, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": "Ada", "color": "green"})

    async with Client(build_fixture_server(holder), elicitation_callback=say_name) as client:
        plain = await client.call_tool("test_simple_text")
        asked = await client.call_tool("test_input_required_result_multi_round")
        template = await client.read_resource("test://template/7/data")
        prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})

    assert plain.content[0].text == "This is a simple text response for testing."
    assert asked.content[0].text == "state-ok; step2: Hello, Ada, green!"
    assert '"Data for ID: 7"' in template.contents[0].text
    assert prompt.messages[0].content.text == "Prompt with arguments: arg1='a', arg2='b'"
