"""The artifact graph: which documents a change has, what each needs, and how to write them."""
