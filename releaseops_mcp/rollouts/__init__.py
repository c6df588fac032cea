"""Canary rollouts wherever the environment runs: in this process, at a URL, or in a container that is started for it.

    base         what a target and its environment are
    in_process, remote, container   the three targets
    choosing     which of them a command line and an environment name
    playing      lets a rule play one rollout
    health       waits for a server

`python -m releaseops_mcp.baseline`, `python -m releaseops_mcp.inference` and `releaseops review-artifacts` play these.
"""
