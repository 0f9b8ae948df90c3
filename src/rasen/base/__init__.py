"""Values and errors that every folder shares; no input or output, standard library only."""
