"""What the specs were, and which changes made them what they are."""
