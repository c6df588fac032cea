"""The Bayesian reference: a particle filter over what a rollout may be, and decisions by expected cost.

It knows how scenarios are drawn (`hypotheses`), but not which one was: everything else it learns from what the tools
show. Its mean utility is the yardstick against which judges and policies are measured.
"""
