"""Pipelines as definitions: their stages, layers and checks."""
