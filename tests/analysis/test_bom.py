"""The bill of materials: pieces, not links; plugs only where fibre needs them; everything open is said."""

from __future__ import annotations

from rackbuilder.analysis.bom import order_number
from rackbuilder.analysis.results import Bom, BomLine
from rackbuilder.design.records import CableAssembly
from rackbuilder.topology.graphs import build_graphs
from tests.analysis.facility.samples import FIBRE, Room, report_of


def bom_of(room: Room) -> Bom:
    found = room.report().bom
    assert found is not None
    return found


def lines_of(room: Room, section: str) -> dict[str, BomLine]:
    return {line.part: line for line in bom_of(room).lines if line.section == section}


def pair() -> Room:
    room = Room()
    room.switch("leaf-01")
    room.switch("spine-01")
    return room


def test_direct_attach_and_active_optical_cables_need_no_optics() -> None:
    """10 twin-port DACs, 10 AOCs, 10 fibre links with optics at both ends: 0, 0 and 20 plugs; 10 fibres."""
    room = pair()
    room.switch("hdr-01", "qm8700")
    room.switch("hdr-02", "qm8700")
    for n in range(10):
        for port in (1, 2):
            room.cable(f"leaf-01:osfp{n + 1}/{port}", f"spine-01:osfp{n + 1}/{port}", part="mcp4y10")
        room.cable(f"hdr-01:qsfp{n + 1}/1", f"hdr-02:qsfp{n + 1}/1", part="mfs1s00", length_m=5)
        room.cable(f"leaf-01:osfp{n + 11}/1", f"spine-01:osfp{n + 11}/1", part="mfp7e10")
        room.plug(f"leaf-01:osfp{n + 11}")
        room.plug(f"spine-01:osfp{n + 11}")
    cables = lines_of(room, "cables")
    assert {part: line.quantity for part, line in cables.items()} == {
        "mcp4y10": 10,
        "mfs1s00": 10,
        "mfp7e10": 10,
    }
    assert cables["mfs1s00"].unit == "piece of 5 m"
    assert {part: line.quantity for part, line in lines_of(room, "optics").items()} == {"mma4z00-ns": 20}
    bom = bom_of(room)
    assert (bom.cable_count, bom.at_least, bom.links_without_part) == (40, False, 0)


def test_cables_equal_the_edges_of_the_graphs() -> None:
    """Fabric links, management cords and a cable in no fabric; the backplane of a rack assembly is no cable."""
    room = pair()
    room.nvl72()
    for n in range(4):
        room.cable(f"rack-01-tray-01:osfp{n + 1}/1", f"leaf-01:osfp{n + 1}/1", part="mfp7e10")
    room.cable("leaf-01:osfp9/1", "spine-01:osfp9/1")
    room.cable("leaf-01:mgmt1/1", "spine-01:mgmt1/1", part="cat6")
    design = room.done()
    bom = report_of(design).bom
    assert bom is not None
    graphs = build_graphs(design)
    edges = sum(len(data["cables"]) for fabric in graphs.fabrics.values() for _, _, data in fabric.edges())
    assert bom.cable_count == edges + len(graphs.loose) == 6
    assert sum(line.quantity for line in bom.lines if line.section == "cables") == 6


def test_a_link_without_a_part_is_an_open_point() -> None:
    room = pair()
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1")
    room.cable("leaf-01:osfp1/2", "spine-01:osfp1/2")
    bom = bom_of(room)
    (line,) = [line for line in bom.lines if line.section == "cables"]
    assert (line.part, line.quantity, line.unit, line.grade) == ("", 2, "link", "U")
    assert (bom.at_least, bom.links_without_part) == (True, 2)
    assert bom.open_points[0].startswith("2 links have no cable or fibre chosen: 2 compute")


