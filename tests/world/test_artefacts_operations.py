"""Rollouts, freezes, drills, rotas, budgets, flags, APIs: documents read back, and what the rules make of them."""

import json
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts import calendar, drills, flags, incidents, rollout, rota, slo
from releaseops_mcp.world.artefacts.calendar import Freeze, FreezeRecord
from releaseops_mcp.world.artefacts.registry import PAGE, formats
from releaseops_mcp.world.artefacts.rota import Acknowledgement, Shift, on_call
from releaseops_mcp.world.artefacts.slo import Ratio
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.orgs.model import Window
from releaseops_mcp.world.orgs.service_checks import WEEK_MINUTES
from releaseops_mcp.world.orgs.windows import meets
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.protos import Entry, entries, reserved, same_on_the_wire
from releaseops_mcp.world.scenario import parse
from releaseops_mcp.world.templates import load_template, template_names
from releaseops_mcp.world.world import SHIP
from tests.world.cases import START, pages, proposal
from tests.world.readings import answer_of

OPERATIONS = ("rollout", "calendar", "drills", "rota", "slo", "incidents")
FAMILIES = ("freeze", "error_budget", "readiness")
PLACES = [(name, service.name) for name in org_names() for service in load_org(name).services]
everywhere = pytest.mark.parametrize(("org_name", "service_name"), PLACES)
CEDARLINE = load_org("cedarline")
MINUTES = st.integers(-40 * DAY, 40 * DAY)


def shipped(seed=0, variant=None, fault=False):
    kind, name = (variant or "/").split("/")
    return proposal(CEDARLINE, CEDARLINE.services[0], kinds().get(kind), name, fault=fault, seed=seed, request=SHIP)


def read(lineage, format):
    (subject,) = {
        artefact.id
        for artefact in lineage.versions[0].artefacts.values()
        for sheet in artefact.sheets
        if sheet.topic.format == format
    }
    return [record for text in pages(lineage.versions[0])[format] for record in formats()[format].parse(subject, text)]


@everywhere
def test_every_ship_request_keeps_the_rules_about_rollouts_in_every_phase(org_name, service_name):
    org = load_org(org_name)
    for seed in range(4):
        lineage = proposal(org, org.service(service_name), request=SHIP, seed=seed)
        bearing = [
            rule
            for rule in org.rules
            if rule.family in FAMILIES and service_name in (rule.scope.services or (service_name,))
        ]
        for family in {rule.family for rule in bearing}:
            for hours in (0, 8, 24):
                assert answer_of(org, lineage, family, minute=START + hours * HOUR).state == "satisfied"


@everywhere
def test_each_document_about_a_rollout_is_one_short_page(org_name, service_name):
    org = load_org(org_name)
    found = pages(proposal(org, org.service(service_name), request=SHIP, seed=3).versions[0])
    for name in OPERATIONS:
        assert [len(text) <= PAGE for text in found[name]] == [True]


@everywhere
def test_no_ordinary_change_breaks_an_api_or_turns_a_flag_on(org_name, service_name):
    org = load_org(org_name)
    families = {rule.family for rule in org.rules} & {"api_compat", "flag_default"}
    for seed in range(len(load_template(org.service(service_name).template).edits)):
        lineage = proposal(org, org.service(service_name), seed=seed)
        assert {answer_of(org, lineage, family).state for family in families} <= {"satisfied"}


def test_a_rollout_is_a_deployment_whose_payload_holds_the_plan():
    lineage = shipped(seed=2)
    document = json.loads(pages(lineage.versions[0])["rollout"][0])
    assert {"id", "sha", "ref", "task", "environment", "creator", "payload"} == set(document)
    (record,) = read(lineage, "rollout")
    pauses = [step["pause"]["duration"] for step in document["payload"]["steps"] if "pause" in step]
    assert record.minutes == sum(int(pause.removesuffix("m")) for pause in pauses)
    assert record.begin(record.not_before - 5) == record.not_before
    assert record.begin(record.not_before + 5) == record.not_before + 5


