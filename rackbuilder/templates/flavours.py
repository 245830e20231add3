"""What the published SuperPODs are made of: servers of a unit, switches, media. Figures with their source.

H100: RA-11333-001 V11. B200: RA-11334. B300: RA-11339-001 (Quantum-X800) and RA-11337 (Spectrum-4, busbar).
A100: RA-09950-001, read second-hand. Fabrics that no reference gives for a server are marked so.
"""

from typing import NamedTuple

from rackbuilder.errors import refusal, unknown_name
from rackbuilder.templates.media import UNCHOSEN, Media


class Build(NamedTuple):
    """How a server is racked, and which fabrics it may have, the published one first."""

    servers_per_rack: int
    rack: str
    fabrics: tuple[str, ...] = ("ndr", "spectrum-x", "roce")


BUILDS = {
    "dgx-h100": Build(4, "52u-700x1200"),
    "dgx-h200": Build(4, "52u-700x1200"),
    "dgx-b200": Build(2, "52u-700x1200"),
    "dgx-b300-psu": Build(4, "52u-700x1200", ("xdr", "spectrum-x")),
    "dgx-b300-busbar": Build(4, "52u-700x1200", ("spectrum-x", "xdr")),
    "dgx-a100": Build(4, "52u-700x1200", ("hdr",)),
}
"""H100 and H200: more than 40 kW a rack, four of 10.2 kW (RA-11333-001). B200: two a rack (RA-11334). B300: four a
rack, 56 kW (RA-11339-001). A100: four a rack, five racks a unit (RA-09950-001, second-hand)."""


class Flavour(NamedTuple):
    """One kind of compute fabric.

    servers      of a full unit
    split        ways that every cage of a switch is split, and the cages of servers with it
    planes       every GPU has a port into each
    shelf        switches of a network rack: from height and power
    manager      part of the fabric manager that takes leaf ports; empty: the reference counts none
    max_units    the largest published size; beyond it nothing is known
    """

    switch: str
    servers: int
    max_units: int
    shelf: int = 16
    split: int = 1
    planes: int = 1
    technology: str = ""
    manager: str = ""
    down: Media = UNCHOSEN
    up: Media = UNCHOSEN
    managed: Media = UNCHOSEN


_FIBRE, _SWITCH_OPTIC = "mfp7e10-nxxx", "mma4z00-ns"
_NDR = Flavour(
    switch="qm9700",
    servers=32,
    max_units=64,
    manager="ufm-enterprise-ndr",
    down=Media(_FIBRE, "mma4z00-ns-flt", _SWITCH_OPTIC),
    up=Media(_FIBRE, _SWITCH_OPTIC, _SWITCH_OPTIC),
    managed=Media(_FIBRE, "mma4z00-ns400", _SWITCH_OPTIC),
)
_XDR = Flavour(switch="q3400-ra", servers=72, max_units=18, shelf=6)
_TWIN_PLANE = Flavour(
    switch="sn5600", servers=64, max_units=16, split=2, planes=2, technology="spectrum-x-400g"
)
_HDR = Flavour(switch="qm8790", servers=20, max_units=7)
# Ethernet switches of 64 ports of 400 Gb/s in the place of the QM9700: the same counts, not published as a SuperPOD.
_SPECTRUM_X = Flavour(switch="sn5400", servers=32, max_units=64)
_ROCE = Flavour(switch="sn5400", servers=32, max_units=64, technology="roce-400g")

_EIGHT_800G = ("dgx-b300-psu", "dgx-b300-busbar")


def flavour_of(server: str, fabric: str) -> Flavour:
    """The fabric of a SuperPOD of a server; “auto” is the published one. Raises ProblemError for one it has not."""
    build = BUILDS[server]
    name = build.fabrics[0] if fabric == "auto" else fabric
    if name in build.fabrics:
        if name == "spectrum-x":
            return _TWIN_PLANE if server in _EIGHT_800G else _SPECTRUM_X
        return {"ndr": _NDR, "xdr": _XDR, "hdr": _HDR, "roce": _ROCE}[name]
    known = ("auto", "ndr", "xdr", "hdr", "spectrum-x", "roce")
    if name not in known:
        raise unknown_name("fabric", name, known, "superpod fabric")
    raise refusal(
        f"The ports of {server} do not make a fabric of {name}",
        "superpod fabric",
        f"Choose {' or '.join(build.fabrics)}.",
    )
