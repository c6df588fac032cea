"""The environment variables of a run; a blank one counts as unset."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.rollouts.choosing import first_set

API_BASE_URL = "https://router.huggingface.co/v1"
MODEL_NAME = "meta-llama/Llama-3.1-8B-Instruct"
FALLBACK = "fallback"
"""What stands for the model's name where none was asked for."""


class InferenceSettings(BaseModel):
    """Which model plays."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = API_BASE_URL
    """API_BASE_URL: what `/chat/completions` is appended to."""
    model: str = MODEL_NAME
    """MODEL_NAME."""
    api_key: str = ""
    """API_KEY, else HF_TOKEN."""
    model_mode: bool = False
    """Whether any of these variables is set: a model was asked for, and a run without one is degraded."""

    @property
    def label(self) -> str:
        """The model's name in the lines of the contract."""
        return self.model if self.model_mode else FALLBACK


def read_settings(environment: Mapping[str, str]) -> InferenceSettings:
    """Return the settings of an environment."""
    base_url, model = first_set(environment, "API_BASE_URL"), first_set(environment, "MODEL_NAME")
    api_key = first_set(environment, "API_KEY", "HF_TOKEN")
    return InferenceSettings(
        base_url=base_url or API_BASE_URL,
        model=model or MODEL_NAME,
        api_key=api_key,
        model_mode=bool(base_url or model or api_key),
    )
