"""What supervisors are worth: runs them over scenarios, counts, and measures the laws that a reward should keep."""
