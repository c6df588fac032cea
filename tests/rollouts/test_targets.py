"""Where rollouts are played, and what happens where that fails."""

import pytest

from releaseops_mcp.client import MalformedAnswer, ServerTimeout, Unreachable
from releaseops_mcp.client.canary_models import StepResult
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.rollouts.choosing import choose_target
from releaseops_mcp.rollouts.container import Container
from releaseops_mcp.rollouts.health import wait_until_healthy
from releaseops_mcp.rollouts.in_process import InProcess, SimulatedEnvironment
from releaseops_mcp.rollouts.remote import AtUrl, RemoteEnvironment
from tests.live import server  # noqa: F401 - a fixture
from tests.standins import Docker, executable

NOBODY = "http://127.0.0.1:1"


def test_the_target_is_the_url_else_the_image_else_this_process():
    image = {"IMAGE_NAME": "canary"}
    assert type(choose_target("http://arena.test", image)) is AtUrl
    assert type(choose_target(None, image)) is Container
    assert type(choose_target("", {"IMAGE_NAME": "  "})) is InProcess


def test_in_process_a_malformed_decision_is_refused_and_a_step_needs_a_reset():
    environment = InProcess().enter()
    with pytest.raises(RuntimeError, match="call reset"):
        environment.step({})
    environment.reset("easy", 0)
    with pytest.raises(InvalidArgument, match="action_type is missing"):
        environment.step({})
    environment.close()
    assert isinstance(environment, SimulatedEnvironment)


def test_a_container_that_cannot_be_started_fails_the_same_way_every_time(tmp_path, server):  # noqa: F811
    docker = Docker(tmp_path, server, failing=("run",))
    container = Container("canary", docker.environment)
    for _ in range(2):
        with pytest.raises(Unreachable, match="docker run: docker: no such image"):
            container.enter()
    container.close()
    assert len(docker.calls) == 1


def test_a_container_whose_server_never_gets_healthy_is_a_timeout_and_removed(tmp_path):
    docker = Docker(tmp_path, NOBODY)
    container = Container("canary", docker.environment, start_s=1.0)
    with pytest.raises(ServerTimeout, match="no healthy server within 1 s"):
        container.enter()
    container.close()
    assert docker.calls[-1] == "rm --force c0ffee"


def test_without_docker_an_image_cannot_be_played(tmp_path):
    with pytest.raises(Unreachable, match="no docker here"):
        Container("canary", {"PATH": str(tmp_path)}).enter()


@pytest.mark.parametrize(("code", "error"), [("import time; time.sleep(30)", ServerTimeout), ("print()", Unreachable)])
def test_a_docker_that_hangs_or_says_nothing_is_a_typed_error(tmp_path, code, error):
    executable(tmp_path / "docker", code)
    with pytest.raises(error):
        Container("canary", {"PATH": str(tmp_path)}, start_s=1.0).enter()


def test_a_docker_that_is_no_program_is_a_typed_error(tmp_path):
    (tmp_path / "docker").write_text("no program")
    (tmp_path / "docker").chmod(0o755)
    with pytest.raises(Unreachable, match="docker run"):
        Container("canary", {"PATH": str(tmp_path)}).enter()


def test_a_server_is_waited_for_until_the_time_is_up(server):  # noqa: F811
    wait_until_healthy(server)
    ticks = iter([0.0, 1.0, 2.0, 99.0])
    with pytest.raises(ServerTimeout, match="within 30 s"):
        wait_until_healthy(NOBODY, clock=lambda: next(ticks))


def test_an_answer_without_a_reward_is_malformed():
    class Rewardless:
        def step(self, decision):
            return StepResult.model_construct(reward=None)

    with pytest.raises(MalformedAnswer, match="no reward"):
        RemoteEnvironment(Rewardless()).step({})
