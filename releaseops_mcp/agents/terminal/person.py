"""The policy that asks a person, and the watcher that shows what each call came to."""

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor, Turn
from releaseops_mcp.agents.runner import turn_of
from releaseops_mcp.agents.terminal.prompt import Left, Prompt, Source
from releaseops_mcp.agents.terminal.view import readable, show
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.arena.tools import OBSERVE
from releaseops_mcp.catalogue import ToolSpec

NAME = "person"
LOOK = ToolSpec(name=OBSERVE.name, title="Look at the release again, free of charge", description="", destructive=False)


class Person:
    """A person at a terminal; the console and the source of lines are handed in."""

    def __init__(self, console: Console, source: Source) -> None:
        self._console = console
        self._prompt = Prompt(console, source)

    def supervisor(self, suite: str) -> Supervisor:
        """Return this person as a supervisor of a suite."""
        return Supervisor(NAME, suite, self.play, False, "A person at a terminal.")

    def play(self, brief: Brief) -> Play:
        """Show the release, ask for a call, and so on until the person leaves."""
        observation = brief.observation
        while True:
            self._console.print(Rule("the release as it stands", style="dim", align="left"))
            self._console.print(show(observation))
            self._console.print()
            try:
                action = self._prompt.action((*brief.tools, LOOK))
            except Left:
                return
            observation = (yield action).observation

    def watch(self, action: Action, answer: Answer) -> None:
        """Show what a call came to."""
        self.see(action, turn_of(answer))

    def see(self, action: Action, turn: Turn) -> None:
        """Show what a call came to, as a supervisor is sent it."""
        if turn.error is not None:
            text = readable(f"{turn.error}: {turn.message}")
            self._console.print(Text.assemble(("refused: ", "bold red"), text))
        elif turn.result is not None:
            self._console.print(Rule(readable(action.tool), style="green", align="left"))
            self._console.print(show(turn.result))
        if turn.done:
            self._console.print(Text.assemble(("over: ", "bold"), readable(turn.terminal_reason)))
