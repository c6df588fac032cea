"""The factories behind the schemes `openai:NAME` and `hf:PATH`."""

from pathlib import Path

from graphs.agents.policy import Mind
from graphs.agents.prompts import read_prompt
from graphs.models import chat_model
from graphs.models.prices import read_prices
from graphs.models.settings import read_model_settings
from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.events import CaptureLevel

MAX_SEED = 2**31


def openai(rest: str, suite: str) -> Supervisor:
    """Return the supervisor `openai:NAME`: a model at the endpoint that the environment names.

    A seed is sent only where a temperature is set: not every endpoint takes one.
    """
    settings = read_model_settings()
    prompt = read_prompt("supervisor")
    mind = Mind(
        name=rest,
        model=chat_model(f"openai:{rest}", settings),
        prompt=prompt,
        prices=read_prices(settings.prices),
        facts={"policy_version": prompt.label, "template_hash": prompt.hash},
        binding=lambda seed: {} if settings.temperature is None else {"seed": seed % MAX_SEED},
    )
    return _seated(f"openai:{rest}", suite, mind, "messages", "A model at an OpenAI-compatible endpoint.")


def hf(rest: str, suite: str) -> Supervisor:
    """Return the supervisor `hf:PATH`: transformers weights in a folder of this machine, played token for token."""
    settings = read_model_settings()
    mind = Mind(
        name=Path(rest).name,
        model=chat_model(f"hf:{rest}", settings),
        prompt=read_prompt("supervisor"),
        prices=read_prices(settings.prices),
        facts={},
        binding=lambda seed: {"seed": seed % MAX_SEED},
    )
    return _seated(f"hf:{rest}", suite, mind, "tokens", "Local transformers weights.")


def _seated(name: str, suite: str, mind: Mind, capture: CaptureLevel, summary: str) -> Supervisor:
    played = suites().get(suite)
    if played is None:
        raise InvalidArgument(f"no suite {ascii(suite)[:60]}: the suites are {', '.join(suites())}")
    return Supervisor(name, suite, lambda brief: mind.play(played, brief), False, summary, model=name, capture=capture)
