"""Migrations: deployments read back, and a database really breaks where the rule says that a release would."""

import json
import re
import sqlite3

import pytest

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts import deployments
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org, org_names
from tests.world.cases import pages, proposal
from tests.world.readings import answer_of

EARLY = kinds()["k26-early-contract"]
VARIANTS = [variant.name for variant in EARLY.variants]
PLACES = [(org, service.name) for org in org_names() for service in load_org(org).services]
everywhere = pytest.mark.parametrize(("org_name", "service_name"), PLACES)


def planted(org_name, service_name, variant, fault, seed):
    org = load_org(org_name)
    return org, proposal(org, org.service(service_name), EARLY, variant, fault=fault, seed=seed)


def history_of(lineage):
    return [record for text in pages(lineage.versions[0])["deployments"] for record in deployments.parse("dep_1", text)]


def migration_of(lineage):
    patch = "".join(pages(lineage.versions[0])["patch"])
    return "\n".join(re.findall(r"^\+(ALTER TABLE .*;)$", patch, re.MULTILINE))


def protected(org, history):
    count = next(rule.params["releases"] for rule in org.rules if rule.family == "data_migration")
    return [record for record in history if record.succeeded][:count]


def database(history):
    """Return a database with every column that any release reads, and one row."""
    columns = sorted({read for record in history for read in record.reads})
    table = columns[0].partition(".")[0]
    names = [column.partition(".")[2] for column in columns]
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE {table} ({', '.join(f'{name} TEXT' for name in names)})")
    base.execute(f"INSERT INTO {table} ({names[0]}) VALUES ('one')")
    return base


def still_reads(base, record):
    table = record.reads[0].partition(".")[0]
    columns = ", ".join(read.partition(".")[2] for read in record.reads)
    try:
        base.execute(f"SELECT {columns} FROM {table}")
    except sqlite3.OperationalError:
        return False
    return True


@everywhere
@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "not-null"])
def test_a_protected_release_breaks_on_the_fault_and_none_on_the_twin(org_name, service_name, variant):
    for seed in range(4):
        for fault in (True, False):
            org, lineage = planted(org_name, service_name, variant, fault, seed)
            history = history_of(lineage)
            base = database(history)
            base.executescript(migration_of(lineage))
            works = [still_reads(base, record) for record in protected(org, history)]
            base.close()
            assert all(works) is not fault


@everywhere
def test_a_database_refuses_a_demand_without_a_default(org_name, service_name):
    for fault in (True, False):
        _, lineage = planted(org_name, service_name, "not-null", fault, 1)
        base = database(history_of(lineage))
        if fault:
            with pytest.raises(sqlite3.OperationalError, match="NOT NULL"):
                base.executescript(migration_of(lineage))
        else:
            base.executescript(migration_of(lineage))
        base.close()


@everywhere
def test_deployments_read_back_newest_first_in_githubs_words(org_name, service_name):
    _, lineage = planted(org_name, service_name, "failed-release", True, 2)
    rows = [row for text in pages(lineage.versions[0])["deployments"] for row in json.loads(text)]
    assert {"id", "sha", "ref", "environment", "payload", "created_at", "statuses"} == set(rows[0])
    assert {status["state"] for row in rows for status in row["statuses"]} == {"failure", "success", "inactive"}
    minutes = [clock.minute_of(row["created_at"]) for row in rows]
    assert sorted(minutes, reverse=True) == minutes
    assert [record.succeeded for record in history_of(lineage)] == [False] + [True] * (len(rows) - 1)
    assert [record.release for record in history_of(lineage)] == [row["ref"] for row in rows]


def test_every_change_names_what_was_deployed_before():
    for org_name, service_name in PLACES:
        org = load_org(org_name)
        version = proposal(org, org.service(service_name), seed=3).versions[0]
        assert ("inspect_deployment", "dep_400") in version.artefacts
        assert "dep_400" in version.refs


def test_the_history_of_deployments_is_not_rewritten_by_a_fix():
    for seed in range(4):
        org = load_org("cedarline")
        lineage = proposal(org, org.service("payments"), EARLY, "drop", fault=True, seed=seed)
        assert len(lineage.versions) > 1
        shown = [pages(version)["deployments"] for version in lineage.versions]
        assert all(each == shown[0] for each in shown)


def test_the_rule_asks_for_the_deployments_only_where_something_is_removed():
    org, lineage = planted("cedarline", "payments", "drop", True, 1)
    assert answer_of(org, lineage, "data_migration", "reviews").missing == (Topic("patch", "pr_400"),)
    assert answer_of(org, lineage, "data_migration", "patch").missing == (Topic("deployments", "dep_400"),)
    org, twin = planted("cedarline", "payments", "not-null", False, 1)
    assert answer_of(org, twin, "data_migration", "patch").state == "satisfied"


@everywhere
def test_a_release_that_failed_is_none_to_go_back_to(org_name, service_name):
    for fault in (True, False):
        org, lineage = planted(org_name, service_name, "failed-release", fault, 3)
        assert not history_of(lineage)[0].succeeded
        found = answer_of(org, lineage, "data_migration", releases=1)
        assert found.state == ("violated" if fault else "satisfied")


def test_a_longer_way_back_protects_more_releases():
    org, twin = planted("cedarline", "payments", "drop", False, 1)
    assert answer_of(org, twin, "data_migration").state == "satisfied"
    assert answer_of(org, twin, "data_migration", releases=9).state == "violated"


def test_another_document_is_no_list_of_deployments():
    with pytest.raises(ValueError, match="not a list of deployments"):
        deployments.parse("dep_1", "{}")
    assert deployments.parse("dep_1", "[]") == ()