def test_a_fibre_without_optics_is_open_at_each_cage() -> None:
    room = pair()
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mfp7e10", length_m=10)
    room.cable("leaf-01:osfp1/2", "spine-01:osfp1/2", part="mfp7e10", length_m=10)
    bom = bom_of(room)
    (line,) = [line for line in bom.lines if line.section == "optics"]
    assert (line.part, line.quantity, line.unit) == ("", 2, "cage")
    assert bom.at_least
    assert "2 cages take a fibre and have no optic chosen: leaf-01:osfp1, spine-01:osfp1." in bom.open_points


def test_one_piece_carries_all_links_of_a_twin_cable() -> None:
    """Both links of a cage pair are one cable; one used of two is still a whole cable; crossed ones are two."""
    room = pair()
    room.switch("spine-02")
    for end in ("1/1", "1/2"):
        room.cable(f"leaf-01:osfp{end}", f"spine-01:osfp{end}", part="mcp4y10")
    room.cable("leaf-01:osfp2/1", "spine-01:osfp2/1", part="mcp4y10")
    room.cable("leaf-01:osfp3/1", "spine-01:osfp3/1", part="mcp4y10")
    room.cable("leaf-01:osfp3/2", "spine-02:osfp3/1", part="mcp4y10")
    assert lines_of(room, "cables")["mcp4y10"].quantity == 4


def test_one_piece_carries_all_branches_of_a_splitter() -> None:
    room = Room()
    room.switch("leaf-01")
    for n in (1, 2, 3):
        room.device(f"srv-{n:04d}", "hca-server")
    room.cable("leaf-01:osfp1/1", "srv-0001:hca1/1", part="mca7j60")
    room.cable("srv-0002:hca1/1", "leaf-01:osfp1/2", part="mca7j60")
    room.cable("srv-0003:hca1/1", "leaf-01:osfp2/1", part="mca7j60")
    assert lines_of(room, "cables")["mca7j60"].quantity == 2
    point = "MCA7J60-Nxxx can no longer be ordered (no longer for sale (vendor list, 2026-09-23))."
    assert point in bom_of(room).open_points


def test_an_assembly_is_one_piece_whatever_hangs_on_it() -> None:
    room = pair()
    room.draft.put("assemblies", CableAssembly(id="trunk-01", part="mfp7e10", length_m=20))
    for n in range(6):
        room.cable(f"leaf-01:osfp{n + 1}/1", f"spine-01:osfp{n + 1}/1", assembly="trunk-01")
    line = lines_of(room, "cables")["mfp7e10"]
    assert (line.quantity, line.unit) == (1, "piece of 20 m")
    assert bom_of(room).cable_count == 6


def test_the_order_number_is_that_of_the_length() -> None:
    room = pair()
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mcp4y10", length_m=1.5)
    assert lines_of(room, "cables")["mcp4y10"].part_number == "980-9IA0Q-00N01A"
    room = pair()
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mcp4y10", length_m=7)
    assert lines_of(room, "cables")["mcp4y10"].part_number == ""
    points = bom_of(room).open_points
    assert "MCP4Y10-Nxxx is not listed in 7 m; listed lengths in m: 0.5, 1, 1.5, 2." in points


def test_what_exists_is_listed_and_not_ordered() -> None:
    room = Room()
    room.switch("leaf-01", state="existing")
    room.switch("spine-01")
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mfp7e10", length_m=5, state="existing")
    room.cable("leaf-01:osfp2/1", "spine-01:osfp2/1", part="mfp7e10", length_m=5, state="spare")
    for cage in ("leaf-01:osfp1", "spine-01:osfp1", "leaf-01:osfp2", "spine-01:osfp2"):
        room.plug(cage)
    switch, cable = lines_of(room, "switches")["qm9700"], lines_of(room, "cables")["mfp7e10"]
    assert (switch.quantity, switch.note) == (1, "1 more exist and are not ordered")
    assert (cable.quantity, cable.note) == (1, "1 more exist and are not ordered; 1 of them spare")
    assert lines_of(room, "optics")["mma4z00-ns"].quantity == 2
    assert bom_of(room).cable_count == 2


