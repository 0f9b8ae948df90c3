"""The coding agents that we write for."""
