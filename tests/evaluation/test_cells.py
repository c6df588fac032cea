"""What a row holds beside its mean, on the toy suite: pairs, kinds, accusations, confidences, spending."""

from releaseops_mcp.evaluation.facts import Facts, pair_of
from releaseops_mcp.evaluation.tables import ALL, Row, Tables, kind_of
from tests.evaluation.entries import entry

TWIN = "toy/f99-leak-twin/seed-1"


def row(*entries: object, tables: Tables | None = None) -> Row:
    tables = tables or Tables("toy")
    for each in entries:
        tables.add_entry(each)  # pyright: ignore[reportArgumentType]
    return next(found for found in tables.rows() if found.family == ALL)


def test_what_is_not_the_agents_fault_is_counted_apart() -> None:
    lost = [
        entry(reward=None, fault=fault) for fault in ("agent_failed: x", "infrastructure: 429", "environment_fault: y")
    ]

    found = row(entry(), *lost, entry(truncated=True))

    assert (found.episodes, found.scored, found.unscored, found.infrastructure, found.truncated) == (5, 1, 1, 2, 1)
    assert (found.mean, found.pass_at_1) == (1.0, 1.0)


def test_a_pair_is_right_where_both_of_one_repeat_passed() -> None:
    def pair(repeat: int, first: bool, second: bool) -> list[object]:
        return [
            entry(repeat, facts=Facts(passed=first)),
            entry(repeat, facts=Facts(passed=second), scenario=TWIN, family="f99-leak-twin"),
        ]

    found = row(*pair(0, True, True), *pair(1, True, False), *pair(2, False, False), entry(3))

    assert (found.pairs, found.pair_accuracy) == (3, 1 / 3)


def test_a_scenario_and_its_twin_share_a_name() -> None:
    assert pair_of(TWIN) == ("toy/f99-leak/seed-1", True)
    assert pair_of("gate/org/f07-leak-twin/level-2/seed-3@1") == ("gate/org/f07-leak/level-2/seed-3@1", True)
    assert pair_of("toy/twins/seed-1") == ("toy/twins/seed-1", False)


def test_tokens_and_cost_are_sums_and_unknown_is_not_0() -> None:
    spent = Facts(model_calls=2, input_tokens=10, output_tokens=5, cost_usd=0.5)
    unknown = Facts(model_calls=1, input_tokens=None, output_tokens=3)

    known, unsure = row(entry(facts=spent), entry(facts=spent)), row(entry(facts=spent), entry(facts=unknown))

    assert (known.model_calls, known.tokens, known.cost_usd) == (4, 30, 1.0)
    assert (unsure.input_tokens, unsure.output_tokens, unsure.tokens, unsure.cost_usd) == (None, 8, None, 0.5)
    assert row(entry()).tokens is None


def test_false_accusations_need_truth_and_are_counted_by_episode() -> None:
    graded = [Facts(accusations=2, false_accusations=2), Facts(accusations=1, false_accusations=0)]

    found = row(*(entry(facts=facts) for facts in graded), entry(facts=Facts(accusations=5)))

    assert (found.accusations, found.false_accusations, found.false_accusation_rate) == (3, 2, 0.5)
    assert row(entry()).false_accusation_rate is None


def test_confident_decisions_have_a_brier_score() -> None:
    found = row(entry(facts=Facts(confidences=((0.75, True), (0.75, False)))))

    assert (found.confident_decisions, found.brier) == (2, (0.0625 + 0.5625) / 2)


def test_always_the_same_verdict_is_said_of_an_agent_with_enough_episodes() -> None:
    same = [entry(facts=Facts(verdicts={"hold": 3})) for _ in range(5)]

    assert row(*same).flags == {"same-verdict": 1.0}
    assert row(*same[:4]).flags == {}
    assert row(*same, entry(facts=Facts(verdicts={"ship": 1}))).flags == {}


def test_a_table_by_kind_counts_only_what_has_one() -> None:
    tables = Tables("toy", group=kind_of)

    found = row(entry(facts=Facts(kind="leak")), entry(), tables=tables)

    assert (found.episodes, tables.families()) == (1, ["leak", ALL])
