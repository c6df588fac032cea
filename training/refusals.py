"""Why a training run is refused or stopped."""

from releaseops_mcp.errors import InvalidArgument


class TrainingRefused(InvalidArgument):
    """The run cannot teach anything, or the data may not be used for it: the message says why and what to do."""
