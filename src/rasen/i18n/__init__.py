"""The languages people read."""
