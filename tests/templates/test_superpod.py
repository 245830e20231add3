"""A SuperPOD as it is drawn: rails, even uplinks, racks, and what stands beside it."""

from collections import Counter

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.ports import ports_of
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.design.records import Cable, Device
from rackbuilder.errors import InputError, ProblemError
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.quick import quick_facts
from rackbuilder.templates.superpod import Superpod
from rackbuilder.topology.graphs import build_graphs
from tests.templates.published import counted, made, unfit


@pytest.fixture(scope="module")
def pod() -> Design:
    """Two units of 32 and 31 servers and a fabric manager."""
    return made(Superpod(units=2))


def kind(device: str) -> str:
    return device.rpartition("-")[0]


def between(design: Design, a: str, b: str) -> list[Cable]:
    return [c for c in design.cables.values() if {kind(c.a.device), kind(c.b.device)} == {a, b}]


def test_rail_n_of_every_server_of_a_unit_goes_to_one_leaf(pod: Design) -> None:
    """Eight leaves a unit; port n of the servers (one GPU each) all on the n-th; no leaf has two rails or two units."""
    server = pod.type_of(pod.devices["srv-0001"])
    order = [p.name for p in ports_of(server).values() if p.cages.fabric == "compute"]
    assert len(order) == 8
    serves: dict[str, set[tuple[int, str]]] = {}
    for cable in between(pod, "srv", "leaf"):
        near, far = (cable.a, cable.b) if kind(cable.a.device) == "srv" else (cable.b, cable.a)
        unit = pod.devices[near.device].groups[0]
        serves.setdefault(far.device, set()).add((order.index(near.port), unit))
    assert len(serves) == 16
    assert all(len(found) == 1 for found in serves.values())
    assert sorted(next(iter(found))[0] for found in serves.values()) == sorted([*range(8)] * 2)


