"""Words of InfiniBand tools: width and speed of a link, GUIDs, device numbers, descriptions of switches and hosts."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.catalog.ports import Port
from rackbuilder.design.records import Device

LANE_BPS: Mapping[str, float] = {
    "SDR": 2e9,
    "DDR": 4e9,
    "QDR": 8e9,
    "FDR10": 10e9,
    "FDR": 13.64e9,
    "EDR": 25e9,
    "HDR": 50e9,
    "NDR": 100e9,
    "XDR": 200e9,
}
"""Data rate of one lane per direction after line coding (a quarter of the port rates in catalog/infiniband.yaml)."""

NAMED_BPS: Mapping[str, float] = {"SDR": 2.5e9, "DDR": 5e9, "QDR": 10e9}
"""How vendor and tools call the old ones: by the rate on the wire, of which four fifths are data."""

WIDTHS = (4, 2, 1)
_CLOSE = 0.02
"""Makers round: a port of 54.5 Gb/s is four FDR lanes of 13.64."""


def trained(rate_bps: float | None, widest: int = 4) -> str:
    """What a healthy link of a rate shows, “4xNDR”, on at most some lanes; empty when no speed gives the rate.

    The widest link that fits: 200 Gb/s on a whole port is 4xHDR, on half a port 2xNDR.
    """
    if rate_bps is None:
        return ""
    for width in (w for w in WIDTHS if w <= widest):
        for word, lane in (*LANE_BPS.items(), *NAMED_BPS.items()):
            if abs(rate_bps / width - lane) <= _CLOSE * lane:
                return f"{width}x{word}"
    return ""


def rate_of(trained_as: str) -> float | None:
    """bit/s per direction of “4xNDR”, by name (4xSDR: 10 Gb/s); None for a word that says no rate (“???”)."""
    width, _, word = trained_as.partition("x")
    lane = NAMED_BPS.get(word, LANE_BPS.get(word))
    return int(width) * lane if lane is not None and width.isdigit() else None


def for_simulator(trained_as: str) -> str:
    """The same in words that ibsim 0.10 knows: it takes speeds up to HDR, and widths of 1, 2 and 4 lanes."""
    return re.sub("NDR|XDR", "HDR", trained_as)


# ---- GUIDs

_LOCAL = 0x02 << 56
"""EUI-64 bit “locally administered”: no maker gives such a number, so none of ours meets a real one."""


def parse_guid(text: str) -> int | None:
    """“0x506b4b0300a1b2c0”, “506b:4b03:00a1:b2c0” or “50:6b:…”; None for what is no 64-bit number, and for zero."""
    digits = re.sub("[:_. -]", "", text.strip().lower().removeprefix("0x"))
    return int(digits, 16) or None if re.fullmatch("[0-9a-f]{1,16}", digits) else None


def derived_guid(name: str, taken: Collection[int]) -> int:
    """An even GUID that follows from a name alone; the next free one in the rare case that it is taken."""
    digest = hashlib.blake2b(name.encode(), digest_size=7).digest()
    guid = _LOCAL | int.from_bytes(digest, "big") & ~1
    while guid in taken:
        guid = _LOCAL | (guid + 2) & ((1 << 56) - 1)
    return guid


# ---- what devices say of themselves

MELLANOX = 0x2C9
_SWITCH_NUMBERS = {"fdr": 0xC738, "edr": 0xCF08, "hdr": 0xD2F0, "ndr": 0xD2F2, "xdr": 0xD2F4}
_ADAPTER_NUMBERS = {"cx5": 0x1017, "cx6": 0x101B, "cx7": 0x1021, "cx8": 0x1023, "bf3": 0xA2DC}
"""PCI device numbers as listed in the public PCI ID list."""


def switch_number(part: DeviceType) -> int:
    """PCI device number of a switch by its generation; that of Quantum-2 where the part does not say."""
    generation = part.technology.rsplit("-", 1)[-1]
    return _SWITCH_NUMBERS.get(generation, 0xD2F2)


def adapter_number(port: Port | None) -> int:
    """PCI device number of the adapter behind a port; that of ConnectX-7 where the part does not say."""
    return _ADAPTER_NUMBERS.get(port.cages.nic[:3] if port else "", 0x1021)


def host_names(devices: Iterable[Device]) -> dict[str, str]:
    """Device -> the name hosts go by: of letters, digits, dots and dashes, at most 48 of them, each once.

    A label that is not, or that two devices share once cleaned, gives way to the id.
    """
    rows = list(devices)
    cleaned = {d.id: re.sub("[^A-Za-z0-9._-]+", "-", d.label).strip("-") for d in rows}
    seen: dict[str, int] = {}
    for device in rows:
        seen[cleaned[device.id]] = seen.get(cleaned[device.id], 0) + 1
    ids = {d.id for d in rows}
    return {d.id: name if _fits(name, d, seen, ids) else d.id for d in rows for name in [cleaned[d.id]]}


def _fits(name: str, device: Device, seen: Mapping[str, int], ids: Collection[str]) -> bool:
    return 0 < len(name) <= 48 and seen[name] == 1 and (name == device.id or name not in ids)


def switch_description(name: str, part: DeviceType) -> str:
    """As a managed switch says it, “MF0;leaf-01:MQM9700/U1”; others by the name a node name map would give them."""
    if not part.managed:
        return name
    model = part.id.upper()
    return f"MF0;{name}:{'M' + model if model.startswith('QM') else model}/U1"
