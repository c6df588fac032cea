"""The error hierarchy, and the one table that says how every door shows each error.

    ReleaseOpsError
    ├── UserError                the caller can mend it
    │   ├── UnknownEpisode       no such episode in this log
    │   │   └── EpisodeExpired   it was idle for too long
    │   ├── EpisodeOver          the episode has ended
    │   ├── InvalidArgument      a tool, argument name, type or value is wrong
    │   ├── OutOfBudget          the review budget or the evidence actions are spent
    │   ├── AtCapacity           too many open episodes
    │   ├── UnknownScenario      no such scenario id or ticket
    │   └── Conflict             another writer was first, or an action id was used twice
    ├── EnvironmentFault         an episode crashed; the fault is ours, never the agent's
    └── LogError
        ├── ChainBroken          an event, a tail or an episode is missing or altered
        ├── SchemaTooNew         the log was written by a newer version
        ├── VersionMismatch      the log cannot be replayed by this version of a suite
        └── StoreUnavailable     the database is locked, full, read-only or out of reach

A message says what went wrong, with which id, and what to do next.
"""

from dataclasses import dataclass


class ReleaseOpsError(Exception):
    """Base of every error that this package raises on purpose."""

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or presentation(type(self)).code

    @property
    def text(self) -> str:
        """What an agent reads: the code, then the message."""
        return f"{self.code}: {self.message}"


class UserError(ReleaseOpsError):
    """The caller can mend it."""


class UnknownEpisode(UserError):
    """No such episode in this log."""


class EpisodeExpired(UnknownEpisode):
    """The episode was idle for longer than the log's idle limit."""


class EpisodeOver(UserError):
    """The episode has ended."""


class InvalidArgument(UserError):
    """A tool, an argument name, a type or a value is wrong."""


class OutOfBudget(UserError):
    """The review budget or the phase's evidence actions are spent."""


class AtCapacity(UserError):
    """Too many episodes are open."""


class UnknownScenario(UserError):
    """No such scenario id or ticket."""


class Conflict(UserError):
    """Another writer was first, or an action id was used for two different calls."""


class EnvironmentFault(ReleaseOpsError):
    """An episode crashed; the fault is the arena's, never the agent's."""


class LogError(ReleaseOpsError):
    """The log cannot be read or written as it should."""


class ChainBroken(LogError):
    """An event, a tail or an episode is missing or altered."""


class SchemaTooNew(LogError):
    """The log was written by a newer version of this package."""


class VersionMismatch(LogError):
    """The log cannot be replayed by the suite version that is installed here."""


class StoreUnavailable(LogError):
    """The database is locked, full, read-only or out of reach."""


@dataclass(frozen=True, slots=True)
class Presentation:
    """How the doors show one class of error."""

    code: str
    """First word of an MCP tool error, `code` of an HTTP answer and of a log event."""
    http_status: int
    """Status of the HTTP door."""


PRESENTATIONS: dict[type[ReleaseOpsError], Presentation] = {
    ReleaseOpsError: Presentation("internal_error", 500),
    UserError: Presentation("user_error", 400),
    UnknownEpisode: Presentation("unknown_episode", 404),
    EpisodeExpired: Presentation("episode_expired", 404),
    EpisodeOver: Presentation("episode_over", 409),
    InvalidArgument: Presentation("invalid_argument", 422),
    OutOfBudget: Presentation("out_of_budget", 409),
    AtCapacity: Presentation("at_capacity", 429),
    UnknownScenario: Presentation("unknown_scenario", 422),
    Conflict: Presentation("conflict", 409),
    EnvironmentFault: Presentation("environment_fault", 503),
    LogError: Presentation("log_error", 503),
    ChainBroken: Presentation("chain_broken", 503),
    SchemaTooNew: Presentation("schema_too_new", 503),
    VersionMismatch: Presentation("version_mismatch", 503),
    StoreUnavailable: Presentation("store_unavailable", 503),
}
"""Every door looks an error up here; a subclass without a row is shown as its nearest ancestor."""


def presentation(kind: type[ReleaseOpsError]) -> Presentation:
    """Return the row of `kind`, or of its nearest ancestor that has one."""
    for ancestor in kind.__mro__:
        if ancestor in PRESENTATIONS:
            return PRESENTATIONS[ancestor]
    raise AssertionError(f"{kind.__name__} is not a ReleaseOpsError")
