"""The tools of the gate suite, and what their arguments may be."""

from collections.abc import Mapping
from types import MappingProxyType

from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.world.rules.registry import families

QUESTIONS = ("evidence_basis", "policy_basis", "confidence_basis", "risk_summary")
HOLD_REASONS = ("awaiting_fix", "evidence_missing", "risk_too_high", "policy_unclear")
REFUSAL_REASONS = ("cannot_ship_safely", "evidence_cannot_be_had", "policy_forbids")

_READ = "Suite gate: a page costs one review unit and some minutes; one that was read before is free."
_REF = "Id from a proposal's refs"
_PAGE = Parameter(
    name="page", type="integer", description="Suite gate: page to read, from 1.", required=False, default=1, minimum=1
)
_OFFSET = Parameter(
    name="offset",
    type="integer",
    description="Suite gate: byte of the page from which to read on, where an answer has a next_offset; costs nothing.",
    required=False,
    default=0,
    minimum=0,
)
_PROPOSAL = Parameter(
    name="proposal_id", type="string", description="Id of an unresolved proposal in the observation, such as `p123`."
)
_CONFIDENCE = Parameter(
    name="confidence",
    type="number",
    description="Suite gate: how sure you are that the decision is right, from 0 to 1; recorded.",
    required=False,
    minimum=0,
    maximum=1,
)


def _inspector(
    name: str,
    title: str,
    what: str,
    argument: str,
    example: str,
    where: str = _REF,
    more: tuple[Parameter, ...] = (),
) -> ToolSpec:
    return ToolSpec(
        name=name,
        title=title,
        description=f"Read {what}. {_READ}",
        parameters=(
            Parameter(name=argument, type="string", description=f"{where}, such as `{example}`."),
            _PAGE,
            *more,
        ),
        read_only=True,
        destructive=False,
    )


def _reader(name: str, title: str, what: str) -> ToolSpec:
    return ToolSpec(
        name=name,
        title=title,
        description=f"Read {what}. A page takes five minutes and no review unit.",
        parameters=(_PAGE,),
        read_only=True,
        destructive=False,
    )


_INSPECTORS = (
    _inspector(
        "inspect_pr_diff",
        "Inspect a pull request",
        "the diff of a pull request that a proposal cites",
        "pr_id",
        "pr_1234",
        more=(_OFFSET,),
    ),
    _inspector("inspect_review", "Inspect reviews", "the reviews of a pull request", "pr_id", "pr_1234"),
    _inspector(
        "inspect_ci_run", "Inspect a CI run", "the output of a CI run that a proposal cites", "run_id", "ci_1234"
    ),
    _inspector(
        "inspect_ticket",
        "Inspect a ticket",
        "the details of a ticket that a proposal cites",
        "ticket_id",
        "ticket_1234",
    ),
    _inspector(
        "inspect_dependency",
        "Inspect a package",
        "a package's registry record and advisories",
        "package",
        "left-pad",
        "Name of a package that a diff names",
    ),
    _inspector("inspect_deployment", "Inspect a deployment", "a deployment's record", "deployment_id", "dep_1234"),
    _inspector(
        "inspect_service_health",
        "Inspect health",
        "a service's telemetry",
        "service",
        "payments",
        "Name of the service",
    ),
)
ARGUMENT_OF = MappingProxyType({tool.name: tool.parameters[0].name for tool in _INSPECTORS})
"""The argument in which each inspecting tool names its artefact."""
READERS = ("read_policy", "read_precedents")

TOOLS = (
    *_INSPECTORS,
    _reader("read_policy", "Read the policy", "the organisation's public rules"),
    _reader("read_precedents", "Read past decisions", "decisions that were taken before"),
    ToolSpec(
        name="ask_worker",
        title="Ask a worker",
        description="Ask a worker about its proposal in the current phase. "
        "Suite gate: costs one review unit and ten minutes.",
        parameters=(
            Parameter(name="worker_id", type="string", description="A worker with a proposal in the observation."),
            Parameter(
                name="question_type",
                type="string",
                description="What to ask about: evidence, policy, confidence or risk.",
                enum=QUESTIONS,
            ),
        ),
        destructive=False,
    ),
    ToolSpec(
        name="request_review",
        title="Ask a person to look",
        description="Ask somebody to look at a proposal; once a phase. Costs one review unit and one to six hours.",
        parameters=(
            Parameter(name="person_id", type="string", description="Somebody from the policy's list of people."),
            _PROPOSAL,
        ),
        destructive=False,
    ),
    ToolSpec(
        name="approve_proposal",
        title="Approve a proposal",
        description="Grant what a proposal requests. Approving a ship request ships the release at once and for good.",
        parameters=(_PROPOSAL, _CONFIDENCE),
    ),
    ToolSpec(
        name="block_proposal",
        title="Block a proposal",
        description="Refuse a proposal because it breaks a rule.",
        parameters=(
            _PROPOSAL,
            Parameter(
                name="rule_id",
                type="string",
                description="Suite gate: the family of the rule that it breaks.",
                enum=tuple(families()),
            ),
            _CONFIDENCE,
        ),
    ),
    ToolSpec(
        name="hold_release",
        title="Hold the release",
        description="Suite gate: let one proposal wait for the next phase; without proposal_id, all open ones: the "
        "phase ends.",
        parameters=(
            Parameter(
                name="reason_code", type="string", description="Why the release is held; recorded.", enum=HOLD_REASONS
            ),
            _PROPOSAL.model_copy(update={"required": False}),
            _CONFIDENCE,
        ),
        destructive=False,
    ),
    ToolSpec(
        name="refuse_release",
        title="Refuse the release",
        description="End the episode without shipping, because it cannot ship safely before the deadline.",
        parameters=(
            Parameter(
                name="reason_code", type="string", description="Why it is refused; recorded.", enum=REFUSAL_REASONS
            ),
        ),
    ),
)

SPECS: Mapping[str, ToolSpec] = MappingProxyType({tool.name: tool for tool in TOOLS})
SUBJECTS: Mapping[str, str] = MappingProxyType({tool.name: tool.parameters[0].name for tool in _INSPECTORS})
"""The argument in which each inspecting tool names what it reads."""
