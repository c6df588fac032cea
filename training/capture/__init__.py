"""What a training rollout leaves in the log: its sampled tokens, their log-probabilities, and who chose them."""
