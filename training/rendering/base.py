"""What a rendering is: it turns what an agent sees into the text that a small model reads.

The first text shows the whole observation. Every later one is a tool's answer: the refusal, or what the call found
and what it changed; nothing is said twice. A suite that needs more than that has a file beside this one.
"""

from typing import ClassVar

from releaseops_mcp.agents.base import Turn
from releaseops_mcp.episodes.base import Json, Suite
from training.rendering.changes import changes
from training.rendering.notation import write

OVER = "over"
"""Key of the line that says that the episode has ended, and how."""


class Rendering:
    """The default, which serves any suite: compact notation, and later on only what changed."""

    suite: ClassVar[str] = ""
    """Name of the suite that it was made for; empty for the default."""
    version: ClassVar[str] = "1"
    """Raise it with every change of a text: a policy trained on one rendering is a stranger to another."""

    typed: ClassVar[bool] = True
    """Whether a tool's line says of what type an argument is that may be any value of it."""
    unlisted: ClassVar[frozenset[str]] = frozenset()
    """Arguments whose values a tool's line leaves out, since what the tools answer names them."""

    def brief(self, suite: Suite) -> str:
        """Return what the system prompt says of the suite."""
        return f"{suite.briefing.strip()}\n\n{suite.policy.strip()}"

    def shape(self, observation: Json) -> Json:
        """Return what is shown of an observation."""
        return observation

    def found(self, result: Json) -> Json:
        """Return what is shown of a call's result."""
        return result

    def moved(self, before: Json, turn: Turn) -> Json:
        """Return what is shown of what a call changed."""
        return changes(self.shape(before), self.shape(turn.observation))

    def first(self, observation: Json) -> str:
        """Return the text of an episode's first observation."""
        return write(self.shape(observation))

    def later(self, before: Json, turn: Turn) -> str:
        """Return the text of what a call came to; `before` is the observation that the model knew until then."""
        lines: list[str] = []
        if turn.error is not None:
            lines.append(f"refused: {turn.error}: {turn.message}")
        found = self.found(turn.result) if turn.result else {}
        if found:
            lines.append(write(found))
        moved = self.moved(before, turn)
        if moved:
            lines.append(write(moved))
        if turn.done:
            lines.append(f"{OVER}: {turn.terminal_reason or 'closed'}")
        return "\n".join(lines) or "nothing changed"
