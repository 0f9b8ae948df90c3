"""Proposed changes: metadata, deltas, tasks, proposals."""
