"""What routing makes of a fabric: trees that fat-tree routing refuses, circles that can stop a lossless fabric.

The terms of fat-tree routing are those of opensm (doc/current-routing.txt): all switches of a tier have the same number
of groups of links up and down, all groups of a tier and direction the same number of links, and all hosts hang at one
tier. Otherwise the engine is not used, and another one takes its place in silence.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rackbuilder.analysis.fabric.loops import credit_loop
from rackbuilder.analysis.inputs import Inputs
from rackbuilder.catalog.parts import LinkTechnology
from rackbuilder.commands.cabling import Connect, Disconnect
from rackbuilder.commands.names import counted
from rackbuilder.commands.ports import free_ports
from rackbuilder.design.refs import derived_link, port_ref
from rackbuilder.rules.finding import GRAPH_TABLES, Finding, finding, topic
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.paths import components, switches_of
from rackbuilder.topology.tree import Tree, flat_links, links_up, tree_of

FAT_TREE = ("", "ftree", "fat-tree")
UP_DOWN = ("updn", "up-down", "ftree", "fat-tree")
"""Engines that never turn from down to up."""
_TIERS = ("leaf", "spine", "core")
_MOST = 8
"""Switches named one by one; of more, one finding tells."""


def _fabrics(inputs: Inputs) -> Iterator[tuple[FabricGraph, Tree]]:
    """Fabrics of several switches, but those for management: lossless or not, their load is no matter."""
    for fabric in inputs.graphs.fabrics.values():
        if fabric.record.roles != ("out-of-band",) and len(switches_of(fabric)) > 1:
            yield fabric, tree_of(fabric)


def _technology(inputs: Inputs, fabric: FabricGraph) -> LinkTechnology | None:
    part = inputs.parts.get(fabric.record.technology)
    return part if isinstance(part, LinkTechnology) else None


def _label(inputs: Inputs, name: str) -> str:
    return inputs.devices[name].label


def _listed(inputs: Inputs, names: Sequence[str], most: int = 4) -> str:
    shown = ", ".join(_label(inputs, name) for name in names[:most])
    return f"{shown}, …" if len(names) > most else shown


# ---- symmetry

Groups = tuple[int, ...]
"""Links in each group of a switch, fewest first."""


def symmetry(inputs: Inputs) -> Iterator[Finding]:
    """Groups of links that differ within a tier. A leaf with fewer hosts is fine."""
    for fabric, tree in _fabrics(inputs):
        technology = _technology(inputs, fabric)
        if technology is None or technology.protocol != "infiniband":
            continue
        if fabric.record.routing.lower() in FAT_TREE:
            yield from _asymmetry(inputs, fabric, tree)
            yield from _no_tree(inputs, fabric, tree)


def _asymmetry(inputs: Inputs, fabric: FabricGraph, tree: Tree) -> Iterator[Finding]:
    """The lowest tier whose groups up differ, else the lowest whose groups down do: one cause shows on both sides."""
    for step in (1, -1):
        for tier in range(tree.height):
            groups = {name: _groups(fabric, tree, name, step) for name in tree.of_tier(tier)}
            groups = {name: found for name, found in groups.items() if found}
            shapes = Counter(groups.values())
            if len(shapes) > 1 or any(len(set(shape)) > 1 for shape in shapes):
                yield from _uneven(inputs, fabric, tree, tier, step, groups)
                return


def _no_tree(inputs: Inputs, fabric: FabricGraph, tree: Tree) -> Iterator[Finding]:
    """Leaves cabled to each other and nothing above: told only to one who asks for fat-tree routing by name."""
    pairs = list(flat_links(fabric, tree))
    if fabric.record.routing and tree.height == 1 and pairs:
        names = sorted({name for pair in pairs for name in pair}, key=natural_key)
        yield finding(
            "warning",
            "routing.no-tree",
            f"{_listed(inputs, names)} are joined to each other and to nothing above: fat-tree routing wants one tier "
            "of roots and refuses this; another engine routes instead",
            f"fabric {fabric.id}",
            "Join the switches by a spine, or choose another engine.",
            names,
        )


def _groups(fabric: FabricGraph, tree: Tree, name: str, step: int) -> Groups:
    near = _beside(fabric, tree, name, step)
    return tuple(sorted(near.values()))


def _beside(fabric: FabricGraph, tree: Tree, name: str, step: int) -> dict[str, int]:
    """Switches one tier above (or below) and the links to each."""
    tier = tree.tier[name] + step
    return {o: links_up(fabric, name, o) for o in switches_of(fabric)[name] if tree.tier.get(o) == tier}


def _uneven(
    inputs: Inputs, fabric: FabricGraph, tree: Tree, tier: int, step: int, groups: Mapping[str, Groups]
) -> Iterator[Finding]:
    shapes = Counter(groups.values())
    usual = max(shapes, key=lambda shape: (shapes[shape], sum(shape), shape))
    odd = sorted((name for name, shape in groups.items() if shape != usual), key=natural_key)
    way = "up" if step > 0 else "down"
    verdict = (
        f"Fat-tree routing refuses this and another engine routes instead. {counted(len(groups), 'switch')}"
        f" of the tier {'have' if len(groups) > 1 else 'has'} links {way}"
    )
    if not odd or shapes[usual] <= len(groups) / 2 or len(odd) > _MOST:
        yield finding(
            "warning",
            "routing.unequal-groups",
            f"The groups of links {way} are unequal: {_shapes(shapes)}. {verdict}",
            f"{_TIERS[min(tier, 2)]} tier of {fabric.id}",
            f"Give each switch as many links to every switch {'above' if step > 0 else 'below'}, "
            "or choose up/down routing for the fabric (updn).",
            sorted(groups, key=natural_key) if not odd or shapes[usual] <= len(groups) / 2 else odd,
        )
        return
    others = {name: sum(_groups(fabric, tree, name, -step)) for name in tree.of_tier(tier + step)}
    for name in odd:
        short = _short(fabric, tree, name, step, usual, others)
        yield finding(
            "warning",
            "routing.unequal-groups",
            f"{_label(inputs, name)} has groups of {_sizes(groups[name])} links {way} where its peers have "
            f"{_sizes(usual)}: {sum(groups[name])} of {sum(usual)} links. {verdict}",
            _label(inputs, name),
            "Restore the cable, or choose up/down routing for the fabric (updn).",
            (name, *short),
            _restored(inputs, fabric, name, short, sum(usual) - sum(groups[name])),
        )


def _sizes(groups: Groups) -> str:
    """“3 and 4”, “16 × 2”."""
    if len(set(groups)) == 1 and len(groups) > 2:
        return f"{len(groups)} × {groups[0]}"
    rows = [str(n) for n in groups] if len(groups) < 5 else [f"{c} × {n}" for n, c in Counter(groups).items()]
    return " and ".join([", ".join(rows[:-1]), rows[-1]] if len(rows) > 1 else rows)


def _shapes(shapes: Mapping[Groups, int]) -> str:
    rows = sorted(shapes.items(), key=lambda row: (-row[1], row[0]))
    return "; ".join(f"{counted(count, 'switch')} with {_sizes(shape)}" for shape, count in rows[:4])


def _short(
    fabric: FabricGraph, tree: Tree, name: str, step: int, usual: Groups, others: Mapping[str, int]
) -> list[str]:
    """The switches that a switch lacks links to: smaller groups than usual, or no group where its peers have one.

    `others`: the switches of the tier beyond, with all their links back.
    """
    near = _beside(fabric, tree, name, step)
    short = [other for other, count in near.items() if count < max(usual)]
    if len(near) < len(usual):
        most = max(others.values(), default=0)
        short += [other for other, count in others.items() if other not in near and count < most]
    return sorted(short, key=natural_key)


def _restored(
    inputs: Inputs, fabric: FabricGraph, name: str, short: Sequence[str], lacking: int
) -> Connect | None:
    """The cable that is missing, where it is one, both ends have a free port, and a sister cable says its kind."""
    if lacking != 1 or len(short) != 1:
        return None
    ports = [
        next((p.name for p in free_ports(inputs, device).values() if p.cages.role == "data"), None)
        for device in (name, short[0])
    ]
    data = fabric.edge(name, short[0])
    if None in ports or data is None:
        return None
    part = inputs.cables[data["cables"][0]].part
    return Connect(a=port_ref(name, str(ports[0])), b=port_ref(short[0], str(ports[1])), part=part)


# ---- hosts and leaves


def above_leaves(inputs: Inputs) -> Iterator[Finding]:
    """Hosts on switches that stand over leaves."""
    for fabric, tree in _fabrics(inputs):
        for name in tree.above:
            hosts = [
                other
                for other in fabric.adjacency[name]
                if other not in tree.tier and links_up(fabric, name, other)
            ]
            hosts = sorted((h for h in hosts if fabric.kind(h) != "switch"), key=natural_key)
            yield finding(
                "warning",
                "routing.host-above-leaf",
                f"{_listed(inputs, hosts)} {'hangs' if len(hosts) == 1 else 'hang'} on {_label(inputs, name)}, which "
                "stands over leaves. Fat-tree routing wants all hosts on leaves: it refuses, or hosts of several such "
                "switches may not reach each other",
                _label(inputs, name),
                "Move them to leaves, or give the engine a list of I/O ports with reverse hops.",
                (name, *hosts),
            )


def leaf_to_leaf(inputs: Inputs) -> Iterator[Finding]:
    """Cables between leaves that have a tier above: left over from an earlier drawing, as a rule."""
    for fabric, tree in _fabrics(inputs):
        if tree.height < 2:
            continue
        for a, b in flat_links(fabric, tree):
            data = fabric.edge(a, b)
            up = any(tree.tier.get(o) == 1 for leaf in (a, b) for o in switches_of(fabric)[leaf])
            if data is not None and up:
                many = counted(len(data["cables"]), "cable")
                yield finding(
                    "warning",
                    "routing.leaf-to-leaf",
                    f"{many} {'joins' if len(data['cables']) == 1 else 'join'} two leaves, {_label(inputs, a)} and "
                    f"{_label(inputs, b)}, beside their links to spines: traffic between the two takes no other way",
                    f"{_label(inputs, a)} to {_label(inputs, b)}",
                    f"Remove the {'cable' if len(data['cables']) == 1 else 'cables'}.",
                    (*data["cables"], a, b),
                    Disconnect(refs=(derived_link(a, b),)) if _alone(fabric, a, b, inputs) else None,
                )


def _alone(fabric: FabricGraph, a: str, b: str, inputs: Inputs) -> bool:
    """No cable of another fabric joins the two."""
    data = fabric.edge(a, b)
    every = [c for c in inputs.cables_of(a) if b in (c.a.device, c.b.device)]
    return data is not None and len(every) == len(data["cables"])


def cut_off(inputs: Inputs) -> Iterator[Finding]:
    """Leaves with hosts that no switch joins to the rest, while others have a tier above them."""
    for fabric, tree in _fabrics(inputs):
        parts = [group for group in components(switches_of(fabric)) if any(s in tree.ends for s in group)]
        single = [group[0] for group in parts if len(group) == 1]
        if single and any(tree.tier.get(s) == 1 for group in parts for s in group):
            single.sort(key=natural_key)
            yield finding(
                "warning",
                "routing.unreachable-leaf",
                f"{_listed(inputs, single)} {'has' if len(single) == 1 else 'have'} hosts and no link to a spine: "
                f"{counted(sum(tree.ends[s] for s in single), 'host port')} reach nothing beyond. A subnet manager "
                "sees only the part it sits in, and says nothing",
                _label(inputs, single[0]) if len(single) == 1 else f"fabric {fabric.id}",
                "Cable the leaf to the spines.",
                single,
            )


# ---- circles


def circles(inputs: Inputs) -> Iterator[Finding]:
    """Shortest ways that can close a circle of waits; under up/down routing, the detours instead."""
    for fabric, _ in _fabrics(inputs):
        if not _lossless(inputs, fabric):
            continue
        loop = credit_loop(fabric)
        engine = fabric.record.routing.lower()
        if not loop:
            continue
        names = " to ".join(_label(inputs, name) for name in (*loop, loop[0])) if len(loop) > 1 else ""
        at = f"around {names}" if names else f"through {_label(inputs, loop[0])}"
        if engine in UP_DOWN and not (engine in FAT_TREE and tree_of(fabric).height < 2):
            yield finding(
                "note",
                "routing.detour",
                f"Some shortest ways {at} are barred by the routing engine {engine}, so packets take longer ones",
                f"fabric {fabric.id}",
                "Give the leaves a spine in common.",
                loop,
            )
            continue
        yield finding(
            "warning",
            "routing.credit-loop",
            f"Shortest ways can close a circle of waits {at}: in a lossless fabric, full buffers then stop all of it",
            f"fabric {fabric.id}",
            "Join the switches by a spine, or choose up/down routing for the fabric (updn).",
            loop,
        )


def _lossless(inputs: Inputs, fabric: FabricGraph) -> bool:
    technology = _technology(inputs, fabric)
    if fabric.record.lossless is not None:
        return fabric.record.lossless
    return technology is not None and technology.lossless


ROUTING = topic("routing", GRAPH_TABLES, "", symmetry, above_leaves, leaf_to_leaf, cut_off, circles)
