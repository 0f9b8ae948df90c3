"""Run the command line as `python -m rasen`."""

from rasen.surfaces.cli.main import entry

if __name__ == "__main__":
    entry()