def test_hours_of_a_pause_are_sixty_minutes_and_other_durations_are_refused():
    document = json.loads(pages(shipped().versions[0])["rollout"][0])
    document["payload"]["steps"] = [{"setWeight": 5}, {"pause": {"duration": "2h"}}, {"pause": {"duration": "5m"}}]
    assert rollout.parse("dep_1", json.dumps(document))[0].minutes == 125
    document["payload"]["steps"] = [{"pause": {"duration": "soon"}}]
    with pytest.raises(ValueError, match="not a duration"):
        rollout.parse("dep_1", json.dumps(document))


@given(MINUTES, st.integers(1, 5 * DAY), st.integers(-11, 13))
def test_a_freeze_in_any_zone_reads_back_as_the_same_minutes(start, lasts, offset):
    (sheet,) = calendar.sheets("dep_1", (Freeze("Audit week", start, start + lasts, offset, "shop"),))
    assert calendar.parse("dep_1", sheet.text) == (FreezeRecord("shop", start, start + lasts, "confirmed"),)
    written = json.loads(sheet.text)["items"][0]["start"]["dateTime"]
    assert datetime.fromisoformat(written).utcoffset() == timedelta(hours=offset)
    assert datetime.fromisoformat(written).astimezone(UTC) == clock.EPOCH + timedelta(minutes=start)


@pytest.mark.parametrize(
    ("service", "status", "begin", "end", "covers"),
    [
        ("shop", "confirmed", 50, 101, True),
        ("shop", "confirmed", 50, 100, False),
        ("shop", "confirmed", 199, 220, True),
        ("shop", "confirmed", 200, 220, False),
        ("till", "confirmed", 120, 130, False),
        ("shop", "cancelled", 120, 130, False),
    ],
)
def test_a_freeze_covers_what_overlaps_with_it_for_its_own_service(service, status, begin, end, covers):
    assert FreezeRecord(service, 100, 200, status).covers("shop", begin, end) is covers


@given(st.integers(0, 20), st.integers(1, 20), st.integers(-30, 60), st.integers(1, 20))
def test_a_weekly_window_is_met_exactly_where_a_quarter_hour_of_it_is(start, lasts, begin, takes):
    step = WEEK_MINUTES // 42
    window = Window(name="w", start=start * step, end=(start + lasts) * step)
    inside = any(start <= each % 42 < start + lasts for each in range(begin, begin + takes))
    assert meets(window, begin * step, (begin + takes) * step) is inside


def test_who_overrides_a_shift_is_on_call_instead():
    week, swap = Shift("amara", 0, 100), Shift("chidi", 40, 60, override=True)
    assert [on_call((week, swap), minute) for minute in (39, 40, 59, 60, 100)] == [
        "amara",
        "chidi",
        "chidi",
        "amara",
        "",
    ]


def test_a_rota_reads_back_with_its_overrides_and_acknowledgements():
    given_rota = rota.Rota(
        "shop on-call", (Shift("amara", 0, 60), Shift("chidi", 10, 20, override=True)), (Acknowledgement("chidi", -5),)
    )
    (sheet,) = rota.sheets("dep_1", given_rota)
    assert rota.parse("dep_1", sheet.text) == (*given_rota.shifts, *given_rota.acknowledgements)
    schedule = json.loads(sheet.text)["schedule"]
    assert {"name", "time_zone", "schedule_layers", "overrides_subschedule"} == set(schedule)


@given(st.floats(0, 1), st.sampled_from(["1h", "28d"]), st.sampled_from(["", "inc_1"]))
def test_a_ratio_is_a_string_that_reads_back(value, window, incident):
    (sheet,) = slo.sheets("shop", (Ratio("shop", window, value, incident),), 60)
    (record,) = slo.parse("shop", sheet.text)
    assert (record.window, record.incident) == (window, incident)
    assert record.value == pytest.approx(value, abs=1e-6)
    (row,) = json.loads(sheet.text)["data"]["result"]
    assert row["value"] == [clock.seconds(60), f"{value:.6f}"]


