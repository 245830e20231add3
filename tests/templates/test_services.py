"""Storage, in-band and out-of-band networks: the published bill of 127 DGX H100."""

from collections import Counter
from typing import Any

import pytest

from rackbuilder.design.design import Design
from rackbuilder.design.records import Plug
from rackbuilder.errors import ProblemError
from rackbuilder.templates.superpod import Superpod
from tests.templates.published import ROWS, findings, made, unfit

BILL: dict[str, Any] = ROWS["bill_h100_127"]


@pytest.fixture(scope="module")
def whole() -> Design:
    return made(Superpod(units=4, storage=True, in_band=True, out_of_band=True))


def links(design: Design) -> Counter[str]:
    """Cables by the ids of their ends without numbers."""
    found: Counter[str] = Counter()
    for cable in design.cables.values():
        found["-".join(sorted(end.device.rsplit("-", 1)[0] for end in (cable.a, cable.b)))] += 1
    return found


def test_devices_of_the_bill(whole: Design) -> None:
    types = Counter(d.type for d in whole.devices.values())
    assert types["dgx-h100"] == BILL["servers"]
    assert types["qm9700"] == BILL["qm9700_compute"] + BILL["qm9700_storage"]
    assert types["sn4600c"] == BILL["sn4600c"]
    assert types["sn2201"] == BILL["sn2201"]
    assert types["head-node-1u-generic"] == BILL["managers"]
    assert len(whole.racks) == BILL["racks"]


def test_compute_links_and_optics(whole: Design) -> None:
    """1,016 to servers and 1,024 to spines are 2,040; 48 switches of 32 cages are 1,536 plugs, 127 servers of 4 508."""
    found = links(whole)
    assert found["leaf-srv"] + found["leaf-spine"] == BILL["compute_links"]
    plugs: Counter[str] = Counter()
    for plug in whole.tables["plugs"].values():
        assert isinstance(plug, Plug)
        plugs[f"{plug.id.partition('-')[0]} {plug.part}"] += 1
    switches = plugs["leaf mma4z00-ns"] + plugs["spine mma4z00-ns"]
    assert switches == BILL["compute_switch_optics"]
    assert plugs["srv mma4z00-ns-flt"] == BILL["compute_server_optics"]
    assert plugs["ufm mma4z00-ns400"] == BILL["compute_manager_optics"]
    assert plugs["srv mma1z00-ns400"] == BILL["storage_server_optics"]
    # 254 + 2 x 240 ports in twin plugs, each leaf rounded up: 96 + 32 + 96 + 24 + 120 = 368. Six managers' links make
    # the 369 of the bill: (734 + 4) / 2.
    assert plugs["stleaf mma4z00-ns"] + plugs["stspine mma4z00-ns"] == BILL["storage_switch_optics"] - 1


def test_storage_links(whole: Design) -> None:
    """48 splitters of two links each; all 494 others are NDR."""
    found = links(whole)
    assert found["srv-stleaf"] + found["stleaf-stspine"] == BILL["storage_ndr"]
    heads = {
        (c.b.device, c.b.port.partition("/")[0]) for c in whole.cables.values() if c.part == "mfa7u10-h00x"
    }
    assert found["stleaf-store"] == 2 * len(heads) == 2 * BILL["storage_splitters"]
    stores = Counter(c.a.device for c in whole.cables.values() if c.a.device.startswith("store"))
    assert set(stores.values()) == {8}


def test_management_links(whole: Design) -> None:
    found = links(whole)
    assert found["inband-srv"] == BILL["in_band_servers"]
    assert found["inband-mgmt"] == BILL["in_band_managers"]
    assert found["inband-inband"] == BILL["in_band_peers"]
    assert found["inband-inbandcore"] == BILL["in_band_leaf_core"]
    assert found["oob-srv"] == BILL["out_of_band_servers"]
    infiniband = found["leaf-oob"] + found["oob-spine"] + found["oob-stleaf"] + found["oob-stspine"]
    assert infiniband == BILL["out_of_band_infiniband_switches"]
    assert found["inbandcore-oob"] == BILL["out_of_band_uplinks"]


def test_every_server_has_two_ways_out(whole: Design) -> None:
    """Into storage and in-band: each link to another switch."""
    for network in ("stleaf", "inband"):
        ends: dict[str, set[str]] = {}
        for cable in whole.cables.values():
            if cable.a.device.startswith("srv") and cable.b.device.startswith(f"{network}-"):
                ends.setdefault(cable.a.device, set()).add(cable.b.device)
        assert len(ends) == BILL["servers"]
        assert {len(switches) for switches in ends.values()} == {2}


def test_compute_is_the_same_with_and_without(whole: Design) -> None:
    """The other networks come after: no id and no port of the compute fabric changes."""
    bare = made(Superpod(units=4))
    for table in ("devices", "cables", "racks", "plugs"):
        for identity, record in bare.tables[table].items():
            assert whole.tables[table][identity] == record


def test_it_fits_without_an_error(whole: Design) -> None:
    assert unfit(whole) == []
    assert findings(whole, "error") == []


@pytest.mark.parametrize("fields", [{"units": 1, "server": "dgx-b200"}, {"units": 9}])
def test_other_sizes_fit(fields: dict[str, Any]) -> None:
    design = made(Superpod(storage=True, in_band=True, out_of_band=True, **fields))
    assert unfit(design) == []
    assert findings(design, "error") == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"units": 16}, "more than one storage fabric"),
        ({"units": 1, "server": "dgx-b300-busbar"}, "no storage network"),
        ({"units": 1, "server": "dgx-b300-psu"}, "no storage network"),
    ],
)
def test_no_storage_where_nothing_is_published(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        made(Superpod(storage=True, **fields))


def test_no_in_band_without_ports() -> None:
    """Of the busbar version of the DGX B300 only the compute ports were read."""
    with pytest.raises(ProblemError, match="no in-band ports"):
        made(Superpod(units=1, server="dgx-b300-busbar", in_band=True))
