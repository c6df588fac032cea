"""Scripted supervisors of the gate suite: those that need no judgement, and the reference that reads by the rules."""