def test_a_window_without_requests_is_not_a_number_and_decides_nothing():
    (sheet,) = slo.sheets("payments", (Ratio("payments", "28d", math.nan),), 0)
    (record,) = slo.parse("payments", sheet.text)
    assert math.isnan(record.value)
    with pytest.raises(ValueError, match="wanted a vector"):
        slo.parse("shop", '{"status": "success", "data": {"resultType": "matrix", "result": []}}')


@pytest.mark.parametrize("format", [*OPERATIONS, "flags"])
def test_another_document_is_refused(format):
    text = "[{}]" if format in ("drills", "incidents") else '{"message": "Not Found"}'
    with pytest.raises(ValueError, match="not a"):
        formats()[format].parse("dep_1", text)


def test_drills_and_incidents_read_back():
    drill = drills.Drill("drill_1", "shop", "executed", "0007", "2026.1", "2026.2", 90, "succeeded")
    incident = incidents.Incident("inc_1", "shop", 30, 45, "upstream", "amara")
    assert drills.parse("dep_1", drills.sheets("dep_1", (drill,))[0].text) == (drill,)
    assert incidents.parse("shop", incidents.sheets("shop", (incident,))[0].text) == (incident,)


def test_flags_read_back_by_environment():
    served = (flags.Served("new-till", "production", 25, 30), flags.Served("new-till", "staging", 100, 60))
    (sheet,) = flags.sheets("dep_1", served)
    assert flags.parse("dep_1", sheet.text) == served
    (feature,) = json.loads(sheet.text)["features"]
    assert feature["environments"][0]["strategies"] == [{"name": "flexibleRollout", "parameters": {"rollout": "25"}}]


@pytest.mark.parametrize("name", template_names())
def test_every_template_describes_its_api_and_its_flags(name):
    base = load_template(name).base
    (path,) = [path for path in base if path.endswith(".proto")]
    found = entries(base[path].splitlines())
    assert f"package {name}.v1;" in base[path]
    assert reserved(base[path].splitlines()).numbers
    assert {entry.type == "" for entry in found} == {True, False}
    listed = yaml.safe_load(base["flags.yaml"])
    assert all({"name", "default", "owner"} <= set(flag) and flag["default"] is False for flag in listed)


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("  string memo = 4;", Entry("memo", 4, "string")),
        ("  repeated string tags = 5;", Entry("tags", 5, "repeated string")),
        ("  map<string, int32> counts = 6;", Entry("counts", 6, "map<string, int32>")),
        ("  State state = 7; // since 2026.31", Entry("state", 7, "State", since="2026.31")),
        ("  optional int32 limit = 8 [default = 20];", Entry("limit", 8, "int32", default="20")),
        ("  string key = 9 [(buf.validate.field).required = true];", Entry("key", 9, "string", demanded=True)),
        ("  STATE_DONE = 2; // Final.", Entry("STATE_DONE", 2)),
    ],
)
def test_a_line_of_a_proto_file_is_read(line, entry):
    assert entries([line]) == (entry,)


@pytest.mark.parametrize("line", ["message Refund {", "  reserved 3;", "", "// string memo = 4;", 'syntax = "proto3";'])
def test_other_lines_of_a_proto_file_are_no_entries(line):
    assert entries([line]) == ()


def test_reserved_numbers_come_alone_in_ranges_and_as_names():
    found = reserved(["  reserved 2, 9 to 11;", '  reserved "memo", "note";'])
    assert (found.numbers, found.names) == ({2, 9, 10, 11}, {"memo", "note"})


TYPES = st.sampled_from(["int32", "int64", "uint64", "sint32", "sint64", "string", "bytes", "double", "State"])


