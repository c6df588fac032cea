"""The primary facts of one proposal while it is being made up. Nothing derived is stored here."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from releaseops_mcp.world.changes.ship import Ship
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
    author: str = ""
    """Who wrote it; "" for the worker."""


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
    previous: int | None = None
    """Place in the draft's runs of the attempt before this one."""
    failing: Mapping[str, str] = field(default_factory=dict[str, str])
    """Message of the failure by test id, of tests that failed in this run and not because of the tree."""
    broken_steps: frozenset[str] = frozenset()
    """Steps, other than test steps, whose command failed in this run: by name, or as `job/step`."""
    unfinished: frozenset[str] = frozenset()
    """Keys of jobs that have not ended."""
    flaky: Mapping[str, int] = field(default_factory=dict[str, int])
    """How often a test failed in this run before it passed, by test id."""
    stays: bool = False
    """Whether it is of this very commit whatever is pushed later: an old run that somebody cites."""


@dataclass(frozen=True, slots=True)
class FindingDraft:
    """One finding of the scan for secrets, in the commit with this index; None for a commit of the base's past."""

    rule: str
    """What sort of credential it looks like."""
    path: str
    line: int
    commit: int | None
    validity: str
    """`active`, `inactive` or `unknown`, as the scan's check with whoever issues such credentials found."""
    entropy: float
    """Bits a character."""
    suppression: str = ""
    """SARIF's word: `inSource` by a remark in the file, `external` by a decision outside; "" for none."""


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
    base: Mapping[str, str] | None = None
    """The tree before the change, where it is another than the template's."""
    unlisted: int = 0
    """Files that the patch counts and does not list."""
    claim: str = ""
    """What the worker claims, where the kind says it; else the archetype's words."""
    commits: list[CommitDraft] = field(default_factory=list[CommitDraft])
    reviews: list[ReviewDraft] = field(default_factory=list[ReviewDraft])
    runs: list[RunDraft] = field(default_factory=list[RunDraft])
    tickets: list[Ticket] = field(default_factory=list[Ticket])
    findings: list[FindingDraft] = field(default_factory=list[FindingDraft])
    """What the scan for secrets found."""
    approvers: tuple[str, ...] = ()
    """Who approved out of habit: others may take their places where the change turns out to need them."""
    seated: bool = False
    """Whether the kind has chosen who approves: then they stay as they are."""
    extras: list[Artefact] = field(default_factory=list[Artefact])
    """Artefacts of other formats, ready to be read."""
    refs: list[str] = field(default_factory=list[str])
    """Ids that the proposal names besides its pull request and its runs."""
    appears: int = 1
    """The phase in which the proposal is first shown."""
    ship: Ship | None = None
    """What a ship request is about; None for every other request."""
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
            {**head.tree, **changes},
            head.message,
            head.minute,
            {**head.failing, **(failing or {})},
            head.broken_steps,
            head.author,
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
