"""A rotating log file; on the terminal only when asked. sys.stderr is None in a windowed program on Windows."""

import logging
import sys
from logging.handlers import RotatingFileHandler

from rackbuilder.session.paths import log_dir

LOGGER = logging.getLogger("rackbuilder")
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def start_log(verbose: bool = False) -> None:
    """Sets up the log once. A folder that cannot be written costs the log file, never the start."""
    if LOGGER.handlers:
        return
    LOGGER.setLevel(logging.DEBUG if verbose else logging.INFO)
    LOGGER.propagate = False
    try:
        log_dir().mkdir(parents=True, exist_ok=True)
        file = RotatingFileHandler(
            log_dir() / "rackbuilder.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
        )
        file.setFormatter(logging.Formatter(_FORMAT))
        LOGGER.addHandler(file)
    except OSError:
        LOGGER.addHandler(logging.NullHandler())
    if verbose and sys.stderr is not None:
        LOGGER.addHandler(logging.StreamHandler(sys.stderr))


def stop_log() -> None:
    """Closes the log's files."""
    for handler in list(LOGGER.handlers):
        LOGGER.removeHandler(handler)
        handler.close()