@given(TYPES, TYPES, TYPES)
def test_being_the_same_on_the_wire_is_an_equivalence(one, other, third):
    assert same_on_the_wire(one, one)
    assert same_on_the_wire(one, other) == same_on_the_wire(other, one)
    if same_on_the_wire(one, other) and same_on_the_wire(other, third):
        assert same_on_the_wire(one, third)


def test_a_freeze_that_is_on_can_be_waited_out():
    for seed in range(6):
        lineage = shipped(seed, "k29-freeze/wait", fault=True)
        assert answer_of(CEDARLINE, lineage, "freeze").state == "violated"
        after = START + CEDARLINE.phase_hours * HOUR
        assert answer_of(CEDARLINE, lineage, "freeze", minute=after - 1).state == "violated"
        assert answer_of(CEDARLINE, lineage, "freeze", minute=after).state == "satisfied"


def test_holding_brings_a_release_past_its_freeze_whatever_the_worker_repairs():
    for seed in range(40):
        world = generate(parse(f"gate/cedarline/k29-freeze/level-5/seed-{seed}"))
        ship = next(each for each in world.lineages if each.request == SHIP)
        if ship.planted == "k29-freeze/wait" and world.last_phase > ship.appears:
            break
    else:
        pytest.fail("no world with a freeze to be waited out")
    verdicts = [world.verdict(ship, version, ship.appears + 1).decision for version in ship.versions]
    assert world.verdict(ship, ship.versions[0], ship.appears).decision == "hold"
    assert set(verdicts) == {APPROVE}


def test_the_handbooks_week_needs_no_calendar_to_be_broken():
    lineage = shipped(1, "k29-freeze/weekly", fault=True)
    assert answer_of(CEDARLINE, lineage, "freeze", "rollout").state == "violated"
    assert answer_of(CEDARLINE, lineage, "freeze", "rollout", dated=False).state == "violated"


def test_rules_about_rollouts_say_nothing_about_a_change():
    change = proposal(CEDARLINE, CEDARLINE.services[0], seed=1)
    assert {answer_of(CEDARLINE, change, family, "nothing").state for family in FAMILIES} == {"satisfied"}


def test_another_window_of_the_budget_decides_otherwise():
    lineage = shipped(2, "k31-spent-budget/window", fault=True)
    assert answer_of(CEDARLINE, lineage, "error_budget").state == "violated"
    spent = next(each for each in read(lineage, "slo") if each.window == "28d" and not each.incident)
    roomier = 100 * (1 - 2 * spent.value)
    assert answer_of(CEDARLINE, lineage, "error_budget", objective=roomier).state == "satisfied"
    assert answer_of(CEDARLINE, lineage, "error_budget", window_days=90).state == "unknown"


def test_a_drill_goes_stale():
    lineage = shipped(3)
    newest = max(
        each.minute for each in read(lineage, "drills") if each.mode != "tabletop" and each.service == "payments"
    )
    assert answer_of(CEDARLINE, lineage, "readiness", minute=newest + 30 * DAY, on_call=False).state == "satisfied"
    assert answer_of(CEDARLINE, lineage, "readiness", minute=newest + 30 * DAY + 1, on_call=False).state == "violated"
    with pytest.raises(ValueError, match="at least 7 days"):
        answer_of(CEDARLINE, lineage, "readiness", drill_days=3)


def test_a_rollout_without_a_runbook_is_not_ready():
    lineage = shipped(4)
    (plan,) = (artefact for artefact in lineage.versions[0].artefacts.values() if artefact.id.startswith("dep_"))
    bare = replace(
        plan, render=lambda: (replace(plan.sheets[0], text=plan.sheets[0].text.replace('"docs/runbook.md"', "null")),)
    )
    first = replace(lineage.versions[0], artefacts={**lineage.versions[0].artefacts, (plan.tool, plan.id): bare})
    assert answer_of(CEDARLINE, replace(lineage, versions=(first,)), "readiness").state == "violated"
