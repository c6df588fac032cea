"""What is to be shipped is not what was tested: built again, or of another origin.

Twins: the same digests; an index written anew over the same manifests.
"""

from collections.abc import Callable
from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.promotion import Promoted, artefacts, digest, promoted
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.hashing import blob_id
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.artefact_identity import Identity
from releaseops_mcp.world.templates import Template

FAMILY = "artefact_identity"
REQUEST = "promote_artifact"
Fits = Callable[[Org, Service, Template], bool]


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Let one thing of the promotion not agree with the others, or let all of it agree."""
    dep, ci = draft.refs
    made = promoted(draft, ci, draws.child("made"))
    anew, strange = digest(draws), digest(draws)
    commit = blob_id(f"{draft.service.name} {draws.integer(0, 10**9)}\n")
    place = draws.integer(0, len(made.tested.manifests) - 1)
    if variant == "rebuilt" and fault:
        made = _shipping(made, anew, place, strange)
    elif variant == "index":
        made = _shipping(made, anew, place, strange if fault else made.tested.manifests[place][1])
    elif variant == "other-commit" and fault:
        made = replace(made, origin=replace(made.origin, commit=commit))
    elif variant == "other-subject" and fault:
        made = replace(made, origin=replace(made.origin, subjects=_with(made.origin.subjects, place, strange)))
    draft.extras = artefacts(dep, made)


def _shipping(made: Promoted, index: str, place: int, manifest: str) -> Promoted:
    """Return the promotion of an image with another index, and with this digest for one of its platforms."""
    image = replace(made.tested, index=index, manifests=_with(made.tested.manifests, place, manifest))
    return replace(made, asked=replace(made.asked, image=image))


def _with(manifests: tuple[tuple[str, str], ...], place: int, manifest: str) -> tuple[tuple[str, str], ...]:
    return tuple((platform, manifest if at == place else old) for at, (platform, old) in enumerate(manifests))


def _asks(*, provenance: bool = False, index: bool = False) -> Fits:
    """Return whether an organisation looks at where an image comes from, or lets an index be written anew."""

    def fits(org: Org, service: Service, template: Template) -> bool:
        wanted = [Identity.model_validate(rule.params) for rule in bearing(org, service, FAMILY, REQUEST)]
        if provenance and not any(each.provenance for each in wanted):
            return False
        return not (index and any(each.exact for each in wanted))

    return fits


KIND = Kind(
    name="k33-other-artefact",
    group="F",
    title="What is shipped is not what was tested",
    family=FAMILY,
    request=REQUEST,
    variants=(
        Variant("other-commit", depth=2, differs=("provenance",), pages=3, fits=_asks(provenance=True)),
        Variant("rebuilt", depth=3, differs=("promotion",), pages=2),
        Variant("other-subject", depth=3, differs=("provenance",), pages=3, fits=_asks(provenance=True)),
        Variant("index", depth=4, differs=("promotion",), pages=2, fits=_asks(index=True)),
    ),
    plant=plant,
)
