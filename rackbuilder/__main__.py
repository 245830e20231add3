"""The one entry point: the command line when a subcommand or option is given, else the window."""

import sys


def main() -> int:
    """`rackbuilder [FILE] [--screenshot OUT.png]` opens the window; everything else goes to the command line."""
    arguments = sys.argv[1:]
    from rackbuilder.cli.main import SUBCOMMANDS
    from rackbuilder.cli.main import main as command_line

    first = arguments[0] if arguments else ""
    if first in SUBCOMMANDS or (first.startswith("-") and first != "--screenshot"):
        return command_line(arguments)
    from rackbuilder.ui.app import main as window

    return window(arguments)


if __name__ == "__main__":
    sys.exit(main())
