"""ReleaseOps Arena: train and test the AI that decides when other AIs should be trusted with a release.

The clients may be imported from here; they are loaded at first use, so that `import releaseops_mcp` stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from releaseops_mcp.client import (
        AsyncCanaryClient,
        AsyncReleaseOpsEnvClient,
        CanaryClient,
        ReleaseOpsAction,
        ReleaseOpsEnvClient,
        ReleaseOpsObservation,
    )

__version__ = "0.1.0"

__all__ = [
    "AsyncCanaryClient",
    "AsyncReleaseOpsEnvClient",
    "CanaryClient",
    "ReleaseOpsAction",
    "ReleaseOpsEnvClient",
    "ReleaseOpsObservation",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Load a client's name; raises AttributeError for any other."""
    if name in __all__:
        return getattr(import_module("releaseops_mcp.client"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
