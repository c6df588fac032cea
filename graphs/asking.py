"""Asks the person at the terminal about the calls that wait at the gate."""

import json
from typing import Any, cast

import typer

from releaseops_mcp.agents.terminal.view import readable


def ask(question: dict[str, Any]) -> dict[str, Any]:
    """Return the person's decisions on every call of a question, as `nodes.gate` reads them."""
    if question["problem"]:
        typer.echo(f"not understood: {question['problem']}", err=True)
    return {"decisions": {call["id"]: _decide(call) for call in question["calls"]}}


def _decide(call: dict[str, Any]) -> dict[str, Any]:
    typer.echo(readable(f"the model wants to call {call['tool']} with {json.dumps(call['arguments'])}"), err=True)
    while True:
        said = typer.prompt("approve, edit or refuse", default="approve", err=True).strip().lower()
        if said == "approve":
            return {"action": "approve"}
        if said == "refuse":
            return {"action": "refuse", "reason": typer.prompt("why (the model reads it)", err=True)}
        if said == "edit":
            arguments = _arguments(typer.prompt("the arguments as a JSON object", err=True))
            if arguments is not None:
                return {"action": "edit", "arguments": arguments}


def _arguments(text: str) -> dict[str, Any] | None:
    try:
        arguments = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else None
