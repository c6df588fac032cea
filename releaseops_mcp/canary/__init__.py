"""Rollout telemetry as noisy as the real thing: a stochastic simulator, judges, and a Bayesian reference.

A `World` holds the hidden truth of one rollout. `latents` turns it into what nobody chose (load, noise, incidents),
`traffic` into samples of three arms minute by minute, `observing` into what a dashboard shows of them. Time runs in
minutes from the moment at which the canary took its first traffic; before that only the stable arm has a past.
"""
