"""Training beyond one machine: layouts as data, the commands that start them, and what they would cost."""
