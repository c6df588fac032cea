"""Asks a person for the next call: a numbered menu of tools, then their arguments.

What is typed is passed on as it is: only the arena judges a call, a person's like an agent's.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from releaseops_mcp.agents.base import Action
from releaseops_mcp.catalogue import Parameter, ToolSpec

QUIT = ("q", "quit")
YES, NO = ("y", "yes", "true", "1"), ("n", "no", "false", "0")


class Left(Exception):
    """The person wants to leave, or the input has ended."""


class Source(Protocol):
    """Where a person's lines come from, such as standard input."""

    def readline(self) -> str:
        """Return the next line with its end; an empty text where there is none."""
        ...


class Prompt:
    """Asks on a console and reads from a source."""

    def __init__(self, console: Console, source: Source) -> None:
        self._console = console
        self._source = source

    def action(self, tools: Sequence[ToolSpec]) -> Action:
        """Ask until a tool is chosen, then for its arguments; raises Left."""
        for number, tool in enumerate(tools, 1):
            self._console.print(Text.assemble((f"{number:>3}  ", "bold"), tool.title, (f"  {tool.name}", "dim")))
        self._console.print(Text.assemble(("  q  ", "bold"), "Leave: the episode is closed as it stands"))
        while True:
            typed = self.ask("call")
            tool = _pick(typed, tools, lambda entry: entry.name)
            if tool is not None:
                return Action(tool.name, self.arguments(tool))
            self._console.print(f"1 to {len(tools)}, a tool's name, or q", style="yellow")

    def arguments(self, tool: ToolSpec) -> dict[str, Any]:
        """Ask for each argument of a tool; raises Left."""
        given: dict[str, Any] = {}
        for parameter in tool.parameters:
            value = self._argument(parameter)
            if value is not None:
                given[parameter.name] = value
        return given

    def ask(self, question: str, default: object = None) -> str:
        """Return what is typed, without the space around it; raises Left for `q`, Ctrl-C and the end of the input."""
        shown = f"{question} [{default}]" if default not in (None, "") else question
        self._console.print(Text(f"{shown}> ", style="bold cyan"), end="")
        try:
            line = self._source.readline()
        except KeyboardInterrupt:
            raise Left from None
        typed = line.strip()
        if not line or typed.lower() in QUIT:
            raise Left
        return typed

    def _argument(self, parameter: Parameter) -> Any:
        """Return what is typed for one argument as its type; None where nothing is."""
        self._console.print(Text(f"     {parameter.description}", style="dim"))
        for number, value in enumerate(parameter.enum, 1):
            self._console.print(Text(f"     {number:>2} {value}"))
        typed = self.ask(f"  {parameter.name}", parameter.default)
        if not typed:
            return parameter.default
        return _pick(typed, parameter.enum, str) or _typed(typed, parameter)


def _pick(typed: str, choices: Sequence[Any], name: Callable[[Any], str]) -> Any:
    """Return the choice of this number or name, or None."""
    if typed.isdecimal() and 1 <= int(typed) <= len(choices):
        return choices[int(typed) - 1]
    return next((choice for choice in choices if name(choice) == typed), None)


def _typed(typed: str, parameter: Parameter) -> Any:
    """Return what was typed as the argument's type where it reads as one, as text elsewhere."""
    if parameter.type == "boolean" and typed.lower() in (*YES, *NO):
        return typed.lower() in YES
    try:
        return {"integer": int, "number": float}.get(parameter.type, str)(typed)
    except ValueError:
        return typed
