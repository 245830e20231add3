"""Traffic between hosts on imported forwarding tables, in the form that every other routing gives (dmodk.LinkLoads)."""

from collections.abc import Iterable

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.dmodk import LinkLoads
from rackbuilder.analysis.fabric.loads import Exchange, Flows
from rackbuilder.analysis.fabric.routing import CableLoads, Forwarding, carry_by_tables
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.design.view import View

_NONE: IntArray = np.zeros(0, dtype=np.int64)


def carry_imported(
    view: View,
    arrays: Arrays,
    tables: Forwarding,
    flows: Iterable[Flows] = (),
    exchanges: Iterable[Exchange] = (),
) -> LinkLoads:
    """Bytes on each link of `arrays` when each destination has the one way that the tables give it.

    Tables know nothing of what failed after they were made: what they send over a link that is down is lost, as it is
    until the subnet manager makes new ones; so is what hosts send that the tables do not know.
    """
    place = {name: n for n, name in enumerate(tables.ends)}
    end = np.array([place.get(name, -1) for name in arrays.host_names], dtype=np.int64)
    rows = [*flows, *(pairs_of(exchange) for exchange in exchanges)]
    src, dst = (end[np.concatenate([row[n] for row in rows])] if rows else _NONE for n in (0, 1))
    size = np.concatenate([row.size for row in rows]) if rows else np.zeros(0)
    up = dict(zip(arrays.cables, arrays.up.tolist(), strict=True))
    live = np.array([up.get(name, False) for name in tables.cables], dtype=np.bool_)
    there = (src >= 0) & (dst >= 0)
    # A host whose own link is down sends nothing.
    first = np.array([up.get(name, False) for name in arrays.cables[arrays.trunks :]], dtype=np.bool_)
    works = np.zeros(len(tables.ends) + 1, dtype=np.bool_)
    works[end] = first
    there &= works[src]
    kept = Flows(src[there], dst[there], size[there])
    usable = Forwarding(tables.switches, tables.ends, tables.cables, _over(live, tables.out))
    loads = carry_by_tables(view, usable, kept)
    return _on_links(view, arrays, tables, loads, loads.lost + float(size[~there].sum()))


def _over(live: np.ndarray[tuple[int], np.dtype[np.bool_]], out: IntArray) -> IntArray:
    """Ways out over links that are up."""
    return np.where((out >= 0) & np.r_[live, False][out], out, -1)


def pairs_of(exchange: Exchange) -> Flows:
    """Every ordered pair of a group whose islands differ, as a flow."""
    found = []
    for group in np.unique(exchange.group):
        mine = np.flatnonzero(exchange.group == group)
        left, right = np.repeat(mine, len(mine)), np.tile(mine, len(mine))
        apart = exchange.island[left] != exchange.island[right]
        found.append((left[apart], right[apart]))
    left, right = (np.concatenate([row[n] for row in found]) if found else _NONE for n in (0, 1))
    return Flows(exchange.rank[left], exchange.rank[right], exchange.size[left])


def _on_links(view: View, arrays: Arrays, tables: Forwarding, loads: CableLoads, lost: float) -> LinkLoads:
    """Loads by cable as loads by link of the arrays: toward the upper switch (or from the host), and back."""
    place = {name: n for n, name in enumerate(tables.cables)}
    row = np.array([place.get(name, -1) for name in arrays.cables], dtype=np.int64)
    lower = [arrays.switches[n] for n in arrays.low.tolist()]
    lower += [arrays.devices[n] for n in arrays.host_device.tolist()]
    pairs = zip(arrays.cables, lower, strict=True)
    ahead = np.array([view.cables[cable].a.device == name for cable, name in pairs], dtype=np.bool_)
    forward, backward = _taken(loads.forward, row), _taken(loads.backward, row)
    return LinkLoads(np.where(ahead, forward, backward), np.where(ahead, backward, forward), lost)


def _taken(loads: FloatArray, row: IntArray) -> FloatArray:
    """The loads of some rows; 0 for a link the tables do not know."""
    return np.where(row >= 0, np.r_[loads, 0.0][row], 0.0)
