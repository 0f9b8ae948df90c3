"""Rasen: living specs, proposed changes and what was learned, for people who work with coding agents."""

__version__ = "0.2.0"
COMPAT = "0.1.5"
"""The version of the original whose files and JSON we read and write alike."""
