"""Questions to git; nothing here changes a repository."""
