"""Cable and optics of a kind of link, as a reference names them."""

from typing import NamedTuple


class Media(NamedTuple):
    """Cable and optics of one kind of link, where a reference names them; empty: chosen later, an open point."""

    cable: str = ""
    low: str = ""
    """Optic at the server, or at the lower switch."""
    high: str = ""

    def parts(self) -> tuple[str, ...]:
        return tuple(part for part in self if part)


UNCHOSEN = Media()
