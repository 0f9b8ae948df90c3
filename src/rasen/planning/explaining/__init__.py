"""What an archive would do with each line of a change."""
