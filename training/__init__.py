"""From logged rollouts to a better supervisor: environments for TRL, datasets, trainers, evaluation."""
