"""Traffic patterns between GPUs, servers or ports of a fabric: rings, shifts, permutations, incast, groups, a matrix.

A member with several ports into the fabric (planes) divides its bytes evenly over them, and port n sends to port n.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import lcm
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.loads import Exchange, Flows
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.errors import refusal


class Members(NamedTuple):
    """Who takes part, in order. `hosts`: (member, lane), places among the hosts of the arrays."""

    refs: tuple[str, ...]
    hosts: IntArray


def members_of(arrays: Arrays, refs: Iterable[str]) -> Members:
    """GPUs (“srv-0001.gpu3”), ports (“srv-0001:osfp1/2”) or whole devices as members.

    Raises ProblemError for one that has no port on the fabric.
    """
    names = tuple(refs)
    by_device: dict[str, list[int]] = {}
    for host, device in enumerate(arrays.host_device.tolist()):
        by_device.setdefault(arrays.devices[device], []).append(host)
    rows: list[Sequence[int]] = []
    for ref in names:
        found = arrays.hosts_by_gpu.get(ref) or by_device.get(ref) or _port(arrays, ref)
        if not found:
            raise refusal(
                f"{ref} has no port on the fabric “{arrays.fabric}”",
                fix="Cable one of its ports to a switch of that fabric, or leave it out.",
                refs=(ref,),
            )
        rows.append(found)
    lanes = lcm(*(len(row) for row in rows)) if rows else 1
    table = [[row[lane % len(row)] for lane in range(lanes)] for row in rows]
    return Members(names, np.array(table, dtype=np.int64).reshape(len(rows), lanes))


def _port(arrays: Arrays, ref: str) -> list[int]:
    host = arrays.host_by_name.get(ref)
    return [] if host is None else [host]


def gpus_on(arrays: Arrays) -> Members:
    """Every GPU with a port of its own on the fabric, servers in natural order."""
    return members_of(arrays, arrays.hosts_by_gpu)


def flows_between(who: Members, src: IntArray, dst: IntArray, size: FloatArray) -> list[Flows]:
    """Flows between members (places in `who`), a part for each lane."""
    lanes = who.hosts.shape[1]
    return [Flows(who.hosts[src, lane], who.hosts[dst, lane], size / lanes) for lane in range(lanes)]


def shift(who: Members, by: int, size: float) -> list[Flows]:
    """Each sends to the member `by` places on, round the end."""
    places = np.arange(len(who.refs))
    return flows_between(who, places, (places + by) % max(1, len(places)), np.full(len(places), size))


def ring(who: Members, size: float) -> list[Flows]:
    """Each sends to the next."""
    return shift(who, 1, size)


def permutation(who: Members, order: Sequence[int], size: float) -> list[Flows]:
    """Member n sends to member order[n]. Raises ProblemError when that is no permutation."""
    if sorted(order) != list(range(len(who.refs))):
        raise refusal(
            f"The order names {len(order)} places, and is no permutation of {len(who.refs)}",
            fix="Name each place from 0 once.",
        )
    places = np.arange(len(who.refs))
    return flows_between(who, places, np.array(order, dtype=np.int64), np.full(len(places), size))


def random_permutation(who: Members, size: float, seed: int) -> list[Flows]:
    """A permutation drawn at random, the same for the same seed."""
    order = np.random.default_rng(seed).permutation(len(who.refs))
    return permutation(who, order.tolist(), size)


def incast(who: Members, to: int, size: float) -> list[Flows]:
    """Every member sends to one of them."""
    src = np.array([n for n in range(len(who.refs)) if n != to], dtype=np.int64)
    return flows_between(who, src, np.full(len(src), to), np.full(len(src), size))


def matrix(who: Members, sizes: FloatArray) -> list[Flows]:
    """Bytes from each member to each; nothing on the diagonal is sent. Raises ProblemError for another shape."""
    count = len(who.refs)
    if sizes.shape != (count, count) or not np.isfinite(sizes).all() or (sizes < 0).any():
        raise refusal(
            f"The matrix is not {count} rows of {count} byte counts",
            fix="Give a row for each sender and a column for each receiver, none negative.",
        )
    src, dst = np.nonzero(np.where(np.eye(count, dtype=np.bool_), 0.0, sizes))
    return flows_between(who, src, dst, sizes[src, dst])


def all_to_all(who: Members, group: Sequence[int], island: Sequence[int], size: float) -> list[Exchange]:
    """Each sends `size` bytes to each other of its group that is not on its island (server, NVLink domain)."""
    lanes = who.hosts.shape[1]
    groups, islands = np.array(group, dtype=np.int64), np.array(island, dtype=np.int64)
    each = np.full(len(who.refs), size / lanes)
    return [Exchange(groups, islands, who.hosts[:, lane], each) for lane in range(lanes)]


def blocks_of(count: int, size: int) -> Iterator[int]:
    """Groups of so many members in order: 0, 0, …, 1, 1, …"""
    return (n // size for n in range(count))
