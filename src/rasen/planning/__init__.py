"""Specs, changes, and how a change becomes part of the specs."""
