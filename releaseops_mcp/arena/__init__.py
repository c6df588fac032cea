"""The arena: the only service, and the only writer of the log."""

from releaseops_mcp.arena.service import Arena

__all__ = ["Arena"]
