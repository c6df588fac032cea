"""A model at an OpenAI-compatible endpoint: what is sent, and what is made of the answer."""

import pytest

pytest.importorskip("langchain_openai", reason="needs langchain-openai")

import httpx
import respx
from langchain_core.messages import AIMessage, HumanMessage

from graphs.models import chat_model
from graphs.models.calls import RawCall, calls_of
from graphs.models.settings import ModelSettings, read_model_settings
from releaseops_mcp.errors import InvalidArgument
from tests.graphs.models.completions import PATH, URL, answer, call, completion, scripted_endpoint

SETTINGS = ModelSettings(url=URL, key="k", attempts=1)


def asked(*responses: httpx.Response) -> AIMessage:
    with respx.mock:
        respx.post(URL + PATH).mock(side_effect=list(responses))
        return chat_model("openai:m-1", SETTINGS).invoke([HumanMessage("go")])


def test_a_real_endpoint_is_asked_with_name_key_and_settings():
    with scripted_endpoint([completion(call("observe", {}))]) as (url, requests):
        settings = ModelSettings(url=url, key="secret", temperature=0.5, max_tokens=64)
        message = chat_model("openai:some/model", settings).invoke([HumanMessage("go")])

    assert calls_of(message) == [RawCall("call_a", "observe", {})]
    [request] = requests
    assert (request["path"], request["authorization"]) == ("/v1/chat/completions", "Bearer secret")
    assert (request["model"], request["temperature"], request["max_completion_tokens"]) == ("some/model", 0.5, 64)


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_the_same_model_serves_an_event_loop(anyio_backend):
    with respx.mock:
        respx.post(URL + PATH).mock(return_value=answer(text="ready"))
        message = await chat_model("openai:m-1", SETTINGS).ainvoke([HumanMessage("go")])

    assert message.text == "ready"


def test_usage_is_told_and_unknown_where_the_endpoint_is_silent():
    told, silent = asked(answer(text="a")), asked(answer(text="a", usage=None))

    assert told.usage_metadata is not None
    assert (told.usage_metadata["input_tokens"], told.usage_metadata["output_tokens"]) == (120, 8)
    assert silent.usage_metadata is None


@pytest.mark.parametrize("arguments", ['{"cut', "[1]", '"text"', "null", ""])
def test_arguments_that_are_no_object_are_kept_as_they_came(arguments):
    assert calls_of(asked(answer(call("observe", arguments)))) == [
        RawCall("call_a", "observe", {"unparsable_arguments": arguments})
    ]


def test_calls_keep_their_order_and_get_ids_of_their_own():
    made = [call("a", "{", None), call("b", {}, "x"), call("c", "[]", "x"), call("d", {}, None)]

    calls = calls_of(asked(answer(*made)))

    assert [entry.name for entry in calls] == ["a", "b", "c", "d"]
    assert len({entry.id for entry in calls}) == 4


def test_settings_come_from_our_variables_before_the_openai_clients():
    theirs = {"OPENAI_BASE_URL": "http://theirs.test", "OPENAI_API_KEY": "theirs"}
    ours = {"RELEASEOPS_MODEL_URL": "http://ours.test", "RELEASEOPS_MODEL_KEY": "ours"}

    assert read_model_settings(theirs) == ModelSettings(url="http://theirs.test", key="theirs")
    assert read_model_settings(theirs | ours) == ModelSettings(url="http://ours.test", key="ours")
    assert "'ours'" not in repr(read_model_settings(ours))


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("gpt", {}, "no model 'gpt'"),
        ("openai:", {}, "no model 'openai:'"),
        ("openai:m", {"url": "model.test"}, "RELEASEOPS_MODEL_URL"),
        ("openai:m", {"key": "a\nb"}, "RELEASEOPS_MODEL_KEY"),
    ],
)
def test_what_makes_no_sense_is_refused(name, settings, said):
    with pytest.raises(InvalidArgument, match=said):
        chat_model(name, ModelSettings(**settings))


def test_a_setting_that_makes_no_sense_is_refused_by_its_variable():
    with pytest.raises(InvalidArgument, match="RELEASEOPS_MODEL_ATTEMPTS"):
        read_model_settings({"RELEASEOPS_MODEL_ATTEMPTS": "0"})
