"""The safe-files layer: the only code that writes, renames or deletes files."""
