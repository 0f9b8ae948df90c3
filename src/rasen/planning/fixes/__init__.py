"""Remedies: what can be mended about a finding without asking what was meant."""
