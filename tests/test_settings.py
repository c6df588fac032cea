"""Settings are read once from the environment, and a wrong one is named."""

import os
from contextlib import closing
from pathlib import Path

import pytest
from platformdirs import user_data_path

from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.settings import Settings, add_orgs, open_arena, open_store, read_settings
from releaseops_mcp.world.orgs import loader
from tests.playing import play
from tests.sequences import GATE_SCENARIO


def test_an_empty_environment_gives_a_file_in_the_users_data_folder():
    settings = read_settings({})
    assert settings.database_url == f"sqlite:///{user_data_path('releaseops') / 'log.sqlite3'}"
    assert (settings.sqlite_synchronous, settings.idle_hours, settings.max_open_episodes) == ("NORMAL", 24.0, 0)


def test_every_setting_is_read_from_its_variable():
    settings = read_settings(
        {
            "RELEASEOPS_DATABASE_URL": "sqlite:///x.sqlite3",
            "RELEASEOPS_SQLITE_SYNCHRONOUS": "FULL",
            "RELEASEOPS_IDLE_HOURS": "0.5",
            "RELEASEOPS_MAX_OPEN_EPISODES": "64",
            "RELEASEOPS_ALLOWED_HOSTS": "one.example, two.example,",
            "RELEASEOPS_ORGS": "mine.yaml, other.yaml",
            "UNRELATED": "1",
        }
    )
    assert settings == Settings(
        database_url="sqlite:///x.sqlite3",
        sqlite_synchronous="FULL",
        idle_hours=0.5,
        max_open_episodes=64,
        allowed_hosts=("one.example", "two.example"),
        orgs=("mine.yaml", "other.yaml"),
    )


def test_an_empty_variable_is_as_good_as_none():
    assert read_settings({"RELEASEOPS_IDLE_HOURS": ""}) == read_settings({})


def test_the_process_environment_is_read_where_none_is_given(monkeypatch):
    monkeypatch.setenv("RELEASEOPS_IDLE_HOURS", "7")
    assert read_settings().idle_hours == 7


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RELEASEOPS_IDLE_HOURS", "soon"),
        ("RELEASEOPS_IDLE_HOURS", "0"),
        ("RELEASEOPS_IDLE_HOURS", "inf"),
        ("RELEASEOPS_MAX_OPEN_EPISODES", "-1"),
        ("RELEASEOPS_SQLITE_SYNCHRONOUS", "OFF"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_variable(name, value):
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        read_settings({name: value})


def test_the_settings_open_the_log_and_the_arena(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("RELEASEOPS_DATABASE_URL", f"sqlite:///{tmp_path / 'log.sqlite3'}")
    arena = open_arena()
    episode_id = play(arena, GATE_SCENARIO)
    assert episode_id.startswith("ep_")
    assert len(episode_id) == len("ep_") + 32
    arena.close()
    store = open_store()
    assert store.episode(episode_id).started_ms > 1_700_000_000_000
    store.close()


def test_an_organisation_of_ones_own_is_played_replayed_and_told_to_child_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(loader, "_installed", {})
    monkeypatch.setenv("RELEASEOPS_ORGS", "")
    file = tmp_path / "mine.yaml"
    file.write_text(loader.org_text("looplatch").replace("id: looplatch", "id: mine"))

    add_orgs([file])
    add_orgs([file])

    assert os.environ["RELEASEOPS_ORGS"] == str(file)
    monkeypatch.setattr(loader, "_installed", {})
    with closing(
        open_arena(Settings(database_url=f"sqlite:///{tmp_path / 'log.sqlite3'}", orgs=read_settings().orgs))
    ) as arena:
        (ticket,) = arena.tickets.mint(["gate/mine/clean/level-1/seed-1"])
        assert arena.start(ticket).observation["organisation"] == "Loop & Latch"


def test_a_comma_in_an_organisations_path_is_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="a comma parts one file from the next; rename the file"):
        add_orgs([tmp_path / "a,b.yaml"])
