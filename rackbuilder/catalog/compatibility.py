"""Which plug fits which cage, which optics and fibres meet, and what a link then is. Pure rules, no design.

Sources: LinkX 100G-PAM4 and 200G-PAM4 overviews (finned and flat OSFP are not interchangeable; QSFP112 cages also take
QSFP56 and QSFP28 and step down; multimode and single-mode never mate; 100G and 200G lanes of optics do not step down;
FR4 takes no splitter; both fibres of a twin-port optic are straight or both split), ConnectX-7 and XDR switch manuals.
"""

import re
from typing import Literal, NamedTuple

from rackbuilder.catalog.parts import CableType, Cages, OpticType, PlugEnd, Protocol, Top
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


# ---- plugs in cages


class Misfit(NamedTuple):
    """Why a plug is wrong in a cage: another connector, the wrong heat sink, too few or too many ports."""

    kind: Literal["connector", "top", "ports"]
    text: str


class PlugShape(NamedTuple):
    """A plug as a cage sees it. `links` are its ports; `rate_bps` is that of one of them."""

    connector: str
    top: Top
    links: int
    rate_bps: float | None


def shape_of_optic(optic: OpticType) -> PlugShape:
    return PlugShape(optic.connector, optic.top, optic.ports, optic.rate_bps)


def shape_of_end(end: PlugEnd, rate_bps: float | None) -> PlugShape:
    """An end of a cable whose links have this rate."""
    return PlugShape(end.connector, end.top, end.links, rate_bps)


def plug_misfit(plug: PlugShape, cages: Cages) -> Misfit | None:
    """What is wrong with a plug in cages; None when it fits or nobody published what the cages are."""
    reason = mates(plug.connector, plug.top, cages)
    if reason:
        return Misfit("top" if "OSFP plug has" in reason else "connector", reason)
    if plug.connector != "OSFP" or cages.connector != "OSFP":
        return None
    if plug.links < cages.ports:
        return Misfit("ports", f"a single-port plug leaves a port of the {_ports_word(cages)} cage unused")
    most = cages.ports * max((1, *cages.splits))
    if plug.links > most and _total(plug.links, plug.rate_bps) > _total(cages.ports, cages.rate_bps):
        return Misfit("ports", f"a twin-port plug is more than the {_ports_word(cages)} cage takes")
    return None


def _total(ports: int, rate_bps: float | None) -> float:
    return ports * (rate_bps or 0.0)


def _ports_word(cages: Cages) -> str:
    return "twin-port" if cages.ports == 2 else "single-port" if cages.ports == 1 else f"{cages.ports}-port"


def plug_family(cages: Cages) -> str:
    """What belongs into cages, in words: “a twin-port finned (IHS) OSFP plug”."""
    if cages.connector != "OSFP":
        return f"a {cages.connector} plug"
    top = "" if cages.top == "none" else f"{_TOPS[cages.top].removeprefix('a ')} "
    return f"a {_ports_word(cages)} {top}OSFP plug"


# ---- optics and fibres

_COUNT = re.compile(r"^\d+x ")
_LANES = re.compile(r"(?:SR|DR|FR|LR|CWDM)(\d+)")


def optic_kind(optic: OpticType) -> str:
    """“SR4”, “DR4”, “FR4”; from fibre and connector where the kind is not printed. Empty: unknown."""
    found = _LANES.search(optic.optics)
    if found:
        return found[0]
    if "MPO-12" in optic.fibre_connector and optic.rate_bps and optic.rate_bps >= 200e9:
        return {"multimode": "SR4", "single-mode": "DR4"}.get(optic.medium, "")
    return ""


def lane_bps(optic: OpticType) -> float | None:
    """Rate of one lane, per direction: a quarter of the port for SR4, DR4 and FR4."""
    found = _LANES.search(optic_kind(optic))
    return None if found is None or optic.rate_bps is None else optic.rate_bps / int(found[1])


def ferrule(optic: OpticType) -> str:
    """The fibre connector of one port: “MPO-12/APC” of “2x MPO-12/APC”."""
    return _COUNT.sub("", optic.fibre_connector)


def optics_apart(a: OpticType, b: OpticType) -> str | None:
    """Why two optics never make a link over one fibre; None when they do, or too little is published."""
    if "unknown" not in (a.medium, b.medium) and a.medium != b.medium:
        return f"{a.medium} and {b.medium} optics mate and never link: wavelength and core differ"
    lanes = lane_bps(a), lane_bps(b)
    if lanes[0] and lanes[1] and lanes[0] != lanes[1]:
        fast, slow = (f"{x / 1e9:g}G" for x in sorted((lanes[0], lanes[1]), reverse=True))
        return f"optics with {fast} lanes cannot step down to {slow} lanes"
    kinds = optic_kind(a), optic_kind(b)
    if all(kinds) and kinds[0] != kinds[1]:
        return f"{kinds[0]} and {kinds[1]} optics do not understand each other"
    ends = ferrule(a), ferrule(b)
    if all(ends) and not _ferrules_meet(*ends):
        return f"one has {ends[0]}, the other {ends[1]}: no one cord fits both"
    return None


def _ferrules_meet(a: str, b: str) -> bool:
    """The polish may be unsaid on one side."""
    (one, _, polish), (two, _, other) = a.partition("/"), b.partition("/")
    return one == two and (not polish or not other or polish == other)


def fibre_misfit(optic: OpticType, fibre: CableType) -> str | None:
    """Why a fibre is wrong for an optic; None when it is right, or too little is published."""
    if "unknown" not in (optic.medium, fibre.medium) and optic.medium != fibre.medium:
        return f"the fibre is {fibre.medium}, the optic {optic.medium}"
    plug = ferrule(optic).partition("/")[0]
    if plug and fibre.a.connector not in ("", plug):
        return f"the fibre ends in {fibre.a.connector}, the optic takes {ferrule(optic)}"
    printed = str(fibre.facts.get("connector_print", ""))
    polish = ferrule(optic).partition("/")[2]
    if polish and "/" in printed and f"/{polish}" not in printed:
        return f"the fibre is polished as {printed}, the optic takes {ferrule(optic)}: angled and flat never mate"
    if fibre.form == "splitter-fibre" and optic_kind(optic).startswith(("FR", "LR", "CWDM")):
        return f"{optic_kind(optic)} optics take no splitter: all their light is in one pair of fibres"
    return None


def reach_m(*parts: OpticType | CableType) -> float | None:
    """How far a link of these parts goes: the least of what is published; None when nothing is."""
    known = [part.reach_max_m for part in parts if part.reach_max_m is not None]
    return min(known, default=None)


def generation_fault(cable: CableType, rate_bps: float) -> str | None:
    """What XDR does not have: multimode, active optical cables, passive copper (200G lanes)."""
    if rate_bps < 800e9 or cable.medium not in ("multimode", "active-optical", "passive-copper"):
        return None
    if cable.rate_bps is not None and cable.rate_bps < rate_bps and cable.links > 1:
        return None  # two 400G links of a twin-port cable, on 100G lanes
    return f"800 Gb/s on 200G lanes has no {cable.medium.replace('-', ' ')}: use active copper or single-mode"


# ---- air

Direction = Literal["P2C", "C2P"]
"""Power side to connector side (F), or connectors to power (R)."""


def right_air(ports_at: Literal["front", "rear"]) -> Direction:
    """The version of a switch that breathes the cold aisle, in front of a rack, by where its ports look."""
    return "P2C" if ports_at == "rear" else "C2P"
