"""Which workflows a project or a machine wants."""
