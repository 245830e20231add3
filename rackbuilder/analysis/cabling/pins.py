"""What the user pinned into cages, by device."""

from collections.abc import Mapping

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.design.records import Plug

Pins = Mapping[str, str]
"""Cage -> id of the optic pinned there."""


def pinned_optics(inputs: Inputs) -> Mapping[str, Pins]:
    """Device -> cage -> optic; the same objects while a device's pins are as before."""
    return inputs.graphs.memo.get("pinned optics", (inputs.tables["plugs"],), lambda: _pinned(inputs))


def _pinned(inputs: Inputs) -> dict[str, Pins]:
    """Device -> cage -> optic; a device whose pins are as before keeps the same object."""
    found: dict[str, dict[str, str]] = {}
    plugs: Mapping[str, Plug] = inputs.tables["plugs"]
    for identity in sorted(plugs):
        device, _, cage = identity.partition(":")
        found.setdefault(device, {})[cage] = plugs[identity].part
    memo = inputs.graphs.memo
    return {device: memo.same(("pins", device), cages) for device, cages in found.items()}
