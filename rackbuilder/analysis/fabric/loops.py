"""Credit loops: circles of links in which each may wait for the next for ever, when packets take shortest ways.

A packet that waits in a lossless switch holds the link it came on and waits for the one it goes out of. If such waits
can close a circle, the fabric can stop (Dally and Seitz, 1987: routing is free of deadlock if the graph of these waits
has no circle). Every shortest way is taken for possible, since the engine may pick any.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.paths import switches_of
from rackbuilder.topology.tree import tree_of

Channel = tuple[str, str]
"""A link in one direction, from a switch to a switch."""
_FAR = 1 << 14
_MOST = 200_000
"""Turns looked at before the search gives up."""


def credit_loop(fabric: FabricGraph) -> tuple[str, ...]:
    """The switches of one possible circle in the order packets pass them; empty when there is none.

    Where the search grows too large, the switch at which packets turn up again is given alone.
    """
    tree = tree_of(fabric)
    made_of = (switches_of(fabric), tree.tier, fabric.memo.same("switches with hosts", tuple(tree.ends)))
    return fabric.memo.get("credit loop", made_of, lambda: _Search(fabric).loop())


class _Search:
    def __init__(self, fabric: FabricGraph) -> None:
        self._near = switches_of(fabric)
        tree = tree_of(fabric)
        # Any total order will do: a way that only goes up and then down in it closes no circle.
        order = sorted(self._near, key=lambda name: (tree.tier.get(name, 0), name))
        self._rank = {name: n for n, name in enumerate(order)}
        # Hosts above the leaves turn every leaf between them into a way up: that is told of them, not as a circle.
        ends = [name for name in self._near if tree.ends.get(name) and name not in tree.above]
        self._away, self._passed = _distances(self._near, ends)
        self._looked = 0

    def loop(self) -> tuple[str, ...]:
        """A circle has a turn from down to up; without such a turn on any shortest way there is none."""
        for start in self._turns():
            found = self._circle(start)
            if found:
                return found
        return ()

    def _turns(self) -> Iterator[Channel]:
        """Links down after which a shortest way leads up."""
        for low, others in self._near.items():
            up = [name for name in others if self._rank[name] > self._rank[low]]
            if not up:
                continue
            away = self._away[low]
            rises = np.minimum.reduce([self._away[name] for name in up]) == away - 1
            # What is for hosts of this switch has arrived: it goes nowhere.
            for came in up if rises.any() else ():
                if (self._passed[came] & (self._away[came] == away + 1) & rises & (away > 0)).any():
                    yield came, low

    def _nearer(self, a: str, b: str) -> npt.NDArray[np.bool_]:
        """For which destinations packets that come by switch a may go to b."""
        found: npt.NDArray[np.bool_] = self._passed[a] & (self._away[a] == self._away[b] + 1)
        return found

    def _circle(self, start: Channel) -> tuple[str, ...]:
        """A way of waits from a link back to itself, depth first."""
        came: dict[Channel, Channel] = {}
        stack = [start]
        while stack:
            channel = stack.pop()
            for following in self._waits_for(channel):
                if following == start:
                    return _switches(came, channel, start)
                if following not in came:
                    came[following] = channel
                    stack.append(following)
            if self._looked > _MOST:
                return (start[1],)
        return ()

    def _waits_for(self, channel: Channel) -> Iterator[Channel]:
        bound = self._nearer(*channel)
        for name in self._near[channel[1]]:
            self._looked += 1
            if (bound & self._nearer(channel[1], name)).any():
                yield channel[1], name


def _switches(came: Mapping[Channel, Channel], last: Channel, start: Channel) -> tuple[str, ...]:
    found = [last[0]]
    while last != start:
        last = came[last]
        found.append(last[0])
    return tuple(reversed(found))


_Rows = dict[str, npt.NDArray[Any]]


def _distances(near: Mapping[str, Mapping[str, object]], ends: list[str]) -> tuple[_Rows, _Rows]:
    """switch -> hops to each switch with hosts, _FAR where there is no way; and whether packets for it come by, on a
    shortest way from any other switch with hosts.
    """
    from scipy.sparse import csr_matrix

    place = {name: n for n, name in enumerate(near)}
    rows = [place[name] for name, others in near.items() for _ in others]
    columns = [place[other] for others in near.values() for other in others]
    joined = csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=(len(near), len(near)))
    away = np.full((len(near), len(ends)), _FAR, dtype=np.int16)
    at = np.zeros(away.shape, dtype=np.float32)
    at[[place[name] for name in ends], range(len(ends))] = 1.0
    hops = 0
    while at.any():
        away[at > 0] = hops
        hops += 1
        at = ((joined @ at > 0) & (away == _FAR)).astype(np.float32)
    passed = np.zeros(away.shape, dtype=np.bool_)
    passed[[place[name] for name in ends]] = True
    for left in range(hops - 1, 0, -1):
        here = (passed & (away == left)).astype(np.float32)
        passed |= (joined @ here > 0) & (away == left - 1)
    return {name: away[n] for name, n in place.items()}, {name: passed[n] for name, n in place.items()}
