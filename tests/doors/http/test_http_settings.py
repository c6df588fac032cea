"""The settings of the HTTP server, read from an environment."""

import pytest

from releaseops_mcp.doors.http.settings import read_http_settings
from releaseops_mcp.errors import InvalidArgument


def test_an_empty_environment_gives_a_server_for_this_machine_alone():
    chosen = read_http_settings({})

    assert (chosen.token, chosen.grader_token, chosen.reachable_as) == ("", "", ())
    assert (chosen.max_concurrent_envs, chosen.max_completed_episodes) == (64, 0)


def test_settings_come_from_prefixed_variables_and_the_originals_from_their_own():
    chosen = read_http_settings(
        {
            "RELEASEOPS_DATABASE_URL": "sqlite:///x",
            "RELEASEOPS_TOKEN": "t",
            "RELEASEOPS_MAX_WS_SESSIONS": "300",
            "MAX_CONCURRENT_ENVS": "5",
            "SPACE_HOST": "me.hf.space",
        }
    )

    assert (chosen.database_url, chosen.token, chosen.max_ws_sessions) == ("sqlite:///x", "t", 300)
    assert (chosen.max_concurrent_envs, chosen.reachable_as) == (5, ("me.hf.space",))


def test_named_hosts_stand_in_for_the_spaces():
    chosen = read_http_settings({"RELEASEOPS_ALLOWED_HOSTS": "a.org, b.org", "SPACE_HOST": "me.hf.space"})
    assert chosen.reachable_as == ("a.org", "b.org")


@pytest.mark.parametrize(("said", "kept"), [("", 0), ("5", 5), ("0", 1), ("-3", 1), ("many", 128)])
def test_completed_episodes_are_kept_as_the_original_read_the_variable(said, kept):
    assert read_http_settings({"MAX_COMPLETED_EPISODES": said}).max_completed_episodes == kept


def test_a_setting_that_cannot_be_names_its_variable():
    with pytest.raises(InvalidArgument, match="MAX_CONCURRENT_ENVS: "):
        read_http_settings({"MAX_CONCURRENT_ENVS": "none"})
    with pytest.raises(InvalidArgument, match="RELEASEOPS_MAX_BODY_BYTES: "):
        read_http_settings({"RELEASEOPS_MAX_BODY_BYTES": "1"})


def test_tokens_are_not_shown():
    assert "secret" not in repr(read_http_settings({"RELEASEOPS_TOKEN": "secret", "RELEASEOPS_GRADER_TOKEN": "secret"}))