def test_scale_up_and_scale_out_are_told_apart() -> None:
    room = pair()
    room.nvl72()
    room.rack("rack-02")
    room.device("srv-0001", "dgx-h100", rack="rack-02", u=1)
    room.device("pdu-01", "pdu", rack="rack-02", slot="side-left")
    found = {line.part: (line.section, line.scope) for line in bom_of(room).lines}
    assert found == {
        "dgx-h100": ("servers", "scale-up"),
        "tray": ("servers", "scale-up"),
        "nvsw": ("switches", "scale-up"),
        "qm9700": ("switches", "scale-out"),
        "nvl72": ("racks", "scale-up"),
        "52u": ("racks", "facility"),
        "pdu": ("power", "facility"),
        "shelf": ("power", "facility"),
    }
    tray = lines_of(room, "servers")["tray"]
    assert (tray.quantity, tray.note, tray.used_by) == (
        18,
        "18 of them in nvl72, ordered with the rack",
        "72 GPUs",
    )


def test_switches_say_what_they_are_for() -> None:
    room = Room()
    for name in ("leaf-01", "leaf-02", "spine-01"):
        room.switch(name)
    for n, leaf in enumerate(("leaf-01", "leaf-02")):
        room.device(f"srv-{n + 1:04d}", "dgx-h100")
        room.cable(f"srv-{n + 1:04d}:osfp1/1", f"{leaf}:osfp1/1", part="mfp7e10")
        room.cable(f"{leaf}:osfp20/1", f"spine-01:osfp{n + 1}/1", part="mfp7e10")
    assert lines_of(room, "switches")["qm9700"].used_by == "compute: 2 leaves, 1 spine"
    assert lines_of(room, "cables")["mfp7e10"].used_by == "compute leaf–spine 2, compute server–leaf 2"


def test_doubtful_parts_are_open_points() -> None:
    room = Room()
    room.nvl72()
    room.switch("hdr-01", "qm8700")
    room.device("srv-0001", "hca-server")
    room.device("srv-0002", "dgx-h100")
    points = bom_of(room).open_points
    assert "GB200 NVL72: have the vendor confirm that 72 GPUs share one scale-up domain." in points
    assert "GB200 tray: not verified: power_max_w." in points
    assert "QM8700: legacy." in points
    assert "QM8700: not verified: power_typical_w, power_planning_w." in points
    assert "No maximum of QM8700 is published: its planning value stands for it." in points
    assert "power_max_w of hca-server is unknown: the power sum is a lower bound." in points
    # The vendor confirmed the eight GPUs of a DGX H100, so nothing is asked about it.
    assert not [p for p in points if p.startswith("DGX H100")]


def test_a_pinned_optic_over_a_plug_is_said_and_not_bought() -> None:
    room = pair()
    room.plug("leaf-01:osfp1")
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mcp4y10", length_m=1)
    assert lines_of(room, "optics") == {}
    point = "1 optic is pinned where the cable brings its own plug, and not counted: leaf-01:osfp1."
    assert point in bom_of(room).open_points


def test_the_order_of_records_changes_nothing() -> None:
    """The same design drawn from the other end gives the same bill."""
    forward, backward = pair(), Room()
    backward.switch("spine-01")
    backward.switch("leaf-01")
    names = [f"leaf-01:osfp{n}/1" for n in (1, 2, 10)]
    for room, order in ((forward, names), (backward, names[::-1])):
        for name in order:
            room.cable(name, name.replace("leaf", "spine"), part="mfp7e10", length_m=5)
            room.plug(name.partition("/")[0])
    assert bom_of(forward) == bom_of(backward)


def test_a_family_with_one_known_number_gives_it_for_that_length_only() -> None:
    """Of MFP7E10 only the 30 m code is printed in the SuperPOD bill: 980-9I570-00N030."""
    fibre = FIBRE.model_copy(update={"facts": {"part_number_30m": "980-9I570-00N030"}})
    assert order_number(fibre, 30.0) == "980-9I570-00N030"
    assert order_number(fibre, 20.0) == ""
    assert order_number(fibre, None) == ""
