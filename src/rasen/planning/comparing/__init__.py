"""What a change would make different in the specs."""
