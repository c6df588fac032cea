"""The person on call: right nine times in ten, about circumstances only, and steadfast."""

from dataclasses import replace

import pytest

from releaseops_mcp.canary.on_call import QUESTIONS, RIGHT, OnCall
from releaseops_mcp.canary.world import Faults, Incident, Noise, Regression
from tests.canary.worlds import CALM, stream, with_

COLD = Noise(shared=0.0, shared_phi=0.9, own=0.0, warm_up=2.0, warm_up_minutes=5.0)


@pytest.mark.parametrize(
    ("question", "world", "minute", "truth"),
    [
        ("incident", CALM, 10, False),
        ("incident", replace(CALM, incidents=(Incident(5.0, 10.0, 3.0, "errors"),)), 4, False),
        ("incident", replace(CALM, incidents=(Incident(5.0, 10.0, 3.0, "errors"),)), 10, True),
        ("incident", replace(CALM, incidents=(Incident(5.0, 10.0, 3.0, "errors"),)), 20, False),
        ("incident", replace(CALM, incidents=(Incident(5.0, 10.0, 3.0, "errors", settles=False),)), 99, True),
        ("alerts", CALM, 10, False),
        ("alerts", with_("faults", storm=(20, 40)), 10, False),
        ("alerts", with_("faults", storm=(5, 40)), 10, True),
        ("telemetry", CALM, 0, True),
        ("telemetry", with_("faults", mislabelled=("errors",)), 0, False),
        ("capacity", CALM, 0, True),
        ("capacity", replace(CALM, regression=Regression("cliff", headroom=0.4)), 0, False),
        ("cold_start", CALM, 0, False),
        ("cold_start", replace(CALM, noise=COLD), 0, True),
        ("cold_start", replace(CALM, regression=Regression("transient", {"errors": 3.0})), 0, True),
        ("memory", CALM, 0, True),
        ("memory", replace(CALM, regression=Regression(memory=0.5)), 0, False),
        ("memory", replace(CALM, regression=Regression(memory=0.5, memory_settles=True)), 0, True),
    ],
)
def test_a_question_has_a_true_answer_at_each_minute(question, world, minute, truth):
    assert QUESTIONS[question].truth(world, minute) is truth


def test_answers_are_right_nine_times_in_ten_question_by_question():
    people = [OnCall(CALM, stream(seed)) for seed in range(2_000)]
    for name, question in QUESTIONS.items():
        right = sum(person.answer(name, 5) == question.truth(CALM, 5) for person in people) / len(people)
        assert right == pytest.approx(RIGHT, abs=0.025), name


def test_asking_again_brings_no_second_opinion():
    person = OnCall(CALM, stream(1))
    for question in QUESTIONS:
        assert len({person.answer(question, 7) for _ in range(5)}) == 1


def test_answers_do_not_depend_on_which_question_comes_first():
    first, second = OnCall(CALM, stream(8)), OnCall(CALM, stream(8))
    forwards = {question: first.answer(question, 5) for question in QUESTIONS}
    backwards = {question: second.answer(question, 5) for question in reversed(QUESTIONS)}
    assert forwards == backwards


def test_no_question_is_about_the_verdict():
    sound, bad = Regression("step", {"errors": 3.0}), Regression("step", {"errors": 3.0}, bad=True)
    for question in QUESTIONS.values():
        answers = {question.truth(replace(CALM, regression=change, faults=Faults()), 9) for change in (sound, bad)}
        assert len(answers) == 1, question.name
