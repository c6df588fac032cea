"""Which target a command line and an environment name."""

from collections.abc import Mapping

from releaseops_mcp.rollouts.base import Target
from releaseops_mcp.rollouts.container import Container
from releaseops_mcp.rollouts.in_process import InProcess
from releaseops_mcp.rollouts.remote import AtUrl

IMAGE_VARIABLES = ("LOCAL_IMAGE_NAME", "IMAGE_NAME")
TOKEN_VARIABLES = ("RELEASEOPS_TOKEN", "RELEASEOPS_GRADER_TOKEN")
"""The bearer token that a server may ask for."""


def first_set(environment: Mapping[str, str], *names: str) -> str:
    """Return the first of the named variables that is not blank, trimmed, or an empty text."""
    return next(filter(None, (environment.get(name, "").strip() for name in names)), "")


def choose_target(url: str | None, environment: Mapping[str, str]) -> Target:
    """Return the server at `url`, else the image that LOCAL_IMAGE_NAME or IMAGE_NAME names, else this process."""
    if url:
        return AtUrl(url, first_set(environment, *TOKEN_VARIABLES) or None)
    image = first_set(environment, *IMAGE_VARIABLES)
    return Container(image, environment) if image else InProcess()
