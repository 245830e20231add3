"""Forwarding tables of opensm, from a dump written by hand in its form."""

from __future__ import annotations

import pytest

from rackbuilder.errors import InputError
from rackbuilder.formats.ibfabric import subnet_of
from rackbuilder.formats.lfts import read_tables
from rackbuilder.topology.graphs import build_graphs
from tests.formats.test_ib_export import pair

DUMP = """Unicast lids [0-3] of switch Lid 1 guid 0xb088c20300000040 ('L1'):
0x0001 000 # Switch portguid 0xb088c20300000040: 'L1'
0x0002 033 # Switch portguid 0xb088c20300000080: 'spine-01'
0x0003 001 # Channel Adapter portguid 0xa088c20300000112: 'gpu-1 mlx5_2'
Unicast lids [0-3] of switch Lid 2 guid 0xb088c20300000080 ('spine-01'):
0x0001 002 # Switch portguid 0xb088c20300000040: 'L1'
0x0003 002 # Channel Adapter portguid 0xa088c20300000112: 'gpu-1 mlx5_2'
"""


def test_ports_become_cables() -> None:
    design = pair().done()
    tables, unknown = read_tables(DUMP, subnet_of(design, build_graphs(design)))
    assert unknown == ()
    assert tables.switches == ("leaf-01", "spine-01")
    assert tables.ends == ("srv-0001:osfp2/1",)
    ways = [tables.cables[n] for n in tables.out[:, 0]]
    assert [(design.cables[c].a.port, design.cables[c].b.port) for c in ways] == [
        ("osfp2/1", "osfp1/1"),
        ("osfp17/2", "osfp1/2"),
    ]


def test_what_the_design_has_not_is_listed() -> None:
    design = pair().done()
    text = DUMP.replace("0x0003 002", "0x0003 009") + (
        "0x0004 001 # Channel Adapter portguid 0xa088c20300000113: 'other'\n"
    )
    tables, unknown = read_tables(text, subnet_of(design, build_graphs(design)))
    assert unknown == ("port 9 of spine-01", "GUID 0xa088c20300000113")
    assert tables.out[1, 0] == -1


def test_another_text_is_refused() -> None:
    design = pair().done()
    with pytest.raises(InputError, match="No forwarding table"):
        read_tables("hello\n", subnet_of(design, build_graphs(design)))
