"""Finds what ships with rackbuilder: the catalog, workloads, samples, help and icons."""

from pathlib import Path, PurePosixPath


def root() -> Path:
    """The folder of shipped data: inside the package in a wheel or bundle, beside it in a checkout.

    Raises FileNotFoundError when neither is there, which means a broken installation.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_resources", package.parent / "resources"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no resources beside {package}; install rackbuilder again")


def path(name: str) -> Path:
    """A shipped file or folder by its relative name with forward slashes; names that climb out are refused."""
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts:
        raise ValueError(f"not a name inside the resources: {name}")
    return root().joinpath(*relative.parts)
