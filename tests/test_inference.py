"""The inference runner's standard output, to the byte: with a model, without one, and where something fails."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from io import StringIO

import httpx
import pytest
import respx

from releaseops_mcp.agents.scripted.classic_canary_policies import cautious_decision
from releaseops_mcp.inference.run import play_tasks, run
from releaseops_mcp.inference.settings import API_BASE_URL, MODEL_NAME, InferenceSettings, read_settings
from releaseops_mcp.rollouts.base import Moment
from releaseops_mcp.rollouts.in_process import InProcess
from tests.client.relay import serving
from tests.live import judged, server  # noqa: F401 - a fixture
from tests.standins import LIFE, Docker

TASKS = ("easy", "medium", "hard", "expert", "recovery", "silent")
ENDPOINT = "http://model.test/v1"
MODEL = {"API_BASE_URL": ENDPOINT, "MODEL_NAME": "some/model", "API_KEY": "k"}
DECISION = {
    "action_type": "rollback",
    "reasoning": "  Rolled   back\nto be safe.",
    "slo_breach_detected": True,
    "state_assessment": "breach",
}


def expected(model="fallback", *, error="null", success="true"):
    """Return the lines of a run in which the cautious policy decides, computed from the suite."""
    lines = []
    for task in TASKS:
        lines.append(f"[START] task={task} env=canary-release-env model={model}")
        rewards = []
        for step, (decision, came) in enumerate(judged(task, cautious_decision), 1):
            rewards.append(round(came.earned.reward, 2))
            action, done = decision["action_type"], "true" if came.done else "false"
            lines.append(f"[STEP] step={step} action={action} reward={rewards[-1]:.2f} done={done} error={error}")
        listed = ",".join(f"{reward:.2f}" for reward in rewards)
        score = sum(rewards) / len(rewards)
        lines.append(f"[END] success={success} steps={len(rewards)} score={score:.4f} rewards={listed}")
    return "\n".join(lines) + "\n"


def ran(*arguments, environment=None):
    stdout, stderr = StringIO(), StringIO()
    results = run(arguments, environment or {}, stdout, stderr)
    assert [result.task_id for result in results] == list(TASKS)
    return stdout.getvalue(), stderr.getvalue(), results


def played(target, settings=None):
    stdout, stderr = StringIO(), StringIO()
    results = play_tasks(target, settings or InferenceSettings(), stdout, stderr)
    return stdout.getvalue(), stderr.getvalue(), results


def answer(content):
    return httpx.Response(200, json={"id": "x", "choices": [{"index": 0, "message": {"content": content}}]})


@contextmanager
def endpoint(*answers):
    """Answer chat calls with these, the last one for ever; yield the route."""
    left = list(answers)
    with respx.mock:
        route = respx.post(f"{ENDPOINT}/chat/completions")
        route.side_effect = lambda request: left.pop(0) if len(left) > 1 else left[0]
        yield route


class Failing(InProcess):
    """A target whose environments fail in one method, from its nth call on."""

    def __init__(self, method, error, after=0):
        self.method, self.error, self.after = method, error, after

    def enter(self):
        if self.method == "runner_enter":
            raise self.error
        return FailingEnvironment(super().enter(), self)


class FailingEnvironment:
    def __init__(self, inner, how):
        self.inner, self.how, self.calls = inner, how, 0

    def _fail(self, method):
        if method == self.how.method:
            self.calls += 1
            if self.calls > self.how.after:
                raise self.how.error

    def reset(self, task, seed):
        self._fail("reset")
        return self.inner.reset(task, seed)

    def step(self, decision):
        self._fail("step")
        return self.inner.step(decision)

    def close(self):
        self._fail("close")
        self.inner.close()


# Without a model


def test_without_a_model_the_fallback_plays_in_process():
    stdout, stderr, results = ran()
    assert (stdout, stderr) == (expected(), "")
    assert [result.outcome for result in results] == ["rollback"] * 4 + ["success", "rollback"]
    assert not any(result.degraded or result.attempted_model_call for result in results)


def test_the_lines_are_the_same_over_a_websocket_and_unknown_flags_are_ignored(server):  # noqa: F811
    assert ran("--env-url", server, "--verbose", "7")[:2] == (expected(), "")


def test_an_env_url_without_a_value_is_no_url():
    assert ran("--env-url")[0] == expected()


@pytest.mark.parametrize("variable", ["LOCAL_IMAGE_NAME", "IMAGE_NAME"])
def test_the_lines_are_the_same_in_a_container(tmp_path, server, variable):  # noqa: F811
    docker = Docker(tmp_path, server)
    assert ran(environment=docker.environment | {variable: "canary:latest"})[:2] == (expected(), "")
    assert docker.calls == LIFE


def test_a_container_that_cannot_be_removed_is_a_line_on_standard_error(tmp_path, server):  # noqa: F811
    docker = Docker(tmp_path, server, failing=("rm",))
    stdout, stderr, _ = ran(environment=docker.environment | {"IMAGE_NAME": "canary"})
    assert stdout == expected()
    assert stderr == "close_error=unreachable: docker rm: docker: no such image\n"


def test_the_module_exits_with_0_and_prints_the_same():
    variables = ("API_BASE_URL", "MODEL_NAME", "API_KEY", "HF_TOKEN", "LOCAL_IMAGE_NAME", "IMAGE_NAME")
    environment = {**os.environ, **dict.fromkeys(variables, " ")}
    command = [sys.executable, "-m", "releaseops_mcp.inference", "--env-url"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected(), "")


# A failing environment


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (RuntimeError("two\nlines"), "RuntimeError: two lines"),
        (TimeoutError(), "{method}_timeout"),
        (ConnectionError("gone"), "ConnectionError: gone"),
    ],
)
@pytest.mark.parametrize("method", ["runner_enter", "reset"])
def test_an_environment_that_does_not_begin_makes_no_step(method, error, text):
    stdout, stderr, results = played(Failing(method, error))
    text = text.format(method=method)
    assert stdout == "".join(
        f"[START] task={task} env=canary-release-env model=fallback\n"
        "[END] success=false steps=0 score=0.0001 rewards=\n"
        for task in TASKS
    )
    assert stderr == "".join(f"task={task} env_error={text}\n" for task in TASKS)
    assert {(result.outcome, result.steps, result.score) for result in results} == {("error", 0, 0.0001)}


def test_a_failed_step_is_shown_and_ends_the_task():
    stdout, stderr, results = played(Failing("step", TimeoutError(), after=1))
    assert stdout.splitlines()[:4] == [
        "[START] task=easy env=canary-release-env model=fallback",
        "[STEP] step=1 action=increase_10 reward=0.97 done=false error=null",
        "[STEP] step=2 action=increase_10 reward=0.00 done=true error=step_timeout",
        "[END] success=false steps=2 score=0.4850 rewards=0.97,0.00",
    ]
    assert stderr.splitlines()[0] == "task=easy env_error=step_timeout"
    assert results[0].outcome == "error"


def test_an_environment_that_does_not_close_is_a_line_on_standard_error_and_still_a_success():
    stdout, stderr, results = played(Failing("close", TimeoutError()))
    assert stdout == expected()
    assert stderr == "close_error=close_timeout\n" * 6
    assert all(result.success for result in results)


def test_a_server_out_of_reach_is_said_in_every_task():
    stdout, stderr, _ = ran("--env-url", "no url")
    assert stdout.count("[END] success=false steps=0 score=0.0001 rewards=\n") == 6
    assert stderr.count("env_error=invalid_argument: 'no url' is no http or https URL") == 6


@pytest.mark.parametrize(("reward", "score"), [(0.0, "0.0001"), (1.0, "0.9999")])
def test_a_score_lies_strictly_between_0_and_1(reward, score):
    class Flat(InProcess):
        def enter(self):
            environment = super().enter()
            step = environment.step
            environment.step = lambda decision: Moment(step(decision).observation, reward, True)
            return environment

    assert played(Flat())[0].count(f"score={score} rewards={reward:.2f}\n") == 6


# With a model


def test_a_model_that_answers_decides_everything():
    with endpoint(answer("ready"), answer(json.dumps(DECISION))) as route:
        stdout, stderr, results = ran(environment=MODEL)
    assert stdout.splitlines()[:3] == [
        "[START] task=easy env=canary-release-env model=some/model",
        "[STEP] step=1 action=rollback reward=0.05 done=true error=null",
        "[END] success=true steps=1 score=0.0500 rewards=0.05",
    ]
    assert stderr == ""
    assert all(result.success and result.attempted_model_call for result in results)
    probe, *calls = (json.loads(call.request.content) for call in route.calls)
    assert (probe["max_tokens"], probe["model"]) == (5, "some/model")
    assert len(calls) == 6
    assert (calls[0]["temperature"], calls[0]["model"], "max_tokens" in calls[0]) == (0, "some/model", False)
    assert [message["role"] for message in calls[0]["messages"]] == ["system", "user"]
    shown = calls[0]["messages"][1]["content"]
    assert len(json.loads(shown)) == 13
    assert " " not in shown
    assert {call.request.headers["Authorization"] for call in route.calls} == {"Bearer k"}


def test_a_call_waits_longer_than_the_probe():
    with endpoint(answer("ready"), answer(json.dumps(DECISION))) as route:
        ran(environment=MODEL)
    probe, call = (route.calls[index].request.extensions["timeout"]["read"] for index in (0, 1))
    assert (probe, call) == (15.0, 45.0)


def test_a_model_that_fails_leaves_the_decision_to_the_fallback_and_the_run_degraded():
    with endpoint(answer("ready"), httpx.Response(500, text="out of\nmemory " * 40)):
        stdout, stderr, results = ran(environment=MODEL)
    error = f"model_call_failed:{'POST /chat/completions: status 500: ' + 'out of memory ' * 40}"
    assert stdout == expected("some/model", error=error[: len("model_call_failed:") + 120], success="false")
    assert stderr == ""
    assert all(result.degraded and result.attempted_model_call for result in results)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no JSON at all", "the answer holds no JSON object"),
        ("[]", "the answer is JSON but no object"),
        ("{broken}", "the answer is not JSON: Expecting property name"),
        ("[" * 100_000, "the answer holds no JSON object"),
        (json.dumps(DECISION | {"action_type": "jump"}), "action_type is not one of increase_5, increase_10"),
        (json.dumps(DECISION | {"state_assessment": ["breach"]}), "state_assessment is not one of healthy"),
        (json.dumps(DECISION | {"slo_breach_detected": "true"}), "slo_breach_detected is not a boolean"),
        *(
            (json.dumps({key: value for key, value in DECISION.items() if key != field}), f"{field} is not")
            for field in ("action_type", "state_assessment", "slo_breach_detected")
        ),
        (None, "the answer is no Completion: choices.0.message.content"),
    ],
)
def test_a_malformed_answer_counts_as_a_failed_call(content, message):
    with endpoint(answer("ready"), answer(content)):
        stdout, _, results = ran(environment=MODEL)
    assert stdout.splitlines()[1].partition("error=")[2].startswith(f"model_call_failed:{message}")
    assert stdout.count("success=false") == 6
    assert all(result.degraded for result in results)


@pytest.mark.parametrize(
    ("content", "reasoning"),
    [
        (f"Sure! {json.dumps(DECISION)} Hope this helps.", "Rolled back to be safe."),
        (f"```json\n{json.dumps(DECISION, indent=1)}\n```", "Rolled back to be safe."),
        (json.dumps(DECISION | {"reasoning": "x" * 500, "confidence": 1}), "x" * 280),
        (json.dumps(DECISION | {"reasoning": "too   short"}), "The metrics are sound: promote at the usual pace."),
        (json.dumps(DECISION | {"reasoning": None}), "The metrics are sound: promote at the usual pace."),
    ],
)
def test_an_answer_is_read_generously_where_nothing_is_scored(content, reasoning):
    said = []

    class Listening(InProcess):
        def enter(self):
            environment = super().enter()
            step = environment.step
            environment.step = lambda decision: said.append(decision) or step(decision)
            return environment

    settings = InferenceSettings(base_url=ENDPOINT, api_key="k", model_mode=True)
    with endpoint(answer("ready"), answer(content)):
        stdout, _, _ = played(Listening(), settings)
    assert stdout.count("success=true") == 6
    assert said[0] == DECISION | {"reasoning": reasoning}


def test_without_credentials_the_fallback_plays_and_success_is_denied():
    stdout, stderr, results = ran(environment={"API_BASE_URL": ENDPOINT})
    assert stdout == expected("meta-llama/Llama-3.1-8B-Instruct", success="false")
    assert stderr == "proxy_error=missing_proxy_credentials\n"
    assert all(result.degraded and not result.attempted_model_call for result in results)


@pytest.mark.parametrize("broken", [{"API_BASE_URL": "model.test"}, {"API_KEY": "schlüssel"}])
def test_a_client_that_cannot_be_set_up_leaves_the_fallback_and_success_is_denied(broken):
    stdout, stderr, _ = ran(environment=MODEL | broken)
    assert stdout == expected("some/model", success="false")
    assert stderr.startswith("proxy_error=client_init_failed:")
    assert stderr.count("\n") == 1


def test_a_failed_probe_denies_success_even_where_the_model_answers_later():
    with endpoint(httpx.Response(401, text="who?"), answer(json.dumps(DECISION))):
        stdout, stderr, results = ran(environment=MODEL)
    assert stdout.splitlines()[1:3] == [
        "[STEP] step=1 action=rollback reward=0.05 done=true error=null",
        "[END] success=false steps=1 score=0.0500 rewards=0.05",
    ]
    assert stderr == "proxy_error=probe_failed:POST /chat/completions: status 401: who?\n"
    assert all(result.degraded for result in results)


def test_the_probe_comes_first_even_where_no_task_begins():
    settings = InferenceSettings(base_url=ENDPOINT, api_key="k", model_mode=True)
    with endpoint(answer("ready")) as route:
        stdout, stderr, results = played(Failing("reset", TimeoutError()), settings)
    assert route.call_count == 1
    assert stdout.count("[END] success=false steps=0 score=0.0001 rewards=\n") == 6
    assert stderr.splitlines()[-1] == "proxy_error=no_model_call_attempted"
    assert all(result.degraded for result in results)


@pytest.mark.parametrize(
    ("environment", "model", "key", "url", "label"),
    [
        ({}, "meta-llama/Llama-3.1-8B-Instruct", "", "https://router.huggingface.co/v1", "fallback"),
        ({"MODEL_NAME": " "}, "meta-llama/Llama-3.1-8B-Instruct", "", "https://router.huggingface.co/v1", "fallback"),
        ({"MODEL_NAME": " m "}, "m", "", "https://router.huggingface.co/v1", "m"),
        ({"HF_TOKEN": "hf", "API_BASE_URL": "http://x"}, None, "hf", "http://x", None),
        ({"HF_TOKEN": "hf", "API_KEY": "own"}, None, "own", None, None),
        ({"HF_TOKEN": "hf", "API_KEY": " "}, None, "hf", None, None),
    ],
)
def test_variables_have_their_defaults_and_precedence(environment, model, key, url, label):
    settings = read_settings(environment)
    assert (settings.model, settings.api_key) == (model or MODEL_NAME, key)
    assert (settings.base_url, settings.label) == (url or API_BASE_URL, label or MODEL_NAME)


def test_a_real_endpoint_plays_over_a_real_websocket(server):  # noqa: F811
    asked = []

    class Endpoint(BaseHTTPRequestHandler):
        """Plays the cautious policy, in prose and JSON."""

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers["Authorization"]))
            said = body["messages"][-1]["content"]
            content = json.dumps(cautious_decision(json.loads(said))) if said.startswith("{") else "ready"
            self.send_response(200)
            self.end_headers()
            choice = {"message": {"role": "assistant", "content": f"My decision: {content}"}}
            self.wfile.write(json.dumps({"choices": [choice]}).encode())

        def log_message(self, *_):
            """Say nothing."""

    with serving(Endpoint) as url:
        stdout, stderr, _ = ran("--env-url", server, environment=MODEL | {"API_BASE_URL": f"{url}/v1"})
    assert (stdout, stderr) == (expected("some/model"), "")
    assert set(asked) == {("/v1/chat/completions", "Bearer k")}
    assert len(asked) == 1 + stdout.count("[STEP]")
