"""Which projects this machine knows, their identities, and the homes of their private files."""
