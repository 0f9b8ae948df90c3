"""Which generated files are ours, and what may be done with them."""
