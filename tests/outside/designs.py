"""Trees of leaves, spines and cores with eight-NIC servers, drawn cable by cable.

Host h is NIC h % 8 of server h // 8 + 1; leaves are filled one after the other. The lower 32 ports of a switch go down.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackbuilder.design.design import Design
from tests.topology.samples import Site, twin


def hosts(site: Site, per_leaf: Sequence[int], leaves: Sequence[str]) -> None:
    made = 0
    for leaf, count in zip(leaves, per_leaf, strict=True):
        for port in range(count):
            server = f"srv-{made // 8 + 1:04d}"
            if made % 8 == 0:
                site.device(server, "dgx-h100")
            site.rail(server, made % 8, leaf, port)
            made += 1


def two_tiers(per_leaf: Sequence[int], spines: int, each: int) -> Site:
    """Leaves with some hosts each and `each` cables to every spine."""
    site = Site()
    leaves = [site.switch(f"leaf-{n + 1:03d}") for n in range(len(per_leaf))]
    hosts(site, per_leaf, leaves)
    for s in range(spines):
        spine = site.switch(f"spine-{s + 1:03d}")
        for n, leaf in enumerate(leaves):
            for k in range(each):
                site.cable(leaf, twin(32 + s * each + k), spine, twin(n * each + k))
    return site


def three_tiers(pods: int, leaves: int, per_leaf: int, spines: int, each: int, cores: int, up: int) -> Site:
    """Pods of `leaves` leaves and `spines` spines, `each` cables a pair; spine s of every pod has `up` cables to each
    core of its own group of `cores`.
    """
    site = Site()
    names = [[site.switch(f"leaf-{p * leaves + n + 1:03d}") for n in range(leaves)] for p in range(pods)]
    hosts(site, [per_leaf] * (pods * leaves), [leaf for pod in names for leaf in pod])
    for s in range(spines):
        group = [site.switch(f"core-{s * cores + c + 1:03d}") for c in range(cores)]
        for p in range(pods):
            spine = site.switch(f"spine-{p * spines + s + 1:03d}")
            for n, leaf in enumerate(names[p]):
                for k in range(each):
                    site.cable(leaf, twin(32 + s * each + k), spine, twin(n * each + k))
            for c, core in enumerate(group):
                for k in range(up):
                    site.cable(spine, twin(32 + c * up + k), core, twin(p * up + k))
    return site


def without(site: Site, a: str, b: str, count: int = 1) -> Site:
    """Less the first cables between two devices."""
    found = [c.id for c in site.draft.cables.values() if {c.a.device, c.b.device} == {a, b}]
    assert len(found) >= count
    for identity in found[:count]:
        site.draft.remove("cables", identity)
    return site


def missing_uplink() -> Design:
    """4 leaves, 2 spines, 4 cables a pair; one is gone."""
    return without(two_tiers([4] * 4, 2, 4), "leaf-003", "spine-001").done()


def host_on_spine() -> Design:
    site = two_tiers([4] * 4, 2, 2)
    site.device("srv-0099", "dgx-h100")
    site.rail("srv-0099", 0, "spine-001", 63)
    return site.done()


def ring() -> Design:
    """Four leaves with four hosts each, cabled in a ring."""
    site = Site()
    leaves = [site.switch(f"leaf-{n + 1:03d}") for n in range(4)]
    hosts(site, [4] * 4, leaves)
    for n, leaf in enumerate(leaves):
        site.cable(leaf, twin(40), leaves[(n + 1) % 4], twin(41))
    return site.done()


def leaf_to_leaf() -> Design:
    site = two_tiers([4] * 4, 2, 2)
    site.cable("leaf-001", twin(60), "leaf-002", twin(60))
    return site.done()


def unreachable_leaf() -> Design:
    """A full tree in which nobody has cabled the fourth leaf up."""
    site = two_tiers([4] * 4, 2, 2)
    return without(without(site, "leaf-004", "spine-001", 2), "leaf-004", "spine-002", 2).done()
