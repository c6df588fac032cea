"""The state of one change, all of it hidden until an artefact shows it. Times are minutes of the release's clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from releaseops_mcp.world.ci.interpreter import CiResult


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit with its whole tree."""

    sha: str
    tree: Mapping[str, str]
    message: str
    author: str
    minute: int


@dataclass(frozen=True, slots=True)
class Review:
    """One review, given to the head that the pull request then had."""

    user: str
    user_type: str
    """`User` or `Bot`, as GitHub writes it."""
    state: str
    """`APPROVED`, `CHANGES_REQUESTED` or `COMMENTED`."""
    commit: str
    minute: int
    body: str = ""


@dataclass(frozen=True, slots=True)
class PullRequest:
    """One pull request; `commits` are those of the branch, the head last."""

    id: str
    title: str
    body: str
    author: str
    base: Commit
    commits: tuple[Commit, ...]
    reviews: tuple[Review, ...] = ()

    @property
    def head(self) -> Commit:
        """The last commit of the branch."""
        return self.commits[-1]

    @property
    def changed(self) -> tuple[str, ...]:
        """The paths that differ between base and head."""
        old, new = self.base.tree, self.head.tree
        return tuple(path for path in sorted({*old, *new}) if old.get(path) != new.get(path))


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the workflow."""

    id: str
    title: str
    commit: Commit
    result: CiResult
    minute: int
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class TicketEvent:
    """One entry of a ticket's history, such as `labeled`."""

    event: str
    actor: str
    minute: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Ticket:
    """One ticket with its history."""

    id: str
    title: str
    state: str
    """`open` or `closed`."""
    body: str
    component: str
    reporter: str
    minute: int
    labels: tuple[str, ...] = ()
    events: tuple[TicketEvent, ...] = field(default=())
