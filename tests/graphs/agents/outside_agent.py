"""A small agent outside this project: it reads an mcp.json, connects by itself, and holds until the episode is over.

`python outside_agent.py MCP_JSON [MANNER]`; the ticket is found in the environment. Manners: `leave` and `crash` after
one hold, `linger` after one hold for ever, `roam` tries other scenarios and a second start first.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from mcp import Client


async def play(config: str, manner: str) -> None:
    url = json.loads(Path(config).read_text())["mcpServers"]["releaseops"]["url"]
    async with Client(url) as client:
        ticket = os.environ["RELEASEOPS_TICKET"]
        if manner == "roam":
            listed = await client.call_tool("list_scenarios", {})
            other = listed.structured_content["scenarios"][0]["scenario"]
            print((await client.call_tool("start_episode", {"scenario": other})).content[0].text)
        started = (await client.call_tool("start_episode", {"scenario": ticket, "agent": "me"})).structured_content
        if manner == "roam":
            print((await client.call_tool("start_episode", {"scenario": ticket})).content[0].text)
        episode, done = {"episode_id": started["episode_id"]}, False
        while not done:
            answer = await client.call_tool("hold_release", {**episode, "reason_code": "awaiting_fix"})
            done = answer.structured_content["done"]
            if manner == "leave":
                return
            if manner == "crash":
                sys.exit("out of tokens")
            if manner == "linger":
                await asyncio.sleep(60)


asyncio.run(play(sys.argv[1], (sys.argv[2:] or [""])[0]))
