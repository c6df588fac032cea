"""When a call is made again, told without any server: the flow is fed by hand."""

import pytest

from releaseops_mcp.client.errors import (
    CallRefused,
    ClientError,
    ConnectionLost,
    MalformedAnswer,
    ServerFault,
    ServerTimeout,
    TooManyRequests,
    Unreachable,
    declined,
)
from releaseops_mcp.client.flow import Pause, Request
from releaseops_mcp.client.http import ask
from releaseops_mcp.client.retries import Retries
from releaseops_mcp.errors import ReleaseOpsError

UNAPPLIED = (Unreachable("no"), TooManyRequests("later", 429))
UNKNOWN_FATE = (ServerTimeout("late"), ConnectionLost("gone"), MalformedAnswer("what"), ServerFault("ours", 503))
REQUEST = Request("POST", "/step", {"tool": "hold_release"})


@pytest.mark.parametrize("fault", UNAPPLIED, ids=lambda fault: fault.code)
@pytest.mark.parametrize("safe", [True, False])
def test_what_was_certainly_not_applied_is_always_sent_again(fault, safe):
    assert Retries().wait_s(1, fault, safe=safe) is not None


@pytest.mark.parametrize("fault", UNKNOWN_FATE, ids=lambda fault: fault.code)
def test_what_may_have_been_applied_is_sent_again_only_where_it_is_applied_once_anyhow(fault):
    assert Retries().wait_s(1, fault, safe=True) is not None
    assert Retries().wait_s(1, fault, safe=False) is None


def test_a_refusal_is_never_sent_again():
    assert Retries().wait_s(1, CallRefused("no such tool", 400), safe=True) is None


def test_the_wait_doubles_and_the_last_attempt_stands():
    retries = Retries(attempts=4, first_wait_s=0.5)
    waits = [retries.wait_s(attempt, UNAPPLIED[0], safe=False) for attempt in (1, 2, 3, 4)]
    assert waits == [0.5, 1.0, 2.0, None]


def test_a_servers_retry_after_takes_precedence_unless_it_is_too_long():
    assert Retries().wait_s(1, TooManyRequests("later", 429, 7.0), safe=False) == 7.0
    assert Retries(longest_wait_s=5.0).wait_s(1, TooManyRequests("later", 429, 7.0), safe=False) is None


def test_a_flow_sends_waits_and_sends_the_same_again():
    flow = ask(REQUEST, Retries(), safe=True)
    assert next(flow) == REQUEST
    assert flow.throw(TooManyRequests("later", 429, 3.0)) == Pause(3.0)
    assert flow.send(None) == REQUEST
    with pytest.raises(StopIteration) as end:
        flow.send({"done": False})
    assert end.value.value == {"done": False}


def test_a_flow_gives_up_with_the_last_fault():
    flow = ask(REQUEST, Retries(attempts=1), safe=True)
    next(flow)
    with pytest.raises(ServerTimeout, match="late"):
        flow.throw(UNKNOWN_FATE[0])


@pytest.mark.parametrize(
    ("status", "error"),
    [(400, CallRefused), (404, CallRefused), (302, CallRefused), (429, TooManyRequests), (500, ServerFault)],
)
def test_a_status_has_its_error(status, error):
    assert type(declined("no", status)) is error


def test_every_client_error_hangs_under_the_tree_and_has_its_own_code():
    def below(kind):
        return [kind, *(found for sub in kind.__subclasses__() for found in below(sub))]

    kinds = below(ClientError)
    assert issubclass(ClientError, ReleaseOpsError)
    assert len({kind.own_code for kind in kinds}) == len(kinds)
    assert Unreachable("nobody there").text == "unreachable: nobody there"
