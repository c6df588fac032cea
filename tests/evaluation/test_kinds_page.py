"""docs/kinds.md is written from the code: every kind, in its own file's words, with the scores that were kept."""

import re
from pathlib import Path

import pytest

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.evaluation.kinds_page import __main__ as command
from releaseops_mcp.evaluation.kinds_page import scores
from releaseops_mcp.evaluation.kinds_page.facts import GROUPS, described, every_kind
from releaseops_mcp.evaluation.kinds_page.page import render, table
from releaseops_mcp.evaluation.kinds_page.scores import Figure, Scores, measure, merged, play, sample
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import org_names
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.scenario import parse
from releaseops_mcp.world.templates import template_names

KIND = "k01-skipped-test"
FIGURES = {"reference": Figure(mean=0.876, pairs=1.0), "best-record": Figure(mean=0.21, pairs=0.25)}
KEPT = Scores(date="2026-11-30", pairs=4, figures={KIND: FIGURES}, best={KIND: "best-record"})


def test_the_file_of_every_kind_says_what_goes_wrong_and_what_only_looks_like_it() -> None:
    facts = every_kind()
    assert {each.kind.name for each in facts} == set(kinds())
    for each in facts:
        assert re.fullmatch(r"K\d\d", each.number)
        assert each.kind.group in GROUPS
        assert each.wrong.endswith(".")
        assert "Twin" not in each.wrong
        assert len(each.twins) > 20
        assert each.orgs, f"{each.kind.name} can be planted nowhere"


@pytest.mark.parametrize(
    ("text", "wrong", "twins"),
    [
        ("It breaks.\n\nTwins: it only\nbends.", "It breaks.", "It only bends."),
        ("It breaks. Twin: a harmless one. Or two.", "It breaks.", "A harmless one. Or two."),
        ("It breaks: a, b.\n\nMore about it.\n\nTwins: c.", "It breaks: a, b.", "C."),
    ],
)
def test_a_docstring_is_taken_apart(text: str, wrong: str, twins: str) -> None:
    assert described("k99_x.py", text) == (wrong, twins)


@pytest.mark.parametrize("text", ["", "It breaks.", "Twins: it bends.", "It breaks. Twins: "])
def test_a_docstring_without_a_part_is_refused_with_the_file_and_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"k99_x\.py: begin its docstring with what goes wrong, and end it with"):
        described("k99_x.py", text)


def test_the_page_has_every_kind_variant_family_organisation_and_template() -> None:
    page = render(None)
    for kind in kinds().values():
        assert f"\n### {kind.name}\n" in page
        assert f"(#{kind.name})" in page
        assert all(f"| `{variant.name}` | {variant.depth} |" in page for variant in kind.variants)
    for name in (*families(), *org_names(), *template_names()):
        assert f"| `{name}`" in page


def test_scores_stand_beside_their_kind_and_a_dash_beside_the_others() -> None:
    lines = {line.split("]")[0]: line for line in render(KEPT).splitlines() if line.startswith("| [K")}
    assert lines["| [K01"].endswith("| 0.88 (100 %) | - | 0.21 (25 %) best-record |")
    assert lines["| [K07"].endswith("| - | - | - |")
    assert "--score --date 2026-11-30" in render(KEPT)
    assert "No scores have been measured yet" in render(None)


def test_the_page_is_the_same_every_time() -> None:
    assert render(KEPT) == render(KEPT)


def test_a_cell_may_hold_a_bar() -> None:
    assert table(["a", "b"], [["x || y", "z"]]) == "| a | b |\n| --- | --- |\n| x \\|\\| y | z |\n"


def test_a_sample_is_of_pairs_over_organisations_and_levels() -> None:
    names = list(sample(KIND, 10))
    assert len(set(names)) == 20
    assert all(one.other == other for one, other in zip(names[::2], names[1::2], strict=True))
    assert {name.level for name in names} == {1, 2, 3, 4, 5}
    assert all(parse(name.id) == name for name in names)


def test_a_kind_that_can_be_planted_nowhere_has_no_sample() -> None:
    assert list(sample("k99-nothing", 3)) == []


def test_a_play_is_the_same_every_time_and_says_whether_all_was_right() -> None:
    first = next(sample(KIND, 1)).id
    reference, blind = find_supervisor("reference", "gate"), find_supervisor("refuse-at-once", "gate")
    assert play(first, reference) == play(first, reference)
    assert play(first, blind)[1] < play(first, reference)[1]


def test_a_kind_is_measured_with_the_best_that_needs_no_judgement() -> None:
    found = measure("2026-11-30", [KIND], pairs=1)
    assert found.figures[KIND].keys() == {"reference", "two-artefacts", found.best[KIND]}
    assert find_supervisor(found.best[KIND], "gate").degenerate


def test_kinds_that_are_measured_again_replace_their_scores_and_kinds_that_are_gone_leave() -> None:
    gone = KEPT.model_copy(
        update={"figures": {**KEPT.figures, "k99-gone": FIGURES}, "best": {**KEPT.best, "k99-gone": "x"}}
    )
    new = KEPT.model_copy(
        update={"date": "2026-12-01", "figures": {"k07-soft-step": FIGURES}, "best": {"k07-soft-step": "y"}}
    )
    assert merged(None, new) == new
    both = merged(gone, new)
    assert list(both.figures) == [KIND, "k07-soft-step"]
    assert (both.date, both.best) == ("2026-12-01", {KIND: "best-record", "k07-soft-step": "y"})


def test_the_command_writes_checks_and_says_when_the_page_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "PAGE", tmp_path / "kinds.md")
    assert command.main(["--check"]) == 1
    assert command.main(["--write"]) == 0
    assert command.main(["--check"]) == 0
    (tmp_path / "kinds.md").write_text("old")
    assert command.main(["--check"]) == 1
    assert "is stale: run python -m releaseops_mcp.evaluation.kinds_page --write" in capsys.readouterr().err


def test_the_command_keeps_what_it_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "FILE", tmp_path / "scores.json")
    assert scores.read() is None
    assert command.main(["--score", "--date", "2026-11-30", "--kind", KIND, "--pairs", "1"]) == 0
    kept = scores.read()
    assert kept is not None
    assert list(kept.figures) == [KIND]


@pytest.mark.parametrize("arguments", [["--score"], ["--score", "--date", "x", "--kind", "k99-nothing"]])
def test_the_command_refuses_to_measure_what_it_cannot_name(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments)
