"""Bytes and ideal times of collectives: exact, with no efficiency and no latency unless given.

Sizes follow nccl-tests: S is the whole buffer of the collective, except where a parameter says "per rank". Bytes are
per GPU and direction, rates byte/s per direction. A group of n GPUs may span q NVLink domains, g = n/q GPUs in each.

Ring and tree counts: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH",
IJHPCA 2005; Sanders, Speck, Träff, "Two-tree algorithms", Parallel Computing 2009. Multi-rail rings and NVLS as NCCL
builds them. The in-network reduction: Graham et al., SHARP, COMHPC 2016.
"""

from dataclasses import dataclass
from math import ceil, log2
from typing import Literal

Collective = Literal["all-reduce", "reduce-scatter", "all-gather"]

PASSES: dict[Collective, int] = {"all-reduce": 2, "reduce-scatter": 1, "all-gather": 1}
"""How often a ring takes the buffer round: an all-reduce is a reduce-scatter and an all-gather."""


@dataclass(frozen=True)
class Split:
    """Bytes of one GPU per direction: inside its NVLink domain, and through its NIC."""

    inside: float
    nic: float

    def times(self, inside_bytes_s: float, nic_bytes_s: float) -> "Split":
        """The same as seconds at each of the two."""
        return Split(self.inside / inside_bytes_s, self.nic / nic_bytes_s)

    @property
    def serial(self) -> float:
        """One phase after the other."""
        return self.inside + self.nic

    @property
    def overlapped(self) -> float:
        """Both phases at once: the slower one binds."""
        return max(self.inside, self.nic)

    def pipelined(self, chunks: int) -> float:
        """The buffer in chunks, one in each phase at a time: the slower phase, and one chunk of the other."""
        return self.overlapped + min(self.inside, self.nic) / chunks


def ring(kind: Collective, size: float, n: int) -> float:
    """A ring of n: each pass sends all but one n-th of the buffer."""
    return PASSES[kind] * size * (n - 1) / n


def ring_steps(kind: Collective, n: int) -> int:
    return PASSES[kind] * (n - 1)


def tree_all_reduce(size: float) -> float:
    """A double binary tree, each of half the buffer: an inner rank receives two halves and sends one, both ways."""
    return 2 * size


def tree_steps(n: int) -> int:
    return 2 * ceil(log2(n))


def nvls_all_reduce(size: float, n: int) -> float:
    """The NVSwitch reduces and multicasts: a rank sends its buffer once, and its own n-th of the sum."""
    return size * (1 + 1 / n)


def sharp_all_reduce(size: float) -> float:
    """The fabric reduces: the buffer goes up once and comes down once."""
    return size


def multi_rail_ring(kind: Collective, size: float, g: int, q: int) -> Split:
    """One ring for each of the g rails over all g·q GPUs, crossing to the next domain on that rail.

    Of each GPU's g rings one leaves the domain at it: 1/g of what it sends goes through its NIC.
    """
    whole = ring(kind, size, g * q)
    return Split(whole, 0.0) if q == 1 else Split(whole * (g - 1) / g, whole / g)


def two_level(kind: Collective, size: float, g: int, q: int) -> Split:
    """Reduce-scatter in the domain, a ring of 1/g of the buffer per rail across domains, all-gather in the domain."""
    passes = PASSES[kind]
    return Split(passes * size * (g - 1) / g, passes * size * (q - 1) / (q * g))


def all_to_all(size_per_rank: float, n: int) -> float:
    """Direct: a rank sends an n-th of its buffer to each of the others."""
    return size_per_rank * (n - 1) / n


def all_to_all_direct(size_per_rank: float, g: int, q: int) -> Split:
    """Peers in the domain over NVLink, all others straight from NIC to NIC."""
    peer = size_per_rank / (g * q)
    return Split((g - 1) * peer, (g * q - g) * peer)


def all_to_all_aligned(size_per_rank: float, g: int, q: int) -> Split:
    """As direct, but first over NVLink to the GPU on the receiver's rail (PXN): no byte changes rails on the fabric."""
    direct = all_to_all_direct(size_per_rank, g, q)
    relayed = (g - 1) * (q - 1) * size_per_rank / (g * q)
    return Split(direct.inside + relayed, direct.nic)


def off_rail(size_per_rank: float, g: int, q: int) -> float:
    """Of a direct all-to-all: the NIC bytes of one GPU whose receiver sits on another rail, and so on another leaf."""
    return all_to_all_direct(size_per_rank, g, q).nic * (g - 1) / g


def algorithm_bandwidth(size: float, time_s: float) -> float:
    """Buffer over time, byte/s."""
    return size / time_s


def bus_bandwidth(kind: Collective, size: float, n: int, time_s: float) -> float:
    """What nccl-tests prints: the rate each GPU's links would carry if a ring ran, byte/s."""
    return ring(kind, size, n) / time_s


def with_latency(transfer_s: float, steps: int, step_s: float) -> float:
    """Transfer time and a fixed time a step."""
    return transfer_s + steps * step_s
