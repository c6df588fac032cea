"""Makes the chat model that a name stands for."""

from collections.abc import Callable

from langchain_core.language_models import BaseChatModel

from graphs.models.settings import ModelSettings, read_model_settings
from releaseops_mcp.errors import InvalidArgument


def _openai(rest: str, settings: ModelSettings) -> BaseChatModel:
    from graphs.models.endpoint import endpoint_model  # each maker's packages are loaded only where it is used

    return endpoint_model(rest, settings)


def _hf(rest: str, settings: ModelSettings) -> BaseChatModel:
    from graphs.models.local import local_model

    return local_model(rest, settings)


MAKERS: dict[str, Callable[[str, ModelSettings], BaseChatModel]] = {"openai": _openai, "hf": _hf}
"""By the scheme of the name."""


def chat_model(name: str, settings: ModelSettings | None = None) -> BaseChatModel:
    """Return the model of a name such as `openai:NAME` or `hf:PATH`; settings come from the environment by default.

    Raises InvalidArgument for a name or a setting that makes no sense.
    """
    scheme, _, rest = name.partition(":")
    maker = MAKERS.get(scheme)
    if maker is None or not rest:
        known = " or ".join(f"{known}:..." for known in MAKERS)
        raise InvalidArgument(f"no model {ascii(name)[:80]}: write {known}")
    return maker(rest, settings or read_model_settings())
