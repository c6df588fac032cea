"""The seven tools of the classic gate, and the values that their arguments may take."""

from collections.abc import Mapping
from types import MappingProxyType

from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.classic_gate.rules import SPELLINGS

QUESTION_TYPES = ("evidence_basis", "policy_basis", "confidence_basis", "risk_summary")
HOLD_REASONS = ("awaiting_fix", "risk_too_high", "policy_unclear", "deploy_checks_pending")
RULE_SPELLINGS = tuple(SPELLINGS)

_COST = "Costs one evidence action of this phase and one point of review budget."
_PROPOSAL = Parameter(
    name="proposal_id", type="string", description="Id of an unresolved proposal in the observation, such as `p123`."
)


def _inspector(name: str, title: str, what: str, argument: str, example: str) -> ToolSpec:
    return ToolSpec(
        name=name,
        title=title,
        description=f"Read {what} that a proposal cites. {_COST}",
        parameters=(
            Parameter(name=argument, type="string", description=f"Id from a proposal's refs, such as `{example}`."),
        ),
        read_only=True,
        destructive=False,
    )


TOOLS = (
    _inspector("inspect_pr_diff", "Inspect a pull request", "the diff of a pull request", "pr_id", "pr_1234"),
    _inspector("inspect_ci_run", "Inspect a CI run", "the output of a CI run", "run_id", "ci_run_1234"),
    _inspector("inspect_ticket", "Inspect a ticket", "the details of a ticket", "ticket_id", "ticket_1234"),
    ToolSpec(
        name="ask_worker",
        title="Ask a worker",
        description=f"Ask a worker about its proposal in the current phase. {_COST}",
        parameters=(
            Parameter(
                name="worker_id",
                type="string",
                description="A worker with a proposal in the observation, such as `sre`.",
            ),
            Parameter(
                name="question_type",
                type="string",
                description="What to ask about: evidence, policy, confidence or risk.",
                enum=QUESTION_TYPES,
            ),
        ),
        destructive=False,
    ),
    ToolSpec(
        name="approve_proposal",
        title="Approve a proposal",
        description="Grant what a proposal requests. Approving a ship request ships the release at once and for good.",
        parameters=(_PROPOSAL,),
    ),
    ToolSpec(
        name="block_proposal",
        title="Block a proposal",
        description="Refuse a proposal because it breaks a rule. Blocking a proposal that breaks none is penalised.",
        parameters=(
            _PROPOSAL,
            Parameter(
                name="rule_id",
                type="string",
                description="The rule that it breaks; one of those that the proposal lists, where it lists any.",
                enum=RULE_SPELLINGS,
            ),
        ),
    ),
    ToolSpec(
        name="hold_release",
        title="Hold the release",
        description="Decide nothing more in this phase: 12 hours pass, and the next phase begins unless the deadline "
        "is reached.",
        parameters=(
            Parameter(
                name="reason_code", type="string", description="Why the release is held; recorded.", enum=HOLD_REASONS
            ),
        ),
        destructive=False,
    ),
)

ARGUMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {tool.name: tuple(parameter.name for parameter in tool.parameters) for tool in TOOLS}
)
"""Argument names by tool; all of them are required."""
INSPECTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "inspect_pr_diff": ("pr_id", "diff"),
        "inspect_ci_run": ("run_id", "output"),
        "inspect_ticket": ("ticket_id", "details"),
    }
)
"""Argument and result key of each inspecting tool: that is all in which they differ."""
