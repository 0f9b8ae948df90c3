"""Archiving: merge a change's deltas into the specs and file the change away, all or nothing."""
