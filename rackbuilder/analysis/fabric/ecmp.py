"""Hash ECMP: each flow keeps to one of the equal ways, picked by a hash. On average even; at its worst it is not."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.blocks import sort_out, tally
from rackbuilder.analysis.fabric.dmodk import LinkLoads, Steps
from rackbuilder.analysis.fabric.loads import Exchange, Flows, summed
from rackbuilder.analysis.fabric.recognise import Clos
from rackbuilder.analysis.fabric.walk import live_trunks
from rackbuilder.analysis.fabric.wires import FloatArray

DRAWS = 4000
SEED = 1


@lru_cache(maxsize=4096)
def collision(flows: int, links: int) -> float:
    """Expected load of the busiest of some links over the mean, when that many equal flows are hashed onto them.

    From 4,000 seeded draws; the same numbers give the same answer. 1 where there is nothing to choose.
    """
    if flows < 1 or links < 2:
        return 1.0
    generator = np.random.default_rng((SEED, flows, links))
    share = np.full(links, 1.0 / links)
    worst = [generator.multinomial(flows, share, size=DRAWS // 8).max(axis=1).mean() for _ in range(8)]
    return float(np.mean(worst) * links / flows)


@dataclass(frozen=True, eq=False)
class HashedLoads:
    """What hashing makes of some traffic.

    even             bytes of each link on average
    flows, factor    of each switch: flows from its hosts to other switches; what its busiest up link is expected to
                     carry over the mean
    """

    even: LinkLoads
    flows: FloatArray
    factor: FloatArray

    def expected(self, arrays: Arrays) -> FloatArray:
        """Bytes that the busiest up link of each trunk's lower switch is expected to carry, by trunk."""
        up = self.even.up[: arrays.trunks]
        return np.asarray(up * self.factor[arrays.low], dtype=np.float64)


def carry_hashed(
    arrays: Arrays,
    clos: Clos | None,
    flows: list[Flows],
    exchanges: list[Exchange],
    pairs_each: int = 1,
) -> Steps[HashedLoads]:
    """Puts traffic on a fabric by hash. `pairs_each`: queue pairs, and so hashes, of a flow between two hosts.

    Collisions are told at the switches that hosts are on, where the flows are known one by one.
    """
    even = yield from carry_adaptive(arrays, clos, flows, exchanges)
    traffic = sort_out(arrays, flows, exchanges)
    switch, count = arrays.host_switch, len(arrays.switches)
    start, end = switch[traffic.flows.src], switch[traffic.flows.dst]
    leaving = summed(start[start != end], np.ones(int((start != end).sum())), count)
    # A block with a negative size takes flows back, as it takes back their bytes.
    rows = tally(traffic.blocks.block, switch[traffic.blocks.host])
    sign = np.sign(traffic.blocks.size)[rows.block]
    out = sign * rows.hosts * (traffic.blocks.members[rows.block] - rows.hosts)
    leaving = (leaving + summed(rows.what, out, count)) * pairs_each
    links = np.bincount(arrays.low[live_trunks(arrays)], minlength=count)
    factor = np.array([collision(round(n), int(k)) for n, k in zip(leaving, links, strict=True)])
    return HashedLoads(even, leaving, factor)
