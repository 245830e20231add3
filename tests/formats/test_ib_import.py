"""Listings of ibnetdiscover in the dialects that people have, each a small file written for its trait."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rackbuilder.analysis.report import Report
from rackbuilder.catalog.load import Catalog, shipped
from rackbuilder.design.design import Design
from rackbuilder.design.integrity import new_misfits
from rackbuilder.errors import InputError, ProblemError
from rackbuilder.formats.base import Imported
from rackbuilder.formats.ibimport import import_listing
from rackbuilder.formats.ibnetdiscover import write
from rackbuilder.formats.ibread import read_listing
from rackbuilder.rules.finding import RuleEngine
from rackbuilder.rules.observed import OBSERVED
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.topology.paths import islands
from tests.topology.samples import superpod

S1, S2, S3 = "00000000000000a1", "00000000000000a2", "00000000000000a3"
H1, H2 = "00000000000000b1", "00000000000000b2"

PLAIN = f"""#
# Topology file: generated on Fri Jul 19 02:49:25 2024
#
# Initiated from node {H1} port {H1}

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xa1
switchguid=0xa1(a1)
Switch\t65 "S-{S1}"\t\t# "MF0;leaf-01:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]\t"H-{H1}"[1](b1) \t\t# "node018 mlx5_0" lid 3 4xNDR
[2]\t"H-{H2}"[1](b2) \t\t# "node019 HCA-1" lid 4 4xNDR
[33]\t"S-{S2}"[1]\t\t# "MF0;spine-01:MQM9700/U1" lid 2 4xNDR
[34]\t"S-{S2}"[2]\t\t# "MF0;spine-01:MQM9700/U1" lid 2 4xNDR
[35]\t"S-{S2}"[3]\t\t# "MF0;spine-01:MQM9700/U1" lid 2 4xNDR
[36]\t"S-{S2}"[4]\t\t# "MF0;spine-01:MQM9700/U1" lid 2 4xNDR

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xa2
switchguid=0xa2(a2)
Switch\t65 "S-{S2}"\t\t# "MF0;spine-01:MQM9700/U1" enhanced port 0 lid 2 lmc 0
[1]\t"S-{S1}"[33]\t\t# "MF0;leaf-01:MQM9700/U1" lid 1 4xNDR
[2]\t"S-{S1}"[34]\t\t# "MF0;leaf-01:MQM9700/U1" lid 1 4xNDR
[3]\t"S-{S1}"[35]\t\t# "MF0;leaf-01:MQM9700/U1" lid 1 4xNDR
[4]\t"S-{S1}"[36]\t\t# "MF0;leaf-01:MQM9700/U1" lid 1 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0xb1
caguid=0xb1
Ca\t1 "H-{H1}"\t\t# "node018 mlx5_0"
[1](b1) \t"S-{S1}"[1]\t\t# lid 3 lmc 0 "MF0;leaf-01:MQM9700/U1" lid 1 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0xb2
caguid=0xb2
Ca\t1 "H-{H2}"\t\t# "node019 HCA-1"
[1](b2) \t"S-{S1}"[2]\t\t# lid 4 lmc 0 "MF0;leaf-01:MQM9700/U1" lid 1 4xNDR
"""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return shipped()


def design_of(made: Imported) -> Design:
    design = Design().apply(made.patch)
    assert [p.text() for p in new_misfits(Design(), design, made.patch)] == []
    return design


def links(design: Design) -> Counter[frozenset[str]]:
    named = {d.id: d.label for d in design.devices.values()}
    return Counter(
        frozenset(f"{named[end.device]} {end.port}" for end in (c.a, c.b)) for c in design.cables.values()
    )


def test_a_plain_listing(catalog: Catalog) -> None:
    # I05: four parallel links are four, not one and not eight.
    made = import_listing(PLAIN, catalog)
    assert made.problems == ()
    design = design_of(made)
    assert links(design) == Counter(
        [
            frozenset(("leaf-01 osfp1/1", "node018 hcaa-1/1")),
            frozenset(("leaf-01 osfp1/2", "node019 hcaa-1/1")),
            *(
                frozenset(
                    (f"leaf-01 osfp{17 + n // 2}/{n % 2 + 1}", f"spine-01 osfp{n // 2 + 1}/{n % 2 + 1}")
                )
                for n in range(4)
            ),
        ]
    )
    assert {d.label: d.type for d in design.devices.values() if d.fabric} == {
        "leaf-01": "qm9700",
        "spine-01": "qm9700",
    }
    assert {d.label: d.tags for d in design.devices.values()}["node018"] == {"guid.hcaa-1/1": f"0x{H1}"}
    assert design.fabrics["compute"].technology == "infiniband-ndr"


GROUPED = (
    PLAIN.replace(
        "vendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0xa1",
        "Chassis 1 (guid 0xa0)\n\n# Spine Nodes\nvendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0xa1",
    )
    .replace(
        "vendid=0x2c9\ndevid=0x1021\nsysimgguid=0xb1",
        "Non-Chassis Nodes\n\nvendid=0x2c9\ndevid=0x1021\nsysimgguid=0xb1",
    )
    .replace("[33]\t", "[33][ext 5]\t")
)
OLD = re.sub(r" 4xNDR$", "", PLAIN, flags=re.MULTILINE)
SPACES = PLAIN.replace("\t", "        ").replace("\n\n", "\n")


@pytest.mark.parametrize("text", [GROUPED, OLD, SPACES, PLAIN.replace("\n", "\r\n")])
def test_other_dialects_give_the_same_graph(text: str, catalog: Catalog) -> None:
    assert links(design_of(import_listing(text, catalog))) == links(design_of(import_listing(PLAIN, catalog)))


def test_without_speeds_they_stay_unknown(catalog: Catalog) -> None:
    made = import_listing(OLD, catalog)
    design = design_of(made)
    edges = [e for _, _, e in build_graphs(design).fabric("compute").edges()]
    # A host's port says nothing; what is between two QM9700 is what these can do.
    assert sorted((e["rate_bps"] or 0) for e in edges) == [0, 0, 400e9]
    assert "6 links say no speed" in made.problems[0].what
    assert design.tables["faults"] == {}


def test_the_port_report_is_refused_by_name(catalog: Catalog) -> None:
    line = "CA    22  1 0x00000000000000b1 4x NDR - SW     7  4 0x00000000000000a1 ( 'node018 mlx5_0' - 'leaf-01' )\n"
    with pytest.raises(InputError, match=r"port report of ibnetdiscover \(-p\)"):
        import_listing(line * 3, catalog)


@pytest.mark.parametrize("text", ["", "hello\nworld\n", "# only a comment\n", '[1]\t"S-00"[1]\n'])
def test_what_lists_nothing_is_refused(text: str, catalog: Catalog) -> None:
    with pytest.raises(InputError, match="No switch or adapter"):
        import_listing(text, catalog)


def three(ending: str = "\n") -> str:
    """Three switches in a row, each the last line of its record a port."""
    return (
        f'Switch\t36 "S-{S1}"\t\t# "one" base port 0 lid 1 lmc 0\n[1]\t"S-{S2}"[1]\t\t# "two" lid 2 4xEDR\n\n'
        f'Switch\t36 "S-{S2}"\t\t# "two" base port 0 lid 2 lmc 0\n[1]\t"S-{S1}"[1]\t\t# "one" lid 1 4xEDR\n'
        f'[2]\t"S-{S3}"[1]\t\t# "three" lid 3 4xEDR\n\n'
        f'Switch\t36 "S-{S3}"\t\t# "three" base port 0 lid 3 lmc 0\n[1]\t"S-{S2}"[2]\t\t# "two" lid 2 4xEDR{ending}'
    )


def test_the_last_switch_needs_no_blank_line() -> None:
    for text in (three(""), three("\n\n"), three().replace("\n", "\r\n")):
        listing = read_listing(text)
        assert [s.description for s in listing.stations.values()] == ["one", "two", "three"]
        assert len(listing.links) == 2
        assert listing.problems == []


def test_a_file_cut_inside_a_port_line() -> None:
    text = three("")
    for length in (
        len('" lid 2 4xEDR'),
        len('2]\t\t# "two" lid 2 4xEDR'),
        len(f'{S2}"[2]\t\t# "two" lid 2 4xEDR') + 4,
    ):
        listing = read_listing(text[:-length])
        assert [s.description for s in listing.stations.values()] == ["one", "two", "three"]
        words = [p.text() for p in listing.problems]
        assert "line 9: This port line is broken off" in words[0]
        assert "truncated" in words[1]
        # The far end lists the link, too.
        assert len(listing.links) == 2
        assert "one-sided" in words[-1]


def test_warnings_of_the_tool_are_passed_over() -> None:
    text = three().replace(
        "\n\n",
        "\nibwarn: [22] _do_madrpc: recv failed: timed out\n\nsrc/query_smp.c:196; umad (DR path) failed\n\n",
    )
    listing = read_listing(text)
    assert len(listing.stations) == 3
    assert len(listing.links) == 2
    assert "4 lines are no part of a listing" in listing.problems[0].what


def test_a_link_of_one_side_is_kept_and_said() -> None:
    text = three().replace(f'[1]\t"S-{S1}"[1]\t\t# "one" lid 1 4xEDR\n', "")
    listing = read_listing(text)
    assert len(listing.links) == 2
    assert ["one-sided" in p.what for p in listing.problems] == [True]


def test_rows_that_contradict_each_other_are_refused() -> None:
    # T20: two's port 1 is at one's port 1, but says that it is at three's port 1.
    text = three().replace(
        f'[1]\t"S-{S1}"[1]\t\t# "one" lid 1 4xEDR', f'[1]\t"S-{S3}"[1]\t\t# "three" lid 3 4xEDR'
    )
    listing = read_listing(text)
    assert [(r.near.guid, r.far.guid) for r in listing.links] == [(0xA2, 0xA3)]
    assert any("already at another link" in p.what for p in listing.problems)


NAMES = {
    "node018 HCA-1": "node018",
    "node018 mlx5_0": "node018",
    "MT23108 InfiniHost Mellanox Technologies": "MT23108 InfiniHost Mellanox Technologies",
    "leaf 01; row B: x": "leaf 01; row B: x",
    "": H1,
    'a "quoted" one mlx5_1': 'a "quoted" one',
}


@pytest.mark.parametrize("said", NAMES)
def test_descriptions_of_all_kinds_are_kept(said: str, catalog: Catalog) -> None:
    text = PLAIN.replace('"node018 mlx5_0"', f'"{said}"')
    design = design_of(import_listing(text, catalog))
    assert NAMES[said] in {d.label for d in design.devices.values()}
    assert len(design.cables) == 6


def test_switches_without_the_managed_form(catalog: Catalog) -> None:
    text = PLAIN.replace("MF0;leaf-01:MQM9700/U1", "leaf 01; row B: x").replace(
        "MF0;spine-01:MQM9700/U1", "Quantum Mellanox Technologies"
    )
    design = design_of(import_listing(text, catalog))
    assert {d.label: d.type for d in design.devices.values() if d.fabric} == {
        "leaf 01; row B: x": "qm9790",
        "Quantum Mellanox Technologies": "qm9790",
    }


def test_aggregation_nodes_are_no_hosts(catalog: Catalog) -> None:
    row = f'[65]\t"H-{"0" * 14}c1"[1](c1) \t\t# "Mellanox Technologies Aggregation Node" lid 9 4xNDR\n'
    node = (
        f'\nvendid=0x2c9\ndevid=0xcf09\nsysimgguid=0xa1\ncaguid=0xc1\nCa\t1 "H-{"0" * 14}c1"\t\t# '
        f'"Mellanox Technologies Aggregation Node"\n[1](c1) \t"S-{S1}"[65]\t\t# lid 9 lmc 0 "leaf-01" lid 1 4xNDR\n'
    )
    made = import_listing(
        PLAIN.replace("\n\nvendid", f"\n{row}\nvendid", 2).replace(f"\n{row}", "\n", 1) + node, catalog
    )
    assert links(design_of(made)) == links(design_of(import_listing(PLAIN, catalog)))
    assert "1 aggregation node inside" in made.problems[-1].what


def test_links_trained_below_their_ends(catalog: Catalog) -> None:
    # F23: one link at 4xHDR, one at 1xSDR, both ends can do NDR; a host of HDR is as fast as it can be.
    text = PLAIN
    for port, word in (("33", "4xHDR"), ("34", "1xSDR")):
        text = re.sub(rf"^(\[{port}\].*) 4xNDR$", rf"\1 {word}", text, flags=re.MULTILINE)
        text = re.sub(rf'^(\[\d\]\t"S-{S1}"\[{port}\].*) 4xNDR$', rf"\1 {word}", text, flags=re.MULTILINE)
    text = re.sub(r'^(.*node019 HCA-1" lid 4) 4xNDR$', r"\1 4xHDR", text, flags=re.MULTILINE)
    text = re.sub(r"^(\[1\]\(b2\).*) 4xNDR$", r"\1 4xHDR", text, flags=re.MULTILINE)
    design = design_of(import_listing(text, catalog))
    rows = [f.problem for f in RuleEngine((OBSERVED,)).run(design, build_graphs(design), {})]
    assert [re.sub(r"^\S+ ", "", p.what) for p in rows] == [
        "runs at 200 Gb/s where both ends can do 400 Gb/s (ibnetdiscover: 4xHDR)",
        "runs at 2.5 Gb/s where both ends can do 400 Gb/s (ibnetdiscover: 1xSDR)",
    ]
    assert [p.where for p in rows] == [
        "leaf-01 osfp17/1 to spine-01 osfp1/1",
        "leaf-01 osfp17/2 to spine-01 osfp1/2",
    ]


def test_split_ports(catalog: Catalog) -> None:
    rows = "".join(
        f'[{n}]\t"H-{n:016x}"[1]({n:x}) \t\t# "node{n:03} mlx5_2" lid {n} 2xNDR\n' for n in (1, 2, 6)
    )
    head = f'Switch\t129 "S-{S1}"\t\t# "MF0;ibleaf-001:MQM9700/U1" enhanced port 0 lid 1 lmc 0\n'
    text = f"devid=0xd2f2\n{head}{rows}"
    made = import_listing(text, catalog)
    design = design_of(made)
    switch = next(d for d in design.devices.values() if d.fabric)
    assert switch.modes == {"osfp1": 2, "osfp2": 2}
    assert sorted(
        end.port for c in design.cables.values() for end in (c.a, c.b) if end.device == switch.id
    ) == [
        "osfp1/1.1",
        "osfp1/1.2",
        "osfp2/1.2",
    ]
    assert {e["rate_bps"] for _, _, e in build_graphs(design).fabric("compute").edges()} == {200e9}
    assert "3 links lead to what the file does not list" in made.problems[0].what


def test_a_pod_comes_back_as_it_was_drawn(catalog: Catalog) -> None:
    drawn = superpod(2, servers=40, manager=True)
    text = write(drawn, build_graphs(drawn), Report(0, {}, ())).decode()
    made = import_listing(text, catalog, "dgx-h100")
    design = design_of(made)
    assert "2 hosts have another number of ports than the 8 of dgx-h100" in made.problems[0].what
    servers = [d for d in design.devices.values() if d.type == "dgx-h100"]
    assert len(servers) == 40

    def without_manager(found: Counter[frozenset[str]]) -> Counter[frozenset[str]]:
        return Counter({k: n for k, n in found.items() if not any(end.startswith("ufm") for end in k)})

    assert without_manager(links(design)) == without_manager(links(drawn))
    again = write(design, build_graphs(design), Report(0, {}, ())).decode()
    guid = re.compile(r'^\[\d+\]\t"H-.*\]\((\w+)\).*"(.*)" lid', re.MULTILINE)
    assert dict(guid.findall(again)) == dict(guid.findall(text))


def test_two_fabrics_are_two_islands(catalog: Catalog) -> None:
    other = PLAIN.replace("00000000000000", "00000000000001").replace("0x", "0x1")
    design = design_of(
        import_listing(PLAIN + "\n" + other.replace("-01", "-02").replace("node01", "node02"), catalog)
    )
    assert [len(island) for island in islands(build_graphs(design).fabric("compute"))] == [2, 2]


def test_an_adapter_without_a_link_stands_apart(catalog: Catalog) -> None:
    made = import_listing(f'caguid=0xb1\nCa\t1 "H-{H1}"\t\t# "node0001 HCA-1"\n', catalog)
    design = design_of(made)
    assert [d.label for d in design.devices.values()] == ["node0001"]
    assert "Without a link, and so apart: node0001 HCA-1" in made.problems[0].what


def test_a_server_type_that_is_none(catalog: Catalog) -> None:
    with pytest.raises(InputError, match="There is no part"):
        import_listing(PLAIN, catalog, "dgx-h1000")
    with pytest.raises(ProblemError, match="no ports for a compute fabric"):
        import_listing(PLAIN, catalog, "qm9700")
