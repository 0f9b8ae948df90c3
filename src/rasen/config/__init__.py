"""Settings of the machine and of a project: reading, checking, changing, and which one counts."""
