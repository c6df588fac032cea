"""What is shipped is what was tested: digest by digest, and where it is asked for, with a statement of its origin.

An image for several platforms has an index over their manifests. Written anew, with an annotation more, the index has
another digest and the manifests, which are what runs, have not.
"""

from releaseops_mcp.world.artefacts.image import ImageRecord
from releaseops_mcp.world.artefacts.promotion import PromotionRecord
from releaseops_mcp.world.artefacts.provenance import ProvenanceRecord
from releaseops_mcp.world.artefacts.run import RunRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown


class Identity(Params):
    """Settings of the family."""

    provenance: bool = False
    """Whether a statement must name what is shipped, and the commit that was tested."""
    exact: bool = False
    """Whether the index, too, must be the tested one."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where something is to be shipped that the run did not test, or that comes from elsewhere."""
    wanted: Identity = settings(rule, Identity)
    answers = [_tested(case, view, wanted)]
    if wanted.provenance:
        answers.append(_stated(case, view))
    shown = [answer for answer in answers if answer.state == "violated"]
    if shown:
        return shown[0]
    missing = dict.fromkeys(topic for answer in answers for topic in answer.missing)
    return unknown(*missing) if missing else SATISFIED


def _tested(case: Case, view: View, wanted: Identity) -> Answer:
    shipped, built = case.topic("promotion", "dep_"), case.topic("image", "ci_")
    asked, images = view.records(shipped, PromotionRecord), view.records(built, ImageRecord)
    if not asked or not images:
        return unknown(*([] if asked else [shipped]), *([] if images else [built]))
    same = set(asked[0].manifests) <= set(images[0].manifests)
    if same and asked[0].manifests and (asked[0].index == images[0].index or not wanted.exact):
        return SATISFIED
    return Answer("violated", (*view.sources(shipped, asked), *view.sources(built, images)))


def _stated(case: Case, view: View) -> Answer:
    shipped, origin, run = case.topic("promotion", "dep_"), case.topic("provenance", "dep_"), case.topic("run", "ci_")
    asked, runs = view.records(shipped, PromotionRecord), view.records(run, RunRecord)
    statements = view.records(origin, ProvenanceRecord)
    missing = [topic for topic, found in ((shipped, asked), (run, runs), (origin, statements)) if not found]
    if missing:
        return unknown(*missing)
    named = {digest for _, digest in asked[0].manifests} <= set(statements[0].digests)
    if named and statements[0].commit == runs[0].head == asked[0].sha:
        return SATISFIED
    return Answer(
        "violated", (*view.sources(shipped, asked), *view.sources(origin, statements), *view.sources(run, runs))
    )


FAMILY = RuleFamily(
    name="artefact_identity",
    summary="What is shipped is, digest by digest, what the named run tested.",
    judge=judge,
    params=Identity,
)
