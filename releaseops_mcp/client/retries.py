"""When a call is made again, and after how long."""

from dataclasses import dataclass

from releaseops_mcp.client.errors import ClientError

TIMEOUT_S = 30.0
"""How long a client waits for an answer, as the originals' clients did."""


@dataclass(frozen=True, slots=True)
class Retries:
    """How patient a client is."""

    attempts: int = 3
    """How often a call is made at most."""
    first_wait_s: float = 0.2
    """Doubled after each further attempt; a server's Retry-After takes precedence."""
    longest_wait_s: float = 30.0
    """A server that wants to be left alone for longer gets no further attempt: the error says for how long."""

    def wait_s(self, attempt: int, fault: ClientError, *, safe: bool) -> float | None:
        """Return how long to wait after attempt number `attempt` (from 1), or None where the fault stands."""
        allowed = fault.retry == "always" or (fault.retry == "if_safe" and safe)
        if not allowed or attempt >= self.attempts:
            return None
        own_s = self.first_wait_s * 2 ** (attempt - 1)
        wait_s = own_s if fault.retry_after_s is None else fault.retry_after_s
        return wait_s if wait_s <= self.longest_wait_s else None
