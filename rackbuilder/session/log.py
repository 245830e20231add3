"""A rotating log file; on the terminal only when asked. sys.stderr is None in a windowed program on Windows."""

import logging
import sys
from logging.handlers import RotatingFileHandler

from rackbuilder.session.paths import log_dir

LOGGER = logging.getLogger("rackbuilder")
_FILE, _TERMINAL = "rackbuilder file", "rackbuilder terminal"
"""Names of our handlers: others may hang theirs on the logger too."""
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def start_log(verbose: bool = False) -> None:
    """Sets up the log once. A folder that cannot be written costs the log file, never the start."""
    if _ours():
        return
    LOGGER.setLevel(logging.DEBUG if verbose else logging.INFO)
    LOGGER.propagate = False
    try:
        log_dir().mkdir(parents=True, exist_ok=True)
        file = RotatingFileHandler(
            log_dir() / "rackbuilder.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8", delay=True
        )
        file.setFormatter(logging.Formatter(_FORMAT))
        _add(file, _FILE)
    except OSError:
        _add(logging.NullHandler(), _FILE)
    if verbose and sys.stderr is not None:
        _add(logging.StreamHandler(sys.stderr), _TERMINAL)


def _add(handler: logging.Handler, name: str) -> None:
    handler.set_name(name)
    LOGGER.addHandler(handler)


def _ours() -> list[logging.Handler]:
    return [handler for handler in LOGGER.handlers if handler.get_name() in (_FILE, _TERMINAL)]


def stop_log() -> None:
    """Closes the log's files."""
    for handler in _ours():
        LOGGER.removeHandler(handler)
        handler.close()
