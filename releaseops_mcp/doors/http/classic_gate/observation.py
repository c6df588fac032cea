"""The shape of classic-gate's observation, for documents and tests."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

_Closed = ConfigDict(frozen=True, extra="forbid")


class Release(BaseModel):
    """What is to be released."""

    model_config = _Closed

    service: str
    stage: str


class ReleaseChecks(BaseModel):
    """The live state of the release."""

    model_config = _Closed

    open_p1_bug: bool
    payment_tests_disabled: bool
    payment_tests_passing: bool
    deploy_checks_passed: bool


class Proposal(BaseModel):
    """What a worker proposes in the current phase."""

    model_config = _Closed

    id: str
    worker: str
    claim: str
    request: Literal["ship_release_candidate", "approve_triage", "hold_release_gate"]
    refs: list[str]
    """Ids of artefacts to inspect."""
    risk: list[str]
    confidence: Literal["low", "medium", "high", "very_high"]
    status: Literal["unresolved", "approved", "blocked"]
    possible_rule_violations: list[str]
    """Short names of rules: S1, S2, S3."""


class Recent(BaseModel):
    """How often a worker was right of late."""

    model_config = _Closed

    correct: int
    incorrect: int


class WorkerStats(BaseModel):
    """A worker's track record."""

    model_config = _Closed

    worker: str
    hint: str
    recent: Recent


class GateObservation(BaseModel):
    """The release as it stands."""

    model_config = _Closed

    phase: Literal["triage", "deploy_gate", "ship_decision"]
    phase_index: int
    hours_to_deadline: int
    review_budget_remaining: int
    evidence_actions_remaining: int
    release: Release
    release_checks: ReleaseChecks
    rules: list[str]
    proposals: list[Proposal]
    worker_stats: list[WorkerStats]
