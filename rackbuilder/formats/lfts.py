"""Forwarding tables as opensm dumps them (opensm-lfts.dump), read onto the ports and cables of a design."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.routing import Forwarding
from rackbuilder.design.refs import port_ref
from rackbuilder.errors import InputError, Problem
from rackbuilder.formats.ibfabric import Subnet
from rackbuilder.formats.ibnetdiscover import names_by_guid

_HEAD = re.compile(r"Unicast lids .* guid 0x([0-9a-fA-F]+)")
_ROW = re.compile(
    r"0x([0-9a-fA-F]+)\s+(\d+)\s*#\s*(Channel Adapter|Switch|Router)\s+portguid 0x([0-9a-fA-F]+)"
)


class Row(NamedTuple):
    """To reach the adapter port `guid`, a switch sends out of `port`."""

    line: int
    switch: int
    port: int
    guid: int


def rows(text: str) -> Iterator[Row]:
    """The entries for adapters. Raises InputError when the text is no such dump."""
    switch = None
    for number, line in enumerate(text.splitlines(), start=1):
        head = _HEAD.match(line)
        if head:
            switch = int(head[1], 16)
            continue
        row = _ROW.match(line)
        if row and switch is not None and row[3] == "Channel Adapter":
            yield Row(number, switch, int(row[2]), int(row[4], 16))
    if switch is None:
        what = "No forwarding table is in the file"
        raise InputError(
            Problem(what, "opensm-lfts.dump", "Give the dump of opensm -D 0x43 or of dump_lfts.")
        )


def read_tables(text: str, subnet: Subnet) -> tuple[Forwarding, tuple[str, ...]]:
    """The tables by switch and port of the design, and what of the file the design has not, in words."""
    names, unknown = names_by_guid(subnet), dict[str, None]()
    switches = {node.key[0]: n for n, node in enumerate(subnet.of_kind("Switch"))}
    ends = {node.key: n for n, node in enumerate(subnet.of_kind("Ca"))}
    cables: dict[str, int] = {}
    leads = {node.key[0]: _leads(node.lanes, cables) for node in subnet.of_kind("Switch")}
    out = np.full((len(switches), len(ends)), -1, dtype=np.int64)
    for row in rows(text):
        at, to = names.get(row.switch), names.get(row.guid)
        if at is None or to is None:
            unknown[f"GUID 0x{(row.switch if at is None else row.guid):016x}"] = None
        elif row.port not in leads[at[0]]:
            unknown[f"port {row.port} of {at[0]}"] = None
        else:
            out[switches[at[0]], ends[to]] = leads[at[0]][row.port]
    tables = Forwarding(tuple(switches), tuple(port_ref(*key) for key in ends), tuple(cables), out)
    return tables, tuple(unknown)


def _leads(lanes: tuple[tuple[int, object, int, str, str], ...], cables: dict[str, int]) -> Mapping[int, int]:
    """Port number -> place of its cable in the list of all."""
    return {lane[0]: cables.setdefault(lane[4], len(cables)) for lane in lanes}
