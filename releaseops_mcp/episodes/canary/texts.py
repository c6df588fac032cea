"""What a supervisor is told: the organisation's visible rules, and what it is to do."""

OVER = "the rollout is decided and the episode is over: observe still answers, start_episode begins another"

POLICY = """\
# Rollout policy

- A change that makes things worse for users is rolled back; a sound change reaches all traffic before the deadline.
- Rolling back a sound change is a false alarm: it costs a release. Promoting a bad one costs more, by how bad it is
  and by what the service is worth.
- While a bad change takes traffic, every minute does harm, in proportion to its share of the traffic.
- Compare the canary with the fresh baseline, not with yesterday. The stable arm is warm, the other two are not.
- An alert is a hint. Its source and labels say whom it concerns.
- A rollout that is undecided at the deadline costs too.
"""

BRIEFING = """\
A new version of a service takes its first traffic. Decide, interval by interval, with `decide_rollout`: raise the
canary's share, hold, or roll back. At 100 percent the rollout is complete. An observation shows, over the last
interval, errors in percent as [canary, baseline], `tail` (the canary's p99 as a multiple of the baseline's), and by
how many names alerts fire.

`inspect_metric` shows any metric of all three arms, the firing alerts, or the setup once more; `extend_baseline` makes
the next comparison steadier; `ask_on_call` asks about the circumstances. All of these take time, and the deadline
stands. Say with each decision what you hold to be the cause of what you see.
"""
