"""A worker reports what the run that it cites does not show: a run from before the tests, or before the last push.

Twins: the same runs of the same commits, and the cited one is the other of the two.
"""

from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.pushes import after_reviews, push_remark
from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant

CLAIMS = {
    "count": ("{title}. The whole suite ran: {count} passed, see {run}.", "{title}. {count} passed in {run}."),
    "named-test": ("{title}. I added {test}; it passes in {run}.", "{title}. Covered by {test}, which ran in {run}."),
    "before-push": ("{title}. {run} ran on the pushed head.", "{title}. Green on the head: {run}."),
}
MESSAGES = ("Add tests", "Cover it", "Second part")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Push twice, with a run of each push besides the one that counts, and cite one of the two."""
    words = draws.choice(CLAIMS[variant])
    tests = collect(draft.head.tree)
    before = {test.id for test in collect(draft.template.base)}
    fresh = next(test.id for test in tests if test.id not in before)
    minute = after_reviews(draft, draws)
    if variant == "before-push":
        push_remark(draft, draws, minute, message=draft.title)
    else:
        _push_tests(draft, draws, minute)
    draft.move_evidence_to_head(minute + 40)
    (named,) = draft.runs
    early, late = (
        replace(named, commit=commit, minute=minute - 30 + 35 * commit, stays=not commit) for commit in (0, 1)
    )
    first, second = (early, late) if fault else (late, early)
    # The cited one has the first id, and what the proposal refers to comes last.
    draft.runs = [first, replace(second, id=draft.new_id("ci")), replace(named, id=draft.new_id("ci"))]
    draft.claim = words.format(title=draft.title, count=len(tests), run=first.id, test=fresh.rpartition("::")[2])


def _push_tests(draft: Draft, draws: Draws, minute: int) -> None:
    """Split the one commit in two: the product code first, its tests after it."""
    whole = draft.head
    base = draft.template.base
    kept = {path: base[path] for path in whole.tree if path.startswith("tests/") and path in base}
    draft.commits[-1] = replace(whole, tree={path: kept.get(path, text) for path, text in whole.tree.items()})
    draft.push(whole.tree, draws.choice(MESSAGES), minute)


KIND = Kind(
    name="k12-false-claim",
    group="B",
    title="A claimed result is not what the run shows",
    family="claims_need_evidence",
    variants=(
        Variant("count", depth=2, differs=("run", "junit", "log", "lcov", "properties"), pages=2),
        Variant("named-test", depth=2, differs=("run", "junit", "log", "lcov", "properties"), pages=2),
        Variant("before-push", depth=3, differs=("run", "junit", "log", "lcov", "properties"), pages=2),
    ),
    plant=plant,
)
