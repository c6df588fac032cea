"""How an episode reads to a small model: short texts for observations, results and refusals; `registry` finds them."""