@pytest.mark.parametrize(("units", "spines"), [(1, 4), (2, 8), (3, 16), (4, 16)])
def test_every_leaf_has_as_many_links_to_each_spine(units: int, spines: int) -> None:
    """Three units: port division gives 12 spines (768 / 64), but 32 uplinks do not divide over 12."""
    design = made(Superpod(units=units))
    pairs: Counter[tuple[str, str]] = Counter()
    for cable in between(design, "leaf", "spine"):
        leaf, spine = sorted((cable.a.device, cable.b.device))
        pairs[leaf, spine] += 1
    assert len(pairs) == units * 8 * spines
    assert set(pairs.values()) == {32 // spines}


def test_one_unit_of_b200_with_its_manager() -> None:
    """252 compute and management links, 256 to the spines: 31 servers x 8 and 4."""
    cables = counted(Superpod(units=1, server="dgx-b200")).compiled.counts.fabrics["compute"].cables
    assert cables["server-leaf"] + cables["other-leaf"] == 252
    assert cables["leaf-spine"] == 256


def test_512_gpus_need_8_spines() -> None:
    """Not the 56 that a sum of bandwidths gave somebody: 16 leaves x 32 uplinks on 64 ports."""
    assert counted(Superpod(units=2, fabric_manager=False)).row()["spine"] == 8


def test_32_servers_and_the_manager_do_not_fit_so_one_position_gives_way(pod: Design) -> None:
    """32 x 8 + 4 = 260 links for 256 leaf ports."""
    units = Counter(d.groups[0] for d in pod.devices.values() if kind(d.id) == "srv")
    assert sorted(units.values()) == [31, 32]
    assert Counter(kind(d.id) for d in pod.devices.values())["ufm"] == 4
    assert len(between(pod, "ufm", "leaf")) == 4
    last = {c.a.device if kind(c.a.device) == "leaf" else c.b.device for c in between(pod, "ufm", "leaf")}
    assert len(last) == 4  # four leaves, not one of them four times
    free = [64 - len(pod.ports_used(leaf)) for leaf in sorted(pod.devices) if kind(leaf) == "leaf"]
    assert sorted(free) == [0] * 12 + [1] * 4


@pytest.mark.parametrize(
    "fields", [{}, {"units": 1}, {"units": 3}, {"server": "dgx-b200", "units": 8, "fabric_manager": False}]
)
def test_no_cable_without_two_ports_of_its_own(fields: dict[str, object]) -> None:
    design = made(Superpod(**fields))  # type: ignore[arg-type]
    ends = Counter(end for cable in design.cables.values() for end in (cable.a, cable.b))
    assert set(ends.values()) == {1}
    for end in ends:
        assert end.port in ports_of(design.type_of(design.devices[end.device]))
    assert unfit(design) == []


@pytest.mark.parametrize(
    ("server", "per_rack", "rack_w"),
    [("dgx-h100", 4, 4 * 10_200), ("dgx-b200", 2, 2 * 14_300)],
)
def test_power_of_a_rack_of_servers(server: str, per_rack: int, rack_w: float) -> None:
    """H100: more than 40 kW a rack, four of 10.2 kW (RA-11333-001). B200: exceeds 25 kW, two of 14.3 kW (RA-11334)."""
    design = made(Superpod(units=1, server=server, fabric_manager=False))
    seated = Counter(d.rack for d in design.devices.values() if kind(d.id) == "srv")
    assert set(seated.values()) == {per_rack}
    facts = quick_facts(design, build_graphs(design))
    names = [design.racks[rack].name for rack in seated]
    watts = [
        w.value for rack, w in zip(design.racks.values(), facts.racks_w, strict=True) if rack.name in names
    ]
    assert watts == [rack_w] * (32 // per_rack)


def test_a_limit_is_set_on_every_rack() -> None:
    design = made(Superpod(units=1, rack_limit_w=35_000))
    assert {rack.power_limit_w for rack in design.racks.values()} == {35_000}


def test_no_two_racks_stand_in_one_place(pod: Design) -> None:
    places = Counter((rack.x_m, rack.y_m) for rack in pod.racks.values())
    assert set(places.values()) == {1}
    assert len({rack.name for rack in pod.racks.values()}) == len(pod.racks)


def test_everything_made_names_its_run_and_a_key_of_its_own(pod: Design) -> None:
    for table in ("devices", "racks", "cables", "fabrics", "groups", "plugs"):
        keys = [record.made_by.key for record in pod.tables[table].values()]
        assert len(set(keys)) == len(keys), table
        assert {record.made_by.run for record in pod.tables[table].values()} == {"run-01"}
    run = pod.tables["runs"]["run-01"]
    assert (run.template, run.fields["units"]) == ("superpod", 2)


def test_a_second_pod_stands_beside_the_first_and_changes_nothing_of_it() -> None:
    first = made(Superpod(units=1))
    both = made(Superpod(units=1, server="dgx-b200"), on=first)
    for table, rows in first.tables.items():
        assert {identity: both.tables[table][identity] for identity in rows} == dict(rows), table
    places = Counter((rack.x_m, rack.y_m) for rack in both.racks.values())
    assert set(places.values()) == {1}
    assert unfit(both) == []
    new = [both.cables[cable] for cable in both.cables if cable not in first.cables]
    assert len(new) == len(first.cables)
    assert not {end.device for cable in new for end in (cable.a, cable.b)} & set(first.devices)


def test_a_pod_of_another_technology_has_a_network_of_its_own() -> None:
    both = made(Superpod(units=1, fabric="roce"), on=made(Superpod(units=1)))
    assert {i: f.technology for i, f in both.fabrics.items()} == {
        "compute": "infiniband-ndr", "compute-2": "roce-400g"
    }  # fmt: skip
    for device in both.devices.values():
        if device.fabric:
            assert (
                both.type_of(device).fabric_protocol
                == both.parts[both.fabrics[device.fabric].technology].protocol
            )


def test_a_pod_in_a_design_drawn_by_hand_leaves_that_alone() -> None:
    design = Design()
    for command in (
        AddRack(type="42u-600x1200", name="A01", x_m=0, y_m=0),
        PlaceDevice(type="qm9700", rack="A01"),
    ):
        design = design.apply(command.plan(design, shipped()))
    assert design.fabrics["compute"].name == ""
    both = made(Superpod(units=1), on=design)
    assert both.fabrics["compute"] == design.fabrics["compute"]
    switch = next(d for d in both.devices.values() if isinstance(d, Device) and not d.made_by)
    assert switch.fabric == "compute"
    assert not both.ports_used(switch.id)


def test_twice_the_same_bytes() -> None:
    assert write_design(made(Superpod(units=1))) == write_design(made(Superpod(units=1)))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"server": "dgx-h1000"}, "dgx-h100"),
        ({"server": "qm9700"}, "dgx-h100"),
        ({"server": "gb200-compute-tray"}, "dgx-h100"),
        ({"units": 9, "server": "dgx-a100"}, "7 units"),
        ({"fabric": "ndrr"}, "ndr"),
    ],
)
def test_what_cannot_be_is_refused_with_a_suggestion(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        Superpod(**fields).plan(Design(), shipped())  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert caught.value.problems[0].fix


def test_an_unknown_server_is_wrong_input() -> None:
    with pytest.raises(InputError, match="Did you mean “dgx-h100”"):
        Superpod(server="dgx-h1000").plan(Design(), shipped())
