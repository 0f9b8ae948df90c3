"""What archives and syncs did: the journals they leave, taking one back, and what these tell of the past."""
