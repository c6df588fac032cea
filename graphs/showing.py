"""Shows a run at the terminal: one line an event on standard error, where it stands on standard output."""

import json
from typing import Any

import typer

from graphs.streaming import Answered, Called, RunEvent, Token
from releaseops_mcp.agents.terminal.view import readable
from releaseops_mcp.cli.output import note

MOST_CHARS = 200
"""Of an answer in one line."""


def show(event: RunEvent) -> None:
    """Say what has happened."""
    if isinstance(event, Called):
        note(str(readable(f"calls {event.tool} {json.dumps(event.arguments)}")))
    elif isinstance(event, Answered):
        note(str(readable(f"{'refused' if event.refused else 'answered'}: {event.text[:MOST_CHARS]}")))
    elif isinstance(event, Token):
        typer.echo(readable(event.text), nl=False, err=True)


def show_end(came: dict[str, Any], command: str) -> None:
    """Say where a run stands and what can be done next."""
    if came["waiting"] is not None:
        typer.echo(f"waits for a person: {json.dumps(came['waiting']['calls'])}")
        note(f'{command} graph run --resume {came["thread"]} --answer \'{{"action": "approve"}}\'')
        return
    ended = came["terminal_reason"] or "not decided"
    typer.echo(f"stopped: {came['stop_reason']}, {ended} after {came['step']} steps and {came['calls']} calls")
    note(f"{command} episodes show {came['episode_id']}")
