"""The subjects that the files of this folder declare."""

from functools import cache

from releaseops_mcp.world.precedents import subjects as folder
from releaseops_mcp.world.precedents.subjects.base import Subject
from releaseops_mcp.world.registry import declared


@cache
def subjects() -> dict[str, Subject]:
    """Return the subjects by name."""
    return declared(folder, "SUBJECT", Subject)


def subject_of(family: str) -> Subject | None:
    """Return the subject whose facts decide a family, or None."""
    return next((subject for subject in subjects().values() if family in subject.families), None)
