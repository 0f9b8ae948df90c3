"""Worksets: named groups of folders on this machine that are opened together."""
