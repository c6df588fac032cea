"""How patient we are with an endpoint: what is asked for again, after how long, and what then stands."""

import asyncio

import httpx
import pytest

pytest.importorskip("langchain_openai", reason="needs langchain-openai")

from graphs.models.transport import AsyncPatientTransport, PatientTransport
from releaseops_mcp.client.errors import ConnectionLost, MalformedAnswer, ServerTimeout, Unreachable
from releaseops_mcp.client.retries import Retries
from tests.graphs.models.completions import PATH, URL, answer, call

RETRIES = Retries(attempts=3, first_wait_s=1.0, longest_wait_s=60.0)
GOOD = answer(call("observe", {}))
EMPTY = answer(text="")


class Scripted(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Answers, or raises, one after the other."""

    def __init__(self, *script: httpx.Response | Exception) -> None:
        self.left = list(script)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        came = self.left.pop(0)
        if isinstance(came, Exception):
            raise came
        return httpx.Response(came.status_code, headers=came.headers, content=came.content)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.handle_request(request)


def post(*script: httpx.Response | Exception) -> tuple[httpx.Response, list[float]]:
    """Send one request; return what came of it, with the waits."""
    waits: list[float] = []
    with httpx.Client(transport=PatientTransport(Scripted(*script), RETRIES, waits.append)) as client:
        return client.post(URL + PATH, json={}), waits


def post_async(*script: httpx.Response | Exception) -> tuple[httpx.Response, list[float]]:
    """Send one request in an event loop."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def send() -> httpx.Response:
        async with httpx.AsyncClient(transport=AsyncPatientTransport(Scripted(*script), RETRIES, sleep)) as client:
            return await client.post(URL + PATH, json={})

    return asyncio.run(send()), waits


BOTH = pytest.mark.parametrize("send", [post, post_async], ids=["sync", "async"])
CUT = httpx.Response(200, content=GOOD.content[:40])


@BOTH
@pytest.mark.parametrize(
    "fault",
    [
        httpx.Response(429),
        httpx.Response(500),
        httpx.Response(503, text="busy"),
        httpx.ReadTimeout("slow"),
        httpx.ConnectError("refused"),
        httpx.RemoteProtocolError("closed"),
        CUT,
        EMPTY,
        httpx.Response(200, json={"error": {"message": "overloaded"}}),
        httpx.Response(200, json={"choices": [{"message": {"tool_calls": [{"function": {"name": "x"}}]}}]}),
    ],
    ids=lambda fault: str(getattr(fault, "status_code", "") or type(fault).__name__),
)
def test_a_fault_of_the_endpoint_is_asked_for_again_with_growing_waits(send, fault):
    response, waits = send(fault, fault, GOOD)

    assert response.json() == GOOD.json()
    assert waits == [1.0, 2.0]


@BOTH
def test_the_endpoint_says_for_how_long_to_wait(send):
    _, waits = send(httpx.Response(429, headers={"Retry-After": "7"}), GOOD)

    assert waits == [7.0]


@BOTH
def test_who_wants_to_be_left_alone_for_too_long_is_not_asked_again(send):
    response, waits = send(httpx.Response(429, headers={"Retry-After": "3600"}, text="come back"))

    assert (response.status_code, response.text, waits) == (429, "come back", [])


@BOTH
def test_a_refusal_that_stands_comes_back_with_its_text(send):
    response, waits = send(*[httpx.Response(502, text="bad gateway")] * 3)

    assert (response.status_code, response.text, waits) == (502, "bad gateway", [1.0, 2.0])


@BOTH
@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_call_that_must_change_first_is_made_once(send, status):
    response, waits = send(httpx.Response(status))

    assert (response.status_code, waits) == (status, [])


@BOTH
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (CUT, MalformedAnswer),
        (EMPTY, MalformedAnswer),
        (httpx.ReadTimeout("slow"), ServerTimeout),
        (httpx.ConnectError("refused"), Unreachable),
        (httpx.RemoteProtocolError("closed"), ConnectionLost),
    ],
)
def test_any_other_fault_that_stands_is_raised(send, fault, error):
    with pytest.raises(error):
        send(*[fault] * 3)


@BOTH
def test_an_answer_that_was_cut_at_its_length_is_the_models_own(send):
    _, waits = send(answer(text="", finish="length"))

    assert waits == []


@BOTH
def test_a_stream_passes_unread(send):
    response, waits = send(httpx.Response(200, headers={"Content-Type": "text/event-stream"}, text="data: {"))

    assert (response.text, waits) == ("data: {", [])
