"""The suite of rollouts on stochastic telemetry: episodes, tools, observations and the truth for the scorer."""
