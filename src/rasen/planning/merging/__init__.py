"""How a delta becomes part of a spec: what it may do, and the text that comes out."""
