"""The Bayesian reference as a supervisor of `canary`: it looks where looking pays, and decides by expected cost."""

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.agents.base import Action, Brief, Play, Turn, supervisor
from releaseops_mcp.canary.latents import CARRIERS, SLACK
from releaseops_mcp.canary.metrics import ARMS
from releaseops_mcp.canary.on_call import QUESTIONS
from releaseops_mcp.canary.reference.belief import Belief
from releaseops_mcp.canary.reference.forecasts import LOOKS
from releaseops_mcp.canary.reference.lookahead import Costs, Lookahead, Standing
from releaseops_mcp.canary.traffic import Shares
from releaseops_mcp.episodes.canary.tools import ALERTS, ASK, ASK_MINUTES, DECIDE, INSPECT, LONGEST_WINDOW, LOOK_MINUTES
from releaseops_mcp.rewards import canary as reward

Json = dict[str, Any]
Array = NDArray[np.float64]
Calls = Generator[Action, Turn, None]

COSTS = Costs(
    reward.FALSE_ROLLBACK,
    reward.BAD_PROMOTION,
    reward.HARM,
    reward.DECISION,
    reward.TIMEOUT_GOOD,
    reward.TIMEOUT_BAD,
)
TRIFLE = 0.0005
"""Saving below which nothing is looked at: time runs too."""
ASKING = 0.012
"""Saving below which nobody is asked."""
CROWD = 4
"""Firing alerts from which it pays to read whose they are."""
SHOWN = dict(
    zip(
        CARRIERS,
        ("errors", "latency_p50", "latency_p99", "conversion", "segment_errors", "downstream_errors"),
        strict=True,
    )
)
"""The metric that shows each carrier best."""
CERTAIN = 0.8
"""Probability, given that the change is good, from which a cause is named."""


class Watch:
    """One rollout as the reference sees it."""

    def __init__(self, brief: Brief) -> None:
        setup = brief.observation
        self._rng = np.random.Generator(np.random.PCG64(brief.seed))
        self.belief = Belief(setup, self._rng)
        self.observation: Mapping[str, Any] = setup
        self._setup = setup
        self._shares = np.zeros((setup["deadline_minute"] + SLACK, len(ARMS)))
        self._until = 0
        self._asked: set[str] = set()
        self._read_alerts = False
        self.follow(setup)

    @property
    def standing(self) -> Standing:
        """Where the rollout stands."""
        seen = self.observation
        return Standing(
            seen["minute"], seen["weight"] / 100.0, self._setup["interval_minutes"], self._setup["deadline_minute"]
        )

    def follow(self, observation: Mapping[str, Any]) -> None:
        """Take in an observation; the minutes up to it ran at its weight."""
        self.observation = observation
        split = Shares.of(observation["weight"] / 100.0, 1.0, extended=False).split()
        self._shares[self._until : observation["minute"]] = split
        self._until = max(self._until, observation["minute"])

    def inform(self) -> Calls:
        """Look and ask for as long as that is expected to pay."""
        if self.observation["alerts"] >= CROWD and not self._read_alerts:
            turn = yield from self._call(Action(INSPECT.name, {"metric": ALERTS}))
            if turn is None:
                return
            self._read_alerts = True
            others = sum(alert["labels"]["service"] != self._setup["service"] for alert in turn["firing"])
            self.belief.alerts(others, self.observation["minute"])
        if "errors" not in self.belief.state.seen and self.observation["minute"] > self.belief.state.lag:
            yield from self._look("errors")
        while self.observation["minute"] + 1 < self.standing.deadline:
            metric, saved = self._best_look()
            if saved < TRIFLE:
                question, saved = self._best_question()
                if saved < ASKING:
                    return
                yield from self._ask(question)
            else:
                yield from self._look(metric)

    def _best_look(self) -> tuple[str, float]:
        ahead, standing = self._ahead(), self.standing
        ready = {name: self.belief.state.seen.get(name, 0) for name in LOOKS}
        ready = {name: start for name, start in ready.items() if standing.minute - self.belief.state.lag - start >= 2}
        worth = {name: ahead.look(standing, name, start) for name, start in ready.items()}
        return max(worth.items(), key=lambda pair: pair[1], default=("errors", 0.0))

    def _best_question(self) -> tuple[str, float]:
        ahead, standing = self._ahead(), self.standing
        worth = {name: ahead.ask(standing, name, ASK_MINUTES) for name in QUESTIONS if name not in self._asked}
        return max(worth.items(), key=lambda pair: pair[1], default=("", 0.0))

    def _ahead(self) -> Lookahead:
        return Lookahead(self.belief, COSTS, self._rng)

    def _look(self, metric: str) -> Calls:
        minute = self.observation["minute"] + LOOK_MINUTES
        window = int(np.clip(minute - self.belief.state.seen.get(metric, 0), 1, LONGEST_WINDOW))
        view = yield from self._call(Action(INSPECT.name, {"metric": metric, "window": window}))
        if view is not None:
            self.belief.look(view, window, self.observation["minute"], self._shares)

    def _ask(self, question: str) -> Calls:
        self._asked.add(question)
        said = yield from self._call(Action(ASK.name, {"question": question}))
        if said is not None:
            self.belief.answer(question, said["answer"], self.observation["minute"])

    def _call(self, action: Action) -> Generator[Action, Turn, Json | None]:
        turn = yield action
        self.follow(turn.observation)
        return turn.result if not turn.done else None

    def decision(self) -> Action:
        """Return the decision of least expected cost, with what is believed."""
        choices = self._ahead().choices(self.standing)
        best = min(choices, key=choices.__getitem__)
        p_bad = self.belief.p_bad
        said: Json = {"action_type": best, "diagnosis": self._diagnosis(p_bad), "p_bad": round(p_bad, 4)}
        if p_bad > 0.5:
            said["suspect"] = self._suspect()
        return Action(DECIDE.name, said)

    def _diagnosis(self, p_bad: float) -> str:
        if p_bad > 0.5:
            return "regression"
        particles = self.belief.particles
        worlds, rows = particles.worlds, particles.rows
        good = particles.weights * ~particles.bad
        causes = {
            "bad_telemetry": worlds.mislabelled[rows],
            "shared_incident": (worlds.outside[rows] != 0.0).any(axis=1),
            "warm_up": worlds.cold[1, rows] >= 1.5,
            "alert_noise": worlds.storm[:, rows].max(axis=0) > 3.0,
        }
        shares = {name: float(good @ holds / good.sum()) for name, holds in causes.items()}
        best = max(shares, key=shares.__getitem__)
        return best if shares[best] >= CERTAIN else "healthy"

    def _suspect(self) -> str:
        particles = self.belief.particles
        worse = particles.worlds.change[particles.rows] > 0.0
        share = (particles.weights * particles.bad) @ worse
        return SHOWN[CARRIERS[int(np.argmax(share))]]


@supervisor("bayes", suite="canary", slow=True)
def bayes(brief: Brief) -> Play:
    """Weighs thousands of rollouts that could look like this one, and takes the decision of least expected cost."""
    watch = Watch(brief)
    while True:
        yield from watch.inform()
        turn = yield watch.decision()
        watch.follow(turn.observation)
