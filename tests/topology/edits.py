"""Random edits of a small design, to hold what follows from it patch by patch against what is built afresh."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from rackbuilder.catalog.parts import Cages, DeviceType
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.patch import Patch
from rackbuilder.design.records import Cable, Device, End, Fabric, Fault, Override, Rack
from tests.topology.samples import DGX_H100, H100, NVL72, Site, nvl72, twin

SERVERS = (
    "dgx-h100",
    "dgx-b200",
    "pcie8-l40s",
    "mi300x-8",
    "hgx-b200-unsaid",
    "mystery-server",
    "pcie8-h100-nvl",
)
OTHERS = ("ufm", "store", "qm9700", "sn2201", "blind-switch")


def start() -> Design:
    """Two small fabrics, a part of an NVL72 rack, a server by itself."""
    site = Site(fabrics=("compute", "storage"))
    for n in range(3):
        site.switch(f"leaf-{n + 1:02d}")
    site.switch("spine-01")
    site.switch("stor-01", "storage")
    for n in range(4):
        name = site.device(f"srv-{n + 1:04d}", SERVERS[n % 2])
        for rail in range(8):
            site.rail(name, rail, f"leaf-{rail % 3 + 1:02d}", 4 * n + rail // 3)
        site.cable(name, "stor1/1", "stor-01", twin(n))
    for n in range(3):
        for k in range(4):
            site.cable(f"leaf-{n + 1:02d}", twin(40 + k), "spine-01", twin(4 * n + k))
    trays = nvl72(site, trays=3, switches=3)
    for n, tray in enumerate(trays):
        site.cable(tray, "osfp1/1", "leaf-01", twin(20 + n))
    return site.done()


class Edits:
    """One random edit after another; the same seed, the same edits."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kinds: list[Callable[[Draft], None]] = [
            self.add_device, self.add_device, self.remove_device, self.retype, self.refabric, self.split, self.pin,
            self.add_cable, self.add_cable, self.add_cable, self.remove_cable, self.remove_cable, self.pin_cable,
            self.fabric, self.drop_fabric, self.fault, self.fault, self.mend, self.override, self.seat, self.seat,
            self.unseat, self.part, self.rename, self.rack_type,
        ]  # fmt: skip

    def patch(self, design: Design) -> Patch:
        draft = Draft(design)
        for _ in range(self.random.choice((1, 1, 1, 2, 5))):
            self.random.choice(self.kinds)(draft)
        return draft.patch("edit")

    def _device(self, draft: Draft) -> Device:
        return draft.devices[self.random.choice(sorted(draft.devices))]

    def _fabric_name(self, draft: Draft, none: bool = True) -> str:
        return self.random.choice([*sorted(draft.fabrics), *([""] if none else [])])

    def add_device(self, draft: Draft) -> None:
        kind = self.random.choice(SERVERS + OTHERS)
        switch = kind in ("qm9700", "sn2201", "blind-switch")
        fabric = self._fabric_name(draft) if switch else ""
        draft.put("devices", Device(id=draft.new_id("dev"), type=kind, fabric=fabric))

    def remove_device(self, draft: Draft) -> None:
        device = self._device(draft)
        for cable in list(draft.cables_of(device.id)):
            draft.remove("cables", cable.id)
        draft.remove("devices", device.id)
        if not draft.devices:
            self.add_device(draft)

    def retype(self, draft: Draft) -> None:
        device = self._device(draft)
        same = SERVERS if draft.type_of(device).gpu_count else OTHERS
        draft.change("devices", device.id, type=self.random.choice(same))

    def refabric(self, draft: Draft) -> None:
        draft.change("devices", self._device(draft).id, fabric=self._fabric_name(draft))

    def split(self, draft: Draft) -> None:
        device = self._device(draft)
        draft.change("devices", device.id, modes={} if device.modes else {"osfp1": 2})

    def pin(self, draft: Draft) -> None:
        role = self.random.choice(("", "leaf", "spine", "core"))
        rail = self.random.choice((None, 0, 3))
        draft.change("devices", self._device(draft).id, role=role, rail=rail)

    def add_cable(self, draft: Draft) -> None:
        a, b = self._device(draft), self._device(draft)
        known = [cable.a.device for cable in draft.cables_of(b.id)]
        if known and self.random.random() < 0.3:
            a = draft.devices[self.random.choice(known)]
        ends = [End(d.id, self._port(draft, d)) for d in (a, b)]
        fabric = self._fabric_name(draft) if self.random.random() < 0.2 else ""
        draft.put("cables", Cable(id=draft.new_id("cbl"), a=ends[0], b=ends[1], fabric=fabric))

    def _port(self, draft: Draft, device: Device) -> str:
        rows = draft.type_of(device).cages
        if not rows or self.random.random() < 0.05:
            return "nothing1/1"
        row = self.random.choice(rows)
        return f"{row.name}{self.random.randint(1, row.count)}/{self.random.randint(1, row.ports)}"

    def remove_cable(self, draft: Draft) -> None:
        if draft.cables:
            draft.remove("cables", self.random.choice(sorted(draft.cables)))

    def pin_cable(self, draft: Draft) -> None:
        if draft.cables:
            name = self.random.choice(sorted(draft.cables))
            draft.change("cables", name, fabric=self._fabric_name(draft))

    def fabric(self, draft: Draft) -> None:
        name = self.random.choice(("compute", "storage", "third"))
        cap = self.random.choice((None, 2e11, 1e9))
        roles = self.random.choice((("compute",), ("storage",), ()))
        draft.put("fabrics", Fabric(id=name, technology="infiniband-ndr", rate_cap_bps=cap, roles=roles))

    def drop_fabric(self, draft: Draft) -> None:
        used = {d.fabric for d in draft.devices.values()} | {c.fabric for c in draft.cables.values()}
        for name in sorted(set(draft.fabrics) - used)[:1]:
            draft.remove("fabrics", name)

    def fault(self, draft: Draft) -> None:
        device = self._device(draft).id
        refs = [device, f"{device}.gpu{self.random.randint(0, 7)}", f"{device}:osfp1", f"{device}:osfp1/1"]
        refs += self.random.sample(sorted(draft.cables), min(3, len(draft.cables)))
        other = self._device(draft).id
        refs += [
            f"{device}~{other}",
            "rack-01-tray-01~rack-01-nvsw-02",
            "rack-01-tray-02~rack-01-nvsw-01",
            "gone-01",
        ]
        draft.put(
            "faults",
            Fault(
                id=draft.new_id("flt"),
                ref=self.random.choice(refs),
                kind=self.random.choice(("failed", "failed", "degraded", "observed", "maintenance")),
                links=self.random.choice((None, None, 1, 8)),
                rate_bps=self.random.choice((None, 1e11)),
            ),
        )

    def mend(self, draft: Draft) -> None:
        faults = sorted(draft.tables["faults"])
        if faults:
            name = self.random.choice(faults)
            if self.random.random() < 0.5:
                draft.remove("faults", name)
            else:
                draft.change("faults", name, on=not draft.tables["faults"][name].on)

    def override(self, draft: Draft) -> None:
        cables = sorted(draft.cables) or ["none"]
        name = self.random.choice(
            [
                "part/h100-sxm/scale_up_bytes_s",
                "part/l40s/pcie_lanes",
                f"ref/{self.random.choice(cables)}/rate_bps",
            ]
        )
        if name in draft.tables["overrides"]:
            draft.remove("overrides", name)
        else:
            draft.put("overrides", Override(id=name, value=self.random.choice((1e11, 8, 2.5e10, "much"))))

    def seat(self, draft: Draft) -> None:
        if "rack-01" not in draft.racks:
            draft.put("racks", Rack(id="rack-01", type="gb200-nvl72"))
        kind = self.random.choice(("gb200-compute-tray", "nvlink5-switch-tray"))
        u = float(self.random.randint(8, 34))
        draft.put("devices", Device(id=draft.new_id("tray"), type=kind, rack="rack-01", u=u))

    def unseat(self, draft: Draft) -> None:
        seated = [d.id for d in draft.seated("rack-01")] if "rack-01" in draft.racks else []
        if seated:
            name = self.random.choice(sorted(seated))
            change = self.random.choice(({"rack": "", "u": None}, {"u": None}))
            draft.change("devices", name, **change)

    def part(self, draft: Draft) -> None:
        """A part of the design is updated: other port rates, other NVLink."""
        if self.random.random() < 0.5:
            rate = self.random.choice((2e11, 4e11))
            rows = tuple(
                Cages.model_validate({**row.model_dump(), "rate_bps": rate}) if row.name == "osfp" else row
                for row in DGX_H100.cages
            )
            draft.put("parts", DeviceType.model_validate({**DGX_H100.model_dump(), "cages": rows}))
        else:
            draft.put(
                "parts", H100.model_copy(update={"scale_up_bytes_s": self.random.choice((1e11, 4.5e11))})
            )

    def rack_type(self, draft: Draft) -> None:
        if self.random.random() < 0.5 and "rack-01" in draft.racks:
            draft.change("racks", "rack-01", type=self.random.choice(("gb200-nvl72", "rack-48u")))
        elif NVL72.assembly is not None:
            built = self.random.choice((9, 18))
            assembly = NVL72.assembly.model_copy(update={"switch_trays": built})
            draft.put("parts", NVL72.model_copy(update={"assembly": assembly}))

    def rename(self, draft: Draft) -> None:
        device = self._device(draft)
        draft.put("devices", replace(device, name=f"name {self.random.randint(0, 9)}"))
