"""Strict readers of general formats: YAML, JSON, Markdown lines; no word of our subject."""
