"""How long templates take at full size, as ratios to a loop of plain Python on the same machine at the same moment."""

from __future__ import annotations

import resource

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.design.design import Design
from rackbuilder.templates import Regenerate
from rackbuilder.templates.superpod import Superpod
from tests.bench.test_loads_scale import best, report

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]


def made(units: int) -> Design:
    return Design().apply(Superpod(units=units, fabric_manager=False).plan(Design(), shipped()))


@pytest.mark.parametrize(("units", "must_s"), [(4, 1.0), (64, 15.0)], ids=["1,024 GPUs", "16,384 GPUs"])
def test_superpod(units: int, must_s: float) -> None:
    """Planned and applied; 16,384 GPUs are 49,152 cables and as many optics."""
    seconds = best(lambda: made(units), 3 if units < 16 else 1)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    report(f"template of {units * 256:,} GPUs (process at most {peak_mb} MB)", seconds, must_s)


def test_doubled() -> None:
    """512 to 1,024 GPUs: planned and applied as one patch."""
    small = made(2)
    seconds = best(lambda: small.apply(Regenerate(fields={"units": 4}).plan(small, shipped())))
    report("512 to 1,024 GPUs run again", seconds, 2.0)
