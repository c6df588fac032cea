"""Later pushes of a branch, as small as they come: a remark in a file that matters, a line in the runbook."""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws

RUNBOOK = "docs/runbook.md"
REMARKS = (
    "The limit is the one that support asked for.",
    "Kept short: the caller knows the rest.",
    "See the runbook for what happens after a failure.",
    "Callers outside this package rely on the order.",
)
LINES = (
    "Ask the on-call before a replay.",
    "The dashboard shows the last hour first.",
    "Old entries are kept for ninety days.",
    "A replay takes about four minutes.",
)
MESSAGES = ("Say why", "Address a remark", "Tidy up", "Small follow-up")
"""Agents also push again under the words of the first commit: then nothing but its id tells a log's commit."""


def push_remark(draft: Draft, draws: Draws, minute: int, surface: str = "source", message: str = "") -> None:
    """Push a comment into the product file that the change is about, or into the workflow file.

    Without a `message` one of MESSAGES is drawn.
    """
    path = WORKFLOW if surface == "workflow" else draft.template.defect_of(draft.edit).path
    first, _, rest = draft.head.tree[path].partition("\n")
    text = f"{first}\n# {draws.choice(REMARKS)}\n{rest}"
    drawn = draws.choice(MESSAGES)
    draft.push({path: text}, message or drawn, minute)


def push_two(draft: Draft, draws: Draws, minute: int, surface: str = "source", *, code_last: bool) -> None:
    """Push a remark where it matters and a line in the runbook, in either order; what lands last is written anew."""
    early, late = draws.sample(LINES, 2)
    words, remark = draws.child("words"), draws.child("remark")
    runbook = draft.head.tree[RUNBOOK]
    line = {RUNBOOK: f"{runbook}\n{early if code_last else late}\n"}
    if code_last:
        draft.push(line, words.choice(MESSAGES), minute)
        push_remark(draft, remark, minute + 25, surface)
    else:
        push_remark(draft, remark, minute, surface)
        draft.push(line, words.choice(MESSAGES), minute + 25)


def after_reviews(draft: Draft, draws: Draws) -> int:
    """Return a minute after the last review that has been given."""
    return max(each.minute for each in draft.reviews) + draws.integer(10, 120)
