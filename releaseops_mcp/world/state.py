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
    association: str = "MEMBER"
    """`MEMBER` of the organisation, or `NONE`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of the scan for secrets over a pull request's commits and what was there before."""

    rule: str
    path: str
    line: int
    commit: str
    validity: str
    entropy: float
    suppression: str = ""


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
    unlisted: int = 0
    """Files that its patch counts and does not list: evidence that contradicts itself."""
    findings: tuple[Finding, ...] = ()

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
class PropertyResult:
    """Whether a property of one file's code held on the inputs that were tried."""

    name: str
    path: str
    holds: bool
    example: str = ""
    """Inputs that were tried last: those for which it does not hold, where there are any."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the workflow."""

    id: str
    title: str
    commit: Commit
    result: CiResult
    minute: int
    attempt: int = 1
    previous: str = ""
    """Id of the run that was the attempt before; "" for a first attempt."""
    base: Mapping[str, str] = field(default_factory=dict[str, str])
    """The tree before the change, against which new and changed tests are told."""
    package: str = ""
    """The folder of the product code."""
    properties: tuple[PropertyResult, ...] = ()
    """What the property checks found."""


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
