"""Reviews, owners and the scan for secrets: real fields, and they come back as the state that they show."""

import json

import pytest

from releaseops_mcp.world.artefacts.codeowners import OwnersFile
from releaseops_mcp.world.artefacts.commits import CommitRecord
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.artefacts.reviews import ReviewRecord
from releaseops_mcp.world.artefacts.secrets import FindingRecord
from releaseops_mcp.world.codeowners import owners_of
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.templates import load_template
from tests.world.cases import pages, proposal

ORG = load_org("cedarline")
PAYMENTS = ORG.service("payments")
PAGE_AT_MOST = 2_400


def made(kind=None, variant="", *, fault=True, seed=0):
    found = kinds()[kind] if kind else None
    return pages(proposal(ORG, PAYMENTS, found, variant, fault=fault, seed=seed).versions[0])


def records(shown, name, kind):
    parse = formats()[name].parse
    return [record for text in shown[name] for record in parse("pr_400", text) if isinstance(record, kind)]


def test_a_review_has_githubs_fields_and_comes_back():
    shown = made("k16-own-approval", "bot")
    rows = [row for text in shown["reviews"] for row in json.loads(text)]
    fields = {"id", "user", "author_association", "state", "commit_id", "submitted_at", "body"}
    assert all(set(row) == fields and set(row["user"]) == {"login", "type"} for row in rows)
    found = records(shown, "reviews", ReviewRecord)
    assert [(each.user, each.user_type, each.state) for each in found] == [
        (row["user"]["login"], row["user"]["type"], row["state"]) for row in rows
    ]
    assert {each.user_type for each in found} == {"User", "Bot"}
    assert all(row["author_association"] == "MEMBER" for row in rows)


def test_who_pushed_last_stands_in_the_mail_header_and_in_the_list_of_commits():
    shown = made("k16-own-approval", "last-pusher")
    pusher = records(shown, "patch", PatchHead)[0].author
    person = ORG.person(pusher)
    assert person is not None
    assert person.kind == "human"
    assert json.loads(shown["commits"][0])[-1]["commit"]["author"]["name"] == pusher


def test_the_owners_are_those_of_the_base_whatever_the_change_writes():
    base = load_template(PAYMENTS.template).base["CODEOWNERS"]
    for variant in ("edited-line", "higher-place"):
        shown = made("k17-no-owner", variant)
        found = records(shown, "codeowners", OwnersFile)
        head = records(shown, "patch", PatchHead)[0]
        assert [(each.commit, each.path) for each in found] == [(head.base, "CODEOWNERS")]
        assert base.rstrip() in shown["codeowners"][0]
        assert owners_of("payments/auth.py", found[0].lines) == ("team-security",)
        assert any("CODEOWNERS" in path for path in head.files)


def test_every_change_shows_who_owns_what_and_what_a_scan_found():
    shown = made()
    assert len(shown["codeowners"]) == len(shown["secrets"]) == 1
    assert records(shown, "secrets", FindingRecord) == []
    for name in ("reviews", "codeowners", "secrets"):
        assert all(len(text) <= PAGE_AT_MOST for text in shown[name])


def test_a_scan_is_a_sarif_log_whose_findings_come_back():
    shown = made("k18-secret", "suppressed")
    (run,) = json.loads(shown["secrets"][0])["runs"]
    assert json.loads(shown["secrets"][0])["version"] == "2.1.0"
    assert run["tool"]["driver"]["name"]
    for result in run["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1
        assert all(each["kind"] in ("inSource", "external") for each in result["suppressions"])
    found = records(shown, "secrets", FindingRecord)
    assert {each.suppressions for each in found} == {("inSource",), ("external",)}
    assert {each.validity for each in found} == {"active", "inactive"}
    assert all(3.0 < each.entropy < 5.0 for each in found)


def test_what_was_found_is_where_the_scan_says():
    shown = made("k18-secret", "cleaned-up")
    found = records(shown, "secrets", FindingRecord)
    branch = [commit.sha for commit in records(shown, "commits", CommitRecord)]
    base = records(shown, "patch", PatchHead)[0].base
    assert {each.commit for each in found} == {branch[0], base}
    assert "pat_" not in "".join(shown["patch"])


def test_a_suppression_that_was_refused_is_none():
    text = made("k18-secret", "suppressed")["secrets"][0].replace('"accepted"', '"rejected"')
    parsed = formats()["secrets"].parse("pr_1", text)
    assert [record.suppressions for record in parsed if isinstance(record, FindingRecord)] == [(), ()]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("codeowners", "* @somebody\n", "not the CODEOWNERS files of a commit"),
        ("secrets", '{"version": "2.0.0", "runs": []}', "not a SARIF 2.1.0 log"),
        ("secrets", "[]", "not a SARIF 2.1.0 log"),
    ],
)
def test_another_document_is_refused(name, text, message):
    with pytest.raises(ValueError, match=message):
        formats()[name].parse("pr_1", text)
