"""Which plug fits which cage, and what a link between two ports then is. Pure rules, no design.

Sources: LinkX 100G-PAM4 overview (finned and flat OSFP are not interchangeable; QSFP112 cages also take QSFP56 and
QSFP28 and step down) and ConnectX-7 and XDR switch manuals.
"""

from rackbuilder.catalog.parts import Cages, Protocol, Top
from rackbuilder.catalog.ports import Port

_ACCEPTS: dict[str, tuple[str, ...]] = {
    "QSFP112": ("QSFP112", "QSFP56", "QSFP28"),
    "QSFP56": ("QSFP56", "QSFP28"),
    "QSFP-DD": ("QSFP-DD", "QSFP56", "QSFP28"),
    "SFP28": ("SFP28", "SFP"),
}
"""Cage -> plugs it takes. A newer cage takes older plugs of its family and steps down; never the other way round."""
_TOPS = {"finned": "a finned (IHS)", "flat": "a flat (RHS)"}
UNKNOWN = "unknown"


def mates(connector: str, top: Top, cages: Cages) -> str | None:
    """Why a plug does not go into cages; None when it does, or when nobody published what the cages are."""
    if UNKNOWN in (connector, cages.connector):
        return None
    if connector not in _ACCEPTS.get(cages.connector, (cages.connector,)):
        return f"its plug is {connector}, the cage {cages.connector}"
    if connector.startswith("OSFP") and "none" not in (top, cages.top) and top != cages.top:
        return f"its OSFP plug has {_TOPS[top]} top, the cage takes {_TOPS[cages.top]} one"
    return None


def link_rate_bps(a: Port, b: Port) -> float | None:
    """What a link between two ports carries, per direction: the slower end. None when one is unknown."""
    if a.rate_bps is None or b.rate_bps is None:
        return None
    return min(a.rate_bps, b.rate_bps)


def protocols_meet(a: tuple[Protocol, ...], b: tuple[Protocol, ...]) -> bool:
    """Whether two ends can talk; an end whose protocols nobody published is given the benefit of the doubt."""
    return not a or not b or not set(a).isdisjoint(b)
