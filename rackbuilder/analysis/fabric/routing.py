"""Bytes on every cable of a fabric under given forwarding tables: one way for each destination.

What is bound for one adapter takes one port out of each switch, so traffic is summed by (switch, destination) and all
of it moves one hop at a time.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rackbuilder.analysis.fabric.loads import Flows, summed
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.design import refs
from rackbuilder.design.view import View

_NO_SWITCH = -1


@dataclass(frozen=True, eq=False)
class Forwarding:
    """Tables of a fabric.

    switches, ends, cables   device ids; ports of adapters (“srv-0001:osfp1/1”); cable ids
    out                      (switch, end): the place in `cables` of the way out; -1: none known
    """

    switches: tuple[str, ...]
    ends: tuple[str, ...]
    cables: tuple[str, ...]
    out: IntArray


@dataclass(frozen=True, eq=False)
class CableLoads:
    """Bytes on each cable of `Forwarding.cables`, from its end a to its end b and back.

    lost    bytes that arrive nowhere: no way out of a switch, a way to another adapter, or in a circle
    stuck   the switches that hold them, with the adapter they are for
    """

    forward: FloatArray
    backward: FloatArray
    lost: float
    stuck: tuple[tuple[str, str], ...]


class _Ends(NamedTuple):
    """By cable: the switch at end a and b, else none, and the adapter there, else none. By adapter: its cable."""

    a_switch: IntArray
    b_switch: IntArray
    a_end: IntArray
    b_end: IntArray
    cable_of: IntArray


def carry_by_tables(view: View, tables: Forwarding, flows: Flows) -> CableLoads:
    """Puts flows between adapters (places in `tables.ends`) on the fabric. An adapter without a cable sends nothing."""
    ends = _ends(view, tables)
    forward, backward = np.zeros(len(tables.cables)), np.zeros(len(tables.cables))
    held = np.zeros(tables.out.shape)
    first = ends.cable_of[flows.src]
    starts = (first >= 0) & (flows.src != flows.dst)
    lost = float(flows.size[first < 0].sum())
    src, dst, size, cable = flows.src[starts], flows.dst[starts], flows.size[starts], first[starts]
    from_a = ends.a_end[cable] == src
    forward += summed(cable[from_a], size[from_a], len(forward))
    backward += summed(cable[~from_a], size[~from_a], len(forward))
    switch = np.where(from_a, ends.b_switch[cable], ends.a_switch[cable])
    width = len(tables.ends)
    held += summed(switch * width + dst, size, held.size).reshape(held.shape)
    stuck: dict[tuple[str, str], None] = {}
    for _ in range(len(tables.switches)):
        held, failed = _hop(tables, ends, held, forward, backward)
        lost += _note(tables, failed, stuck)
        if not held.any():
            break
    lost += _note(tables, held, stuck)
    return CableLoads(forward, backward, lost, tuple(stuck))


def _hop(
    tables: Forwarding, ends: _Ends, held: FloatArray, forward: FloatArray, backward: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One hop for all that is held; what is held after it, and what could not move."""
    switch, end = np.nonzero(held)
    size, cable = held[switch, end], tables.out[switch, end]
    there = cable >= 0
    onward, failed = np.zeros_like(held), np.zeros_like(held)
    failed[switch[~there], end[~there]] = size[~there]
    switch, end, size, cable = switch[there], end[there], size[there], cable[there]
    from_a = ends.a_switch[cable] == switch
    forward += summed(cable[from_a], size[from_a], len(forward))
    backward += summed(cable[~from_a], size[~from_a], len(backward))
    to_switch = np.where(from_a, ends.b_switch[cable], ends.a_switch[cable])
    to_end = np.where(from_a, ends.b_end[cable], ends.a_end[cable])
    more = to_switch != _NO_SWITCH
    np.add.at(onward, (to_switch[more], end[more]), size[more])
    wrong = ~more & (to_end != end)
    failed[switch[wrong], end[wrong]] = size[wrong]
    return onward, failed


def _note(tables: Forwarding, held: FloatArray, stuck: dict[tuple[str, str], None]) -> float:
    for switch, end in zip(*np.nonzero(held), strict=True):
        stuck[tables.switches[switch], tables.ends[end]] = None
    return float(held.sum())


def _ends(view: View, tables: Forwarding) -> _Ends:
    switches = {name: n for n, name in enumerate(tables.switches)}
    ends = {name: n for n, name in enumerate(tables.ends)}
    rows = [view.cables[name] for name in tables.cables]
    found = [
        (
            switches.get(cable.a.device, _NO_SWITCH),
            switches.get(cable.b.device, _NO_SWITCH),
            ends.get(refs.port_ref(*cable.a), _NO_SWITCH),
            ends.get(refs.port_ref(*cable.b), _NO_SWITCH),
        )
        for cable in rows
    ]
    table: npt.NDArray[np.int64] = np.array(found, dtype=np.int64).reshape(-1, 4)
    cable_of = np.full(len(ends), -1, dtype=np.int64)
    for column in (2, 3):
        there = table[:, column] >= 0
        cable_of[table[there, column]] = np.flatnonzero(there)
    return _Ends(table[:, 0], table[:, 1], table[:, 2], table[:, 3], cable_of)
