"""What an organisation's rules of one family ask of a service, so that ordinary facts keep all of them."""

from typing import TypeVar

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.rules.base import Params

P = TypeVar("P", bound=Params)


def asked(draft: Draft, family: str, params: type[P]) -> list[P]:
    """Return the settings of every rule of the family that bears on the service; the usual ones where there is none."""
    found = [
        params.model_validate(rule.params)
        for rule in draft.org.rules
        if rule.family == family and (not rule.scope.services or draft.service.name in rule.scope.services)
    ]
    return found or [params()]
