"""Workflows and experts: what an agent can be taught to do."""
