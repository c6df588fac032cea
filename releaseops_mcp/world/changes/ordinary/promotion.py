"""What a promotion has: a run that built and tested an image, the deployment of that image, and where it comes from."""

import hashlib
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts import image, junit, log, promotion, provenance, run
from releaseops_mcp.world.artefacts.image import Image
from releaseops_mcp.world.artefacts.promotion import Promotion
from releaseops_mcp.world.artefacts.provenance import Provenance
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.ci.interpreter import run_workflow
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.hashing import commit_id, tree_id
from releaseops_mcp.world.state import Commit, Run

PLATFORMS = ("linux/amd64", "linux/arm64")


@dataclass(frozen=True, slots=True)
class Promoted:
    """One promotion."""

    run: Run
    tested: Image
    """What the run built and tested."""
    asked: Promotion
    """What is to be shipped."""
    origin: Provenance


def add(draft: Draft, draws: Draws) -> None:
    """Build, test and ask: all of it in order."""
    dep, ci = draft.new_id("dep"), draft.new_id("ci")
    draft.refs += [dep, ci]
    made = promoted(draft, ci, draws)
    draft.title = f"Promote {draft.service.name} {made.asked.release} to production"
    draft.extras += artefacts(dep, made)


def promoted(draft: Draft, ci: str, draws: Draws) -> Promoted:
    """Return a promotion in which everything agrees; the edit, merged some days ago, is what it brings."""
    release = f"2026.{draft.number % 50 + 1}"
    merged = draft.minute - draws.integer(2, 5) * clock.DAY
    tree = draft.template.edited(draft.edit)
    author = draft.org.people[draft.number % len(draft.org.people)].id
    sha = commit_id(tree_id(tree), (), author, clock.seconds(merged), draft.edit.title)
    commit = Commit(sha, tree, draft.edit.title, author, merged)
    result = run_workflow(tree, {}, frozenset(), tuple(place.path for place in draft.edit.replace))
    made = Image(
        name=f"registry.{draft.org.id}.example/{draft.service.name}:{release}",
        index=digest(draws),
        manifests=tuple((platform, digest(draws)) for platform in PLATFORMS),
        revision=sha,
    )
    asked = Promotion(
        draft.number + 8_000, sha, release, draft.worker, made, draft.minute - draws.integer(1, 20) * clock.HOUR
    )
    origin = Provenance(made.manifests, f"git.{draft.org.id}.example/{draft.service.name}", sha, ci)
    return Promoted(Run(ci, draft.edit.title, commit, result, merged + draws.integer(2, 9)), made, asked, origin)


def artefacts(dep: str, of: Promoted) -> list[Artefact]:
    """Return a promotion as what can be read."""
    ci = of.run.id
    return [
        Artefact(
            dep,
            promotion.FORMAT.tool,
            lambda: (*promotion.sheets(dep, of.asked), *provenance.sheets(dep, of.origin)),
        ),
        Artefact(
            ci,
            run.FORMAT.tool,
            lambda: (*run.sheets(of.run), *image.sheets(ci, of.tested), *junit.sheets(of.run), *log.sheets(of.run)),
        ),
    ]


def digest(draws: Draws) -> str:
    """Return a digest of nothing that exists."""
    return "sha256:" + hashlib.sha256(str(draws.integer(0, 2**62)).encode()).hexdigest()


ORDINARY = Ordinary(name="promotion", order=10, requests=("promote_artifact",), add=add)
