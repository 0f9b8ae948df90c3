"""What people and programs call: the command line now, other surfaces later."""
