"""The flags of every command, one module for each group."""
