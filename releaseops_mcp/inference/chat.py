"""An OpenAI-compatible endpoint: one call, one text."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from releaseops_mcp.client.flow import Json, Request, run
from releaseops_mcp.client.http import Place, SyncHttp, ask, server_url
from releaseops_mcp.client.reading import parsed
from releaseops_mcp.client.retries import Retries
from releaseops_mcp.inference.settings import InferenceSettings

CALL_TIMEOUT_S = 45.0
PROBE_TIMEOUT_S = 15.0
PROBE_MAX_TOKENS = 5
_PATH = "/chat/completions"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Message(_Part):
    """What the model said."""

    content: str


class Choice(_Part):
    """One of its answers; the first is taken."""

    message: Message


class Completion(_Part):
    """An endpoint's answer, as far as it is read."""

    choices: list[Choice] = Field(min_length=1)


class ChatModel:
    """A model at an endpoint. Its methods raise ClientError.

    A call is made again only where it was certainly not taken up (no connection, or a 429).
    """

    def __init__(self, settings: InferenceSettings, retries: Retries | None = None) -> None:
        """Raises InvalidArgument for a base URL or a key that cannot be used."""
        url = server_url(settings.base_url)
        self._model = settings.model
        self._retries = retries or Retries()
        self._calls = SyncHttp(Place(url, settings.api_key, CALL_TIMEOUT_S))
        self._probe = SyncHttp(Place(url, settings.api_key, PROBE_TIMEOUT_S))

    def complete(self, system: str, user: str) -> str:
        """Return the model's answer at temperature 0."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return self._call(self._calls, {"messages": messages, "temperature": 0})

    def probe(self) -> None:
        """Make one short call, to know before the tasks whether the endpoint answers."""
        messages = [{"role": "user", "content": "Answer with the word ready."}]
        self._call(self._probe, {"messages": messages, "temperature": 0, "max_tokens": PROBE_MAX_TOKENS})

    def close(self) -> None:
        """Close the connections."""
        self._calls.close()
        self._probe.close()

    def _call(self, http: SyncHttp, body: dict[str, Any]) -> str:
        request = Request("POST", _PATH, {"model": self._model, **body})
        answer: Json = run(ask(request, self._retries, safe=False), http.perform)
        return parsed(Completion, answer).choices[0].message.content
