"""Builds the model's client and probes it, before the first task."""

from collections.abc import Callable
from dataclasses import dataclass

from releaseops_mcp.client.errors import ClientError
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.inference.chat import ChatModel
from releaseops_mcp.inference.settings import InferenceSettings

MISSING_CREDENTIALS = "missing_proxy_credentials"

Connect = Callable[[InferenceSettings], ChatModel]


@dataclass(frozen=True, slots=True)
class Startup:
    """What a run begins with."""

    model: ChatModel | None
    """None where no model was asked for, or none could be set up."""
    error: str | None
    """Why a model that was asked for cannot be relied on."""


def start(settings: InferenceSettings, connect: Connect = ChatModel) -> Startup:
    """Return the model, probed; a model that fails its probe is still asked at every step."""
    if not settings.model_mode:
        return Startup(None, None)
    if not settings.api_key:
        return Startup(None, MISSING_CREDENTIALS)
    try:
        model = connect(settings)
    except ReleaseOpsError as error:
        return Startup(None, f"client_init_failed:{error.message}")
    try:
        model.probe()
    except ClientError as error:
        return Startup(model, f"probe_failed:{error.message}")
    return Startup(model, None)
