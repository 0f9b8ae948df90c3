"""Living specs: what they hold, how they are read, and what makes one sound."""
