"""The primary facts of one proposal while it is being made up. Nothing derived is stored here."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.orgs.model import Org, Person, Service
from releaseops_mcp.world.state import Ticket
from releaseops_mcp.world.templates import Edit, Template

IDS_EACH = 20
"""How many ids of one prefix a proposal may hand out."""


@dataclass(frozen=True, slots=True)
class CommitDraft:
    """One commit of the branch."""

    tree: Mapping[str, str]
    message: str
    minute: int
    failing: Mapping[str, str] = field(default_factory=dict[str, str])
    """Message of the failure by test id, for the tests that a defect in this tree breaks."""
    broken_steps: frozenset[str] = frozenset()
    """Names of workflow steps, other than test steps, whose command fails on this tree."""


@dataclass(frozen=True, slots=True)
class ReviewDraft:
    """One review of the commit with this index (0 is the branch's first)."""

    user: str
    state: str
    commit: int
    minute: int
    body: str = ""


@dataclass(frozen=True, slots=True)
class RunDraft:
    """One CI run of the commit with this index."""

    id: str
    commit: int
    minute: int
    attempt: int = 1


@dataclass
class Draft:
    """One proposal in the making; kinds and `changes/ordinary` fill it in."""

    org: Org
    service: Service
    template: Template
    edit: Edit
    request: str
    worker: str
    """The agent that proposes, and that wrote the change."""
    number: int
    """Where this proposal's ids start; `new_id` counts on from it."""
    minute: int
    """When the release process starts; everything in the draft happened before."""
    title: str = ""
    body: str = ""
    pr: str = ""
    claim: str = ""
    """What the worker claims, where the kind says it; else the archetype's words."""
    commits: list[CommitDraft] = field(default_factory=list[CommitDraft])
    reviews: list[ReviewDraft] = field(default_factory=list[ReviewDraft])
    runs: list[RunDraft] = field(default_factory=list[RunDraft])
    tickets: list[Ticket] = field(default_factory=list[Ticket])
    extras: list[Artefact] = field(default_factory=list[Artefact])
    """Artefacts of other formats, ready to be read."""
    refs: list[str] = field(default_factory=list[str])
    """Ids that the proposal names besides its pull request and its runs."""
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def new_id(self, prefix: str) -> str:
        """Return a fresh id such as `ticket_412`; raises ValueError beyond IDS_EACH of one prefix."""
        count = self.counts.get(prefix, 0)
        if count >= IDS_EACH:
            raise ValueError(f"a proposal may have {IDS_EACH} ids with prefix {prefix!r}")
        self.counts[prefix] = count + 1
        return f"{prefix}_{self.number + count}"

    @property
    def head(self) -> CommitDraft:
        """The branch's last commit."""
        return self.commits[-1]

    def amend(self, changes: Mapping[str, str], failing: Mapping[str, str] | None = None) -> None:
        """Change files of the head commit in place; `failing` adds tests that the change breaks."""
        head = self.commits[-1]
        self.commits[-1] = CommitDraft(
            {**head.tree, **changes}, head.message, head.minute, {**head.failing, **(failing or {})}, head.broken_steps
        )

    def push(self, changes: Mapping[str, str], message: str, minute: int) -> None:
        """Add a commit on top of the head."""
        head = self.commits[-1]
        self.commits.append(CommitDraft({**head.tree, **changes}, message, minute, head.failing, head.broken_steps))

    def move_evidence_to_head(self, minute: int) -> None:
        """Let every review and every run be of the head, from this minute on."""
        head = len(self.commits) - 1
        self.reviews = [
            replace(each, commit=head, minute=minute + 30 * order) for order, each in enumerate(self.reviews, 1)
        ]
        self.runs = [replace(each, commit=head, minute=minute + order) for order, each in enumerate(self.runs, 1)]

    def reviewers(self) -> list[Person]:
        """Return the people who may approve this worker's changes, in the organisation's order."""
        return [
            person for person in self.org.people if person.kind == "human" and self.worker not in person.operator_of
        ]
