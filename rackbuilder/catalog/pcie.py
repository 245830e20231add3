"""What PCI Express carries, from the reference part `pcie-generations` (GB/s per direction, after encoding)."""

from rackbuilder.catalog.catalog import Catalog

REFERENCE = "pcie-generations"


def pcie_bytes_s(catalog: Catalog, generation: int | None, lanes: int | None) -> float | None:
    """Bytes per second and direction of so many lanes: 63e9 for generation 5 with 16. None when one is unknown."""
    table = catalog.part(REFERENCE).facts.get("x16_gbytes_s")
    if generation is None or lanes is None or not isinstance(table, dict):
        return None
    whole = table.get(str(generation))
    return float(whole) * 1e9 * lanes / 16 if isinstance(whole, int | float) else None
