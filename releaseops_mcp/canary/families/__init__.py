"""The families of rollouts, a file each: the lesson, and how it is planted."""
