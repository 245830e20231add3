"""The PCIe rates the graph computes with are those of the catalog: one figure, two readers."""

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.pcie import pcie_bytes_s
from rackbuilder.topology.pcie import X16_BYTES_S


@pytest.mark.parametrize("generation", X16_BYTES_S)
def test_same_rate(generation: int) -> None:
    assert pcie_bytes_s(shipped(), generation, 16) == X16_BYTES_S[generation]
