"""What the faults of a design take away, by the ref they name."""

from collections.abc import Iterable
from typing import NamedTuple

from rackbuilder.design.records import Cable, Fault
from rackbuilder.design.refs import derived_link, gpu_ref, port_ref


class Loss(NamedTuple):
    """How much is gone.

    all        nothing is left
    links      how many links are gone, when some are left
    rate_bps   what each link that is left still carries per direction; None: as built
    """

    all: bool = False
    links: int = 0
    rate_bps: float | None = None


NOTHING = Loss()


def loss_of(fault: Fault) -> Loss:
    """A failure or maintenance takes `links` of them, or all; a degraded or observed one gives links or a rate."""
    if not fault.on:
        return NOTHING
    if fault.kind in ("failed", "maintenance"):
        return Loss(all=fault.links is None, links=fault.links or 0)
    return Loss(links=fault.links or 0, rate_bps=fault.rate_bps)


def _both(one: Loss, two: Loss) -> Loss:
    rates = [x for x in (one.rate_bps, two.rate_bps) if x is not None]
    return Loss(one.all or two.all, one.links + two.links, min(rates, default=None))


class Losses:
    """Look-ups by what is lost: a cable, a port or cage, a device, a pair of devices, a GPU."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._by_ref: dict[str, Loss] = {}
        for fault in faults:
            loss = loss_of(fault)
            if loss != NOTHING:
                ref = derived_link(*fault.ref.split("~", 1)) if "~" in fault.ref else fault.ref
                self._by_ref[ref] = _both(self._by_ref.get(ref, NOTHING), loss)

    def __bool__(self) -> bool:
        return bool(self._by_ref)

    def cable(self, cable: Cable) -> Loss:
        """What its own fault, and those of its ports, cages and devices, leave of a cable."""
        names = [cable.id]
        for device, port in (cable.a, cable.b):
            names += (device, port_ref(device, port), port_ref(device, port.split("/")[0]))
        found = [self._by_ref[name] for name in names if name in self._by_ref]
        rates = [x.rate_bps for x in found if x.rate_bps is not None]
        # A cable is one link: losing one of it is losing it. A count on a device names no link in particular.
        own = self._by_ref.get(cable.id, NOTHING)
        return Loss(any(x.all for x in found) or own.links > 0, 0, min(rates, default=None))

    def pair(self, a: str, b: str) -> Loss:
        """What is lost of all the links between two devices, by a fault of the pair."""
        return self._by_ref.get(derived_link(a, b), NOTHING)

    def device(self, device: str) -> Loss:
        return self._by_ref.get(device, NOTHING)

    def gpu(self, device: str, index: int) -> Loss:
        return self._by_ref.get(gpu_ref(device, index), NOTHING)
