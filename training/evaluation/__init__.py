"""How good a trained supervisor is: held-out episodes played in batches, intervals, paired differences, traces."""
