"""A person at a terminal as the supervisor.

view      an observation of any suite, as tables and lines
prompt    the numbered menu, and the questions for a tool's arguments
person    the policy that asks, and the watcher that shows what each call came to
"""

from releaseops_mcp.agents.terminal.person import Person

__all__ = ["Person"]
