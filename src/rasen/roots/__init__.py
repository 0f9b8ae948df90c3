"""Which planning root a command works on, why, and what that root says about itself."""
