"""What sits in each cage, and what it draws."""

import pytest

from rackbuilder.analysis.results import Plugs
from tests.analysis.facility.samples import Room


def plugs_of(room: Room) -> Plugs:
    found = room.report().get("plugs")
    assert isinstance(found, Plugs)
    return found


def two_switches() -> Room:
    room = Room()
    room.switch("leaf-01")
    room.switch("spine-01")
    return room


def test_a_twin_cable_has_one_plug_in_each_cage_however_many_links() -> None:
    room = two_switches()
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mcp4y10")
    room.cable("leaf-01:osfp1/2", "spine-01:osfp1/2", part="mcp4y10")
    found = plugs_of(room)
    for name in ("leaf-01", "spine-01"):
        (plug,) = found.devices[name].cages
        assert (plug.cage, plug.kind, plug.part, plug.max_w.value) == ("osfp1", "cable", "mcp4y10", 0.1)


def test_only_plugged_optics_count_each_once() -> None:
    room = two_switches()
    room.plug("leaf-01:osfp1")
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mfp7e10")
    room.cable("leaf-01:osfp1/2", "spine-01:osfp1/2", part="mfp7e10")
    found = plugs_of(room)
    assert (found.devices["leaf-01"].max_w.value, found.devices["leaf-01"].typical_w.value) == (17, 15)
    (open_,) = found.devices["spine-01"].cages
    assert (open_.kind, open_.max_w.value) == ("no optic", None)
    assert open_.max_w.missing == ("optics in OSFP cages of qm9700",)


def test_an_optic_without_a_typical_draw_counts_with_its_maximum_and_says_so() -> None:
    room = Room()
    room.device("srv-0001", "dgx-h100")
    room.plug("srv-0001:osfp2", "mma4z00-ns-flt")
    found = plugs_of(room)
    typical = found.devices["srv-0001"].typical_w
    assert (typical.value, typical.mark) == (17, "assumed")
    assert [note.refs for note in found.assumptions] == [("mma4z00-ns-flt",)]


@pytest.mark.parametrize("flipped", [False, True])
def test_head_and_branches_of_a_splitter_lie_where_they_fit(flipped: bool) -> None:
    """MCA7J60: 1.5 W at the finned head, 0.6 W at each flat branch; whichever end the record names first."""
    room = Room()
    room.switch("leaf-01")
    for n in (1, 2):
        room.device(f"srv-{n:04d}", "hca-server")
        ends = (f"leaf-01:osfp1/{n}", f"srv-{n:04d}:hca1/1")
        room.cable(*(reversed(ends) if flipped else ends), part="mca7j60")
    found = plugs_of(room)
    assert {name: row.max_w.value for name, row in found.devices.items()} == {
        "leaf-01": 1.5,
        "srv-0001": 0.6,
        "srv-0002": 0.6,
    }


def test_a_copper_pair_is_in_no_cage() -> None:
    room = two_switches()
    room.cable("leaf-01:mgmt1/1", "spine-01:mgmt1/1", part="cat6")
    assert plugs_of(room).devices == {}


def test_a_cable_without_a_part_leaves_the_plug_open() -> None:
    room = two_switches()
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1")
    (plug,) = plugs_of(room).devices["leaf-01"].cages
    assert (plug.kind, plug.max_w.missing) == ("no part", ("cables in OSFP cages of qm9700",))


def test_an_optic_pinned_over_a_cable_with_its_own_plug_does_not_count() -> None:
    room = two_switches()
    room.plug("leaf-01:osfp1")
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mcp4y10")
    row = plugs_of(room).devices["leaf-01"]
    assert (row.max_w.value, row.clashes) == (0.1, ("osfp1",))


def test_the_part_may_be_said_by_the_assembly() -> None:
    from rackbuilder.design.records import CableAssembly

    room = two_switches()
    room.draft.put("assemblies", CableAssembly(id="asm-01", part="mca4j80", length_m=3))
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", assembly="asm-01")
    assert plugs_of(room).devices["spine-01"].max_w.value == 1.5


def test_what_the_user_sets_for_an_end_wins() -> None:
    room = two_switches()
    room.set("part/mca4j80/a.power_w", 1.2)
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mca4j80")
    figure = plugs_of(room).devices["leaf-01"].max_w
    assert (figure.value, figure.grade) == (1.2, "user")


def test_an_edit_elsewhere_keeps_what_was_read() -> None:
    """Results of devices that an edit leaves alone are the same objects; those it touches are read anew."""
    from rackbuilder.analysis.cabling.lengths import LENGTHS
    from rackbuilder.analysis.cabling.media import MEDIA
    from rackbuilder.analysis.cabling.plugs import PLUGS
    from rackbuilder.analysis.engine import Engine
    from rackbuilder.topology.graphs import build_graphs

    room = two_switches()
    room.device("srv-0001", "dgx-h100")
    room.cable("leaf-01:osfp1/1", "spine-01:osfp1/1", part="mcp4y10")
    room.cable("leaf-01:osfp3/1", "srv-0001:osfp1/1", part="mfp7e10")
    design, engine = room.done(), Engine([LENGTHS, MEDIA, PLUGS])
    graphs = build_graphs(design)
    first = engine.run(design, graphs)["plugs"]
    more = Room(design)
    more.draft.change("cables", "cbl-0001", part="mca4j80")
    patch = more.draft.patch("other cable")
    after = design.apply(patch)
    second = engine.run(after, graphs.apply(patch, after))["plugs"]
    assert second.devices["srv-0001"] is first.devices["srv-0001"]
    assert second.devices["spine-01"].max_w.value == 1.5
