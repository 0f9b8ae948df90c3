"""What the author of a change saw of each spec that the change touches."""
