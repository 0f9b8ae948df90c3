"""Planning stores: checkouts registered on this machine, their metadata, and what they offer."""
