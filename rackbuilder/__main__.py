"""The one entry point: the command line when a subcommand or option is given, else the window."""

import difflib
import os
import sys
from pathlib import Path

from rackbuilder.cli import SUBCOMMANDS


def main() -> int:
    """`rackbuilder [FILE] [--screenshot OUT.png]` opens the window; everything else goes to the command line."""
    arguments = sys.argv[1:]
    if _for_command_line(arguments[0] if arguments else ""):
        from rackbuilder.cli.main import main as command_line

        return command_line(arguments)
    if _no_display():
        sys.stderr.write("error: There is no display to open a window on\n")
        sys.stderr.write("  Fix: Use a subcommand; rackbuilder --help lists them.\n")
        return 2
    from rackbuilder.ui.app import main as window

    return window(arguments)


def _for_command_line(first: str) -> bool:
    """A subcommand or an option; or a subcommand misspelt, where no file is called so."""
    if first in SUBCOMMANDS or (first.startswith("-") and first != "--screenshot"):
        return True
    return bool(difflib.get_close_matches(first, SUBCOMMANDS, n=1, cutoff=0.75)) and not Path(first).exists()


def _no_display() -> bool:
    """Qt would end the process with a core dump."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform.startswith("linux") and not any(os.environ.get(name) for name in names)


if __name__ == "__main__":
    sys.exit(main())
