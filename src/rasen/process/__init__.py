"""Other programs: running them, and telling whether a process is still the one we knew."""
