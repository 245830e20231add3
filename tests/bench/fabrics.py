"""Large fabrics made as arrays, without a design of a million records behind them."""

from __future__ import annotations

import networkx as nx
import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays

G = 1e9


def tree(radix: int, pods: int, rate_bps: float = 400 * G) -> Arrays:
    """A three-tier tree at 1:1: pods of radix/2 leaves, radix/2 spines and radix²/4 hosts; radix/2 cores a spine."""
    half = radix // 2
    leaves, spines, cores = pods * half, pods * half, half * half
    pod, leaf, spine = (
        x.ravel() for x in np.meshgrid(np.arange(pods), np.arange(half), np.arange(half), indexing="ij")
    )
    low1, high1 = pod * half + leaf, leaves + pod * half + spine
    low2, high2 = leaves + pod * half + leaf, leaves + spines + leaf * half + spine
    hosts = leaves * half
    names = [f"leaf-{n + 1}" for n in range(leaves)] + [f"spine-{n + 1}" for n in range(spines)]
    names += [f"core-{n + 1}" for n in range(cores)]
    trunks = 2 * len(low1)
    servers = hosts // 8
    return Arrays(
        fabric="compute",
        switches=tuple(names),
        level=np.repeat(np.arange(3), [leaves, spines, cores]),
        cables=tuple(map(str, range(trunks + hosts))),
        low=np.r_[low1, low2],
        high=np.r_[high1, high2],
        low_order=np.r_[half + spine, half + spine],
        high_order=np.r_[leaf, pod],
        rate_bps=np.full(trunks + hosts, rate_bps),
        up=np.ones(trunks + hosts, dtype=np.bool_),
        devices=tuple(f"srv-{n + 1}" for n in range(servers)),
        host_device=np.arange(hosts) // 8,
        host_switch=np.arange(hosts) // half,
        host_order=np.arange(hosts) % half,
        host_ports=(None,) * hosts,
        servers=np.ones(servers, dtype=np.bool_),
    )


def random_graph(switches: int, links: int, hosts: int, seed: int = 1, rate_bps: float = 400 * G) -> Arrays:
    """Switches joined at random, each with as many links and hosts: no tree at all."""
    edges = np.array(sorted(nx.random_regular_graph(links, switches, seed=seed).edges()), dtype=np.int64)
    low, high = edges.min(axis=1), edges.max(axis=1)
    count = switches * hosts
    ends = len(edges) + count
    return Arrays(
        fabric="compute",
        switches=tuple(f"switch-{n + 1}" for n in range(switches)),
        level=np.zeros(switches, dtype=np.int64),
        cables=tuple(map(str, range(ends))),
        low=low,
        high=high,
        low_order=high,
        high_order=low,
        rate_bps=np.full(ends, rate_bps),
        up=np.ones(ends, dtype=np.bool_),
        devices=tuple(f"srv-{n + 1}" for n in range(count // 8)),
        host_device=np.arange(count) // 8,
        host_switch=np.arange(count) // hosts,
        host_order=np.arange(count) % hosts,
        host_ports=(None,) * count,
        servers=np.ones(count // 8, dtype=np.bool_),
    )
