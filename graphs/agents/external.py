"""`mcp-command:CMD...`: an outside agent that connects by itself, over MCP, and plays one episode.

Our server holds one ticket for it. The episode that it starts is the one that counts: what the process prints or
returns earns nothing. Capture level `tools`: its messages are its own.
"""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from graphs.agents.guest import Guest
from graphs.agents.hosting import hosted
from graphs.agents.process import Ended, handed, run_agent
from graphs.agents.prompts import read_prompt
from releaseops_mcp.agents.base import Brief, Play, Supervisor
from releaseops_mcp.agents.drive import InfrastructureFailed, SupervisorFailed
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.base import Scenario, Suite
from releaseops_mcp.errors import InvalidArgument

SCHEME = "mcp-command"
TIMEOUT = "RELEASEOPS_AGENT_TIMEOUT_S"
USUAL_TIMEOUT_S = 900.0


def mcp_command(rest: str, suite: str) -> Supervisor:
    """Return an outside agent as a supervisor; raises InvalidArgument for a command line that makes no sense."""
    try:
        command = shlex.split(rest)
    except ValueError as error:
        raise InvalidArgument(f"{SCHEME}: {error}: quote the command as a shell would read it") from None
    if not command:
        raise InvalidArgument(f"{SCHEME} needs a command: write {SCHEME}:CMD ARGUMENTS...")
    timeout_s = read_timeout_s()

    def runner(arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
        return play_outside(arena, supervisor, scenario, command=command, timeout_s=timeout_s)

    return Supervisor(f"{SCHEME}:{rest}", suite, _in_process, False, "An outside agent over MCP.", runner=runner)


def read_timeout_s() -> float:
    """Return how long an agent may take for one episode; raises InvalidArgument naming the variable."""
    said = os.environ.get(TIMEOUT) or str(USUAL_TIMEOUT_S)
    try:
        timeout_s = float(said)
    except ValueError:
        timeout_s = 0.0
    if not 0 < timeout_s < float("inf"):
        raise InvalidArgument(f"{TIMEOUT}: {ascii(said)[:40]} is no number of seconds above 0")
    return timeout_s


def play_outside(
    arena: Arena, supervisor: Supervisor, scenario: str, *, command: Sequence[str], timeout_s: float
) -> Played:
    """Hand a process a ticket for a scenario, wait until its episode is over, close it, and return what it came to.

    Raises InvalidArgument where the supervisor plays another suite, and what minting a ticket raises.
    """
    parsed, suite = arena.tickets.resolve(scenario, operator=True)
    if supervisor.suite != suite.name:
        raise InvalidArgument(f"agent {supervisor.name} plays {supervisor.suite}, and {parsed.id} is of {suite.name}")
    [ticket] = arena.tickets.mint([parsed.id])
    guest = Guest(arena, ticket, supervisor.name)
    ended, fault = None, None
    try:
        ended = _visit(guest, suite, ticket, command, timeout_s)
        fault = _fault(guest, ended)
    except InfrastructureFailed as failure:
        fault = failure.fault
    return _played(arena, supervisor, parsed, guest, ended, fault)


def _visit(guest: Guest, suite: Suite, ticket: str, command: Sequence[str], timeout_s: float) -> Ended:
    prompt = read_prompt("visitor").filled(ticket=ticket, briefing=suite.briefing, policy=suite.policy)
    with TemporaryDirectory(prefix="releaseops-agent-") as name, hosted(guest.as_arena(), suite.name) as url:
        folder = Path(name)
        values = handed(folder, url, ticket, prompt)
        return run_agent(command, values, folder, is_over=lambda: guest.done, timeout_s=timeout_s)


def _fault(guest: Guest, ended: Ended) -> str | None:
    """Return why the figure would say nothing about the agent's judgement, or None.

    An agent that leaves, or that is stopped when time is up, in the midst of its episode is scored as things stand.
    """
    if guest.done or (guest.episode_id and (ended.timed_out or ended.code == 0)):
        return None
    how = "was stopped when time was up" if ended.timed_out else f"ended with code {ended.code}"
    what = "" if guest.episode_id else " and had not started its episode"
    return SupervisorFailed(f"the process {how}{what}: {ended.tail or 'it printed nothing'}").fault


def _played(
    arena: Arena, supervisor: Supervisor, scenario: Scenario, guest: Guest, ended: Ended | None, fault: str | None
) -> Played:
    score = None
    if guest.episode_id:
        if not guest.done:
            arena.finish(guest.episode_id)
        score = arena.score(guest.episode_id)
    return Played(
        episode_id=guest.episode_id,
        scenario=scenario.id,
        suite=scenario.suite,
        family=scenario.family,
        agent=supervisor.name,
        steps=guest.last.step if guest.last else 0,
        invalid=guest.invalid,
        reward=None if fault or score is None else score.total,
        components=score.body["components"] if score else {},
        metrics=score.body["metrics"] if score else {},
        terminal_reason=guest.last.terminal_reason if guest.last else None,
        truncated=fault is None and ended is not None and ended.timed_out,
        fault=fault,
    )


def _in_process(brief: Brief) -> Play:
    """An outside agent makes its calls itself."""
    raise AssertionError("an outside agent is played by its own runner")
