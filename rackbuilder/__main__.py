"""The one entry point: the command line when a subcommand or option is given, else the window."""

import sys

from rackbuilder.cli import SUBCOMMANDS


def main() -> int:
    """`rackbuilder [FILE] [--screenshot OUT.png]` opens the window; everything else goes to the command line."""
    arguments = sys.argv[1:]
    first = arguments[0] if arguments else ""
    if first in SUBCOMMANDS or (first.startswith("-") and first != "--screenshot"):
        from rackbuilder.cli.main import main as command_line

        return command_line(arguments)
    from rackbuilder.ui.app import main as window

    return window(arguments)


if __name__ == "__main__":
    sys.exit(main())
