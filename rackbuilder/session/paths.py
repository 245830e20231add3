"""Where files of this user live. The only user of appdirs; RACKBUILDER_HOME moves everything (tests, portable use)."""

import os
from pathlib import Path

import appdirs


def home() -> Path | None:
    """The folder that holds all user files, when the environment names one."""
    text = os.environ.get("RACKBUILDER_HOME", "")
    return Path(text) if text else None


def config_dir() -> Path:
    base = home()
    return base / "config" if base else Path(appdirs.user_config_dir("rackbuilder", appauthor=False))


def data_dir() -> Path:
    base = home()
    return base / "data" if base else Path(appdirs.user_data_dir("rackbuilder", appauthor=False))


def log_dir() -> Path:
    base = home()
    return base / "log" if base else Path(appdirs.user_log_dir("rackbuilder", appauthor=False))


def recovery_dir() -> Path:
    """One folder a document that is open, or was when its process ended."""
    return data_dir() / "recovery"
