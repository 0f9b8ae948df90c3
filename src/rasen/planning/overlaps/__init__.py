"""Open changes that touch the same requirements, and whether they would merge."""
