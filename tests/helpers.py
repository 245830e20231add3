"""What several kinds of test need of the machine."""

import contextlib
from collections.abc import Iterator

import pytest


@contextlib.contextmanager
def files_at_most(size_bytes: int) -> Iterator[None]:
    """As on a disk that is nearly full: a file that grows larger is an error of the system for its writer."""
    resource = pytest.importorskip("resource")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
