"""Use cases that span subsystems; every module here is a door for surfaces."""
