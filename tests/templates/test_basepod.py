"""BasePOD: links and parts of RA-11127-001 V5, table 4.2."""

from collections import Counter
from typing import Any

import pytest

from rackbuilder.design.design import Design
from rackbuilder.errors import ProblemError
from rackbuilder.templates.basepod import Basepod
from tests.templates.published import ROWS, counted, findings, made, unfit


def kinds(design: Design) -> Counter[str]:
    """Cables by the fabrics and kinds of their ends."""
    found: Counter[str] = Counter()
    for cable in design.cables.values():
        ends = sorted(end.device.rsplit("-", 1)[0] for end in (cable.a, cable.b))
        found["-".join(ends)] += 1
    return found


@pytest.mark.parametrize("row", ROWS["basepod"]["rows"], ids=lambda r: str(r["servers"]))
def test_links_as_published(row: dict[str, Any]) -> None:
    """99 links at 4 servers and 173 at 8, less the Cat 6 ones: the bill does not say which ports those serve, so only
    the ones of BMCs and InfiniBand switches are drawn. Links, not plugs: a twin-port plug carries two.
    """
    found = counted(Basepod(servers=row["servers"]))
    links = kinds(found.design)
    assert links["leaf-srv"] == row["compute"]
    assert links["leaf-leaf"] == row["compute_isl"]
    in_band = links["inband-srv"] + links["inband-mgmt"] + links["inband-inband"] + links["inband-oob"]
    assert in_band == row["in_band"]
    rest = row["total"] - row["out_of_band"]
    assert links["leaf-srv"] + links["leaf-leaf"] + in_band == rest
    assert links["oob-srv"] == row["servers"]
    assert sum(links.values()) - rest <= row["out_of_band"]


@pytest.mark.parametrize("row", ROWS["basepod"]["rows"], ids=lambda r: str(r["servers"]))
def test_parts_as_published(row: dict[str, Any]) -> None:
    design = made(Basepod(servers=row["servers"]))
    types = Counter(d.type for d in design.devices.values())
    assert types["qm9700"] == row["qm9700"]
    assert types["sn4600c"] == row["sn4600c"]
    assert types["sn2201"] == row["sn2201"]
    assert types["head-node-1u-generic"] == row["managers"]
    optics = Counter(p.part for p in design.tables["plugs"].values())
    assert optics == {"mma4z00-ns-flt": row["server_optics"], "mma4z00-ns": row["switch_optics"]}
    twin = Counter(
        tuple(end.port.partition("/")[0] for end in (c.a, c.b))
        for c in design.cables.values()
        if c.part == "mcp4y10-nxxx"
    )
    assert len(twin) == row["isl_cables"]
    assert set(twin.values()) == {2}


@pytest.mark.parametrize("fields", [{"servers": 2, "server": "dgx-h100"}, {"servers": 4}, {"servers": 8}])
def test_nothing_is_found_wrong(fields: dict[str, Any]) -> None:
    design = made(Basepod(**fields))
    assert unfit(design) == []
    assert findings(design, "error", "warning") == []


def test_no_basepod_of_another_server() -> None:
    with pytest.raises(ProblemError, match="no published BasePOD"):
        made(Basepod(server="dgx-a100"))
