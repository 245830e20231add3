"""What PCI Express carries, per direction, by generation and lanes."""

from rackbuilder.catalog.parts import GpuType, NicType
from rackbuilder.topology.figures import Figures
from rackbuilder.units import Figure, unknown, weakest

X16_BYTES_S: dict[int, float] = {3: 15.75e9, 4: 31.5e9, 5: 63.0e9, 6: 121.0e9}
"""Sixteen lanes, after encoding: 8, 16 and 32 GT/s with 128b/130b; 64 GT/s with FLITs of 242 in 256 bytes.
Source: https://github.com/stas00/ml-engineering, network/README.md (commit 744d01e)."""


def pcie_bytes_s(part: GpuType | NicType, figures: Figures) -> Figure:
    """Bytes per second and direction of a card's slot; unknown without generation or lanes."""
    generation, lanes = figures.part(part, "pcie_generation"), figures.part(part, "pcie_lanes")
    if generation.value is None or lanes.value is None:
        names = (*generation.missing, *lanes.missing)
        return Figure(None, missing=names)
    whole = X16_BYTES_S.get(int(generation.value))
    if whole is None:
        return unknown(f"rate of PCIe generation {generation.value:g}")
    return Figure(whole * lanes.value / 16, grade=weakest((generation.grade, lanes.grade, "B")))
