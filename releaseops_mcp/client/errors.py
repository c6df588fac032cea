"""What can go wrong between a client and its server.

    ClientError                  a server could not be reached, did not answer, or answered with a refusal
    ├── Unreachable              no connection came about; nothing was sent
    ├── ServerTimeout            no answer came in time
    ├── ConnectionLost           the connection broke before the answer was there
    ├── MalformedAnswer          the answer is not the JSON that the contract promises
    └── Declined                 the server answered, and the answer is no
        ├── CallRefused          4xx: the call itself has to change
        ├── TooManyRequests      429: later, and when
        └── ServerFault          5xx: the server's own fault

Each class says whether the same call may be sent again: see `Retry`.
"""

from typing import ClassVar, Literal

from releaseops_mcp.errors import ReleaseOpsError

Retry = Literal["always", "if_safe", "never"]
"""`always`: the call was certainly not applied; `if_safe`: nobody knows, so only a call that is applied once anyhow."""


class ClientError(ReleaseOpsError):
    """A server could not be reached, did not answer, or answered with a refusal."""

    own_code: ClassVar[str] = "client_error"
    retry: ClassVar[Retry] = "never"
    retry_after_s: float | None = None
    """For how long the server asked to be left alone."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code=self.own_code)


class Unreachable(ClientError):
    """No connection came about; nothing was sent."""

    own_code = "unreachable"
    retry = "always"


class ServerTimeout(ClientError):
    """No answer came in time; whether the call was applied is unknown."""

    own_code = "server_timeout"
    retry = "if_safe"


class ConnectionLost(ClientError):
    """The connection broke before the answer was there; whether the call was applied is unknown."""

    own_code = "connection_lost"
    retry = "if_safe"


class MalformedAnswer(ClientError):
    """The answer is not the JSON that the contract promises."""

    own_code = "malformed_answer"
    retry = "if_safe"


class Declined(ClientError):
    """The server answered, and the answer is no."""

    own_code = "declined"

    def __init__(self, message: str, status: int, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status of the answer; that of the same refusal over HTTP where it came over a WebSocket."""
        self.retry_after_s = retry_after_s


class CallRefused(Declined):
    """The call itself has to change before it can succeed (4xx)."""

    own_code = "call_refused"


class TooManyRequests(Declined):
    """The server asks to come back later (429)."""

    own_code = "too_many_requests"
    retry = "always"


class ServerFault(Declined):
    """The server's own fault (5xx)."""

    own_code = "server_fault"
    retry = "if_safe"


def declined(message: str, status: int, retry_after_s: float | None = None) -> Declined:
    """Return the error of a status that is not a success."""
    if status == 429:
        return TooManyRequests(message, status, retry_after_s)
    kind = ServerFault if status >= 500 else CallRefused
    return kind(message, status, retry_after_s)
