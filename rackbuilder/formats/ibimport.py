"""A design from a listing of ibnetdiscover: its switches, hosts, cables and GUIDs, on a blank sheet.

Switches become parts of the catalog where their model or device number says which; hosts become the server type the
user names, else plain devices with as many ports as the file shows. What the file does not say stays unknown: racks,
lengths, GPUs. A link that trained below what both its ends can do becomes an observed fault.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import Cages, DeviceType
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.commands.names import counted
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device, End, Fabric, Fault
from rackbuilder.errors import Problem, refusal
from rackbuilder.formats.base import Import, Imported
from rackbuilder.formats.ibread import FILE, Listing, Row, Side, Station, linked, read_listing
from rackbuilder.formats.ibwords import LANE_BPS, rate_of
from rackbuilder.topology.natural import natural_key

FABRIC = "compute"
_ADAPTER = re.compile(r"(.+?)[ _](mlx\d+_\d+|HCA-\d+|hfi1_\d+|mthca\d+|ib[ps]?\w*\d+)")
_MANAGED = re.compile(r"MF0;(.+?):([A-Za-z0-9]+)(?:/.*)?")
_REDUCTION = "Aggregation Node"
"""SHARP end points inside switches: no hosts, no cables."""
_MOST_PORTS = 1024
"""Of one device; a row of cages holds no more."""
_MODELS = {0xD2F0: ("qm8700", "qm8790"), 0xD2F2: ("qm9700", "qm9790")}
"""PCI device number of a switch -> its managed and its externally managed model."""


def import_listing(text: str, catalog: Catalog, server: str = "") -> Imported:
    """`server`: the type of hosts that show as many adapter ports as it has for compute; others stay plain devices.

    Raises InputError for text that is no listing or a part that is not there, ProblemError for one that is no server.
    """
    listing = read_listing(text)
    type_ = catalog.device(server) if server else None
    if type_ is not None and not _nic_ports(type_):
        raise refusal(f"{type_.name} has no ports for a compute fabric", "server", "Name a server with NICs.")
    return _Builder(listing, catalog, type_).build()


def _nic_ports(part: DeviceType) -> list[Port]:
    return [port for port in ports_of(part).values() if port.cages.fabric == "compute"]


@dataclass
class _Host:
    """Adapters that go by one name; ports in the order of the adapters' names."""

    name: str
    adapters: list[tuple[str, Station]]


class _Builder:
    def __init__(self, listing: Listing, catalog: Catalog, server: DeviceType | None) -> None:
        self._listing, self._catalog, self._server = listing, catalog, server
        self._draft = Draft(Design())
        self._other = 0
        self._ends: dict[Side, End] = {}
        self._linked: dict[tuple[str, int], dict[int, str]] = {}
        for row in listing.links:
            for kind, guid, port in (row.near, row.far):
                self._linked.setdefault((kind, guid), {})[port] = row.trained

    def build(self) -> Imported:
        stations = self._listing.stations.values()
        reduction = [s for s in stations if _REDUCTION in s.description and s.kind == "H"]
        skipped = {(s.kind, s.guid) for s in reduction}
        technology = self._technology()
        self._draft.use_parts(self._catalog.closure(technology))
        self._draft.put(
            "fabrics", Fabric(id=FABRIC, name="Imported", technology=technology, roles=("compute",))
        )
        for station in sorted((s for s in stations if s.kind == "S"), key=_by_name):
            self._switch(station, technology)
        hosts = [s for s in stations if s.kind != "S" and (s.kind, s.guid) not in skipped]
        for host in sorted(_hosts(hosts), key=lambda h: natural_key(h.name)):
            self._host(host)
        links = [r for r in self._listing.links if not {r.near[:2], r.far[:2]} & skipped]
        for row in sorted(links, key=lambda r: (self._sorted(r.near), self._sorted(r.far))):
            self._cable(row)
        self._tell(len(reduction), hosts)
        return Imported(self._draft.patch("Import an InfiniBand listing"), tuple(self._listing.problems))

    def _sorted(self, side: Side) -> tuple[object, ...]:
        end = self._ends.get(side)
        return (natural_key(end.device), natural_key(end.port)) if end else ()

    def _technology(self) -> str:
        """The fastest generation in the file."""
        words = {row.trained.partition("x")[2] for row in self._listing.links}
        known = [word for word in LANE_BPS if word in words]
        return f"infiniband-{(known[-1] if known else 'NDR').lower()}"

    # ---- switches

    def _switch(self, station: Station, technology: str) -> None:
        managed = _MANAGED.fullmatch(station.description)
        model = managed[2].lower().removeprefix("m") if managed else ""
        known = self._known_switch(station, model, managed is not None)
        highest = max(self._ports(station), default=1)
        part = known or _plain_switch(max(station.ports, highest), technology, self._fastest(station))
        self._draft.use_parts(self._catalog.closure(part.id) if known else [part])
        data = [port for port in ports_of(part).values() if port.cages.role == "data"]
        ways = 2 if station.ports >= 2 * len(data) else 1
        modes = self._split(station, data) if ways == 2 else {}
        device = Device(
            id=self._draft.new_id("sw"),
            name=(managed[1] if managed else station.description) or f"{station.guid:016x}",
            type=part.id,
            fabric=FABRIC,
            modes=modes,
            tags={"guid": f"0x{station.guid:016x}"},
            state="existing",
        )
        self._draft.put("devices", device)
        for number in self._ports(station):
            place, branch = divmod(number - 1, ways)
            if place < len(data):
                split = data[place].cage in modes
                name = f"{data[place].name}.{branch + 1}" if split else data[place].name
                self._ends[Side("S", station.guid, number)] = End(device.id, name)

    def _known_switch(self, station: Station, model: str, managed: bool) -> DeviceType | None:
        """By the model it names, else by its device number where the count of ports agrees."""
        names = [model, *(_MODELS.get(station.number, ())[:: 1 if managed else -1])]
        for name in names:
            part = self._catalog.parts.get(name)
            if isinstance(part, DeviceType) and part.is_switch:
                count = sum(port.cages.role == "data" for port in ports_of(part).values())
                # Reduction inside the switch shows as one more port.
                if station.ports in (0, count, count + 1, 2 * count, 2 * count + 1):
                    return part
        return None

    def _ports(self, station: Station) -> Mapping[int, str]:
        """The linked ports by number, with what each trained at."""
        found = self._linked.get((station.kind, station.guid), {})
        return {number: found[number] for number in sorted(found)}

    def _fastest(self, station: Station) -> float | None:
        rates = (rate_of(trained) for trained in self._ports(station).values())
        return max((rate for rate in rates if rate is not None), default=None)

    def _split(self, station: Station, data: list[Port]) -> dict[str, int]:
        """Cages of which a second half is linked, or a link is half as wide."""
        found: dict[str, int] = {}
        for number, trained in self._ports(station).items():
            place, branch = divmod(number - 1, 2)
            if place < len(data) and (branch == 1 or trained.startswith(("1x", "2x"))):
                found[data[place].cage] = 2
        return found

    # ---- hosts

    def _host(self, host: _Host) -> None:
        sides = [
            Side(station.kind, station.guid, number)
            for _, station in host.adapters
            for number in self._ports(station) or (1,)
        ][:_MOST_PORTS]
        server = self._server
        self._other += server is not None and len(sides) != len(_nic_ports(server))
        if server is not None and len(sides) == len(_nic_ports(server)):
            part, ports = server, _nic_ports(server)
            self._draft.use_parts(self._catalog.closure(part.id))
        else:
            part = _plain_host(self._host_rates(host, sides))
            ports = list(ports_of(part).values())
            self._draft.use_parts([part])
        identity = self._draft.new_id("srv")
        tags = {f"guid.{port.name}": self._port_guid(side) for port, side in zip(ports, sides, strict=False)}
        self._draft.put(
            "devices", Device(id=identity, name=host.name, type=part.id, tags=tags, state="existing")
        )
        for port, side in zip(ports, sides, strict=False):
            self._ends[side] = End(identity, port.name)

    def _host_rates(self, host: _Host, sides: list[Side]) -> list[float | None]:
        """What each port can do: the best that one of the same kind shows in this host."""
        number = {station.guid: station.number for _, station in host.adapters}
        best: dict[int, float | None] = {}
        for side in sides:
            rate, kind = rate_of(self._linked.get(side[:2], {}).get(side.port, "")), number[side.guid]
            best[kind] = max((r for r in (best.get(kind), rate) if r is not None), default=None)
        return [best[number[side.guid]] for side in sides]

    def _port_guid(self, side: Side) -> str:
        station = self._listing.stations[side.kind, side.guid]
        return f"0x{station.port_guids.get(side.port, station.guid):016x}"

    # ---- cables

    def _cable(self, row: Row) -> None:
        a, b = self._ends.get(row.near), self._ends.get(row.far)
        if a is None or b is None:
            self._listing.note("A port of this link is beyond those of its device; it is left out", row.line)
            return
        identity = self._draft.new_id("cbl")
        self._draft.put("cables", Cable(id=identity, a=a, b=b, state="existing"))
        rate = rate_of(row.trained)
        built = [self._built(end) for end in (a, b)]
        if rate is not None and all(x is not None and rate < 0.98 * x for x in built):
            fault = Fault(
                id=self._draft.new_id("flt"),
                ref=identity,
                kind="observed",
                rate_bps=rate,
                origin=f"{FILE}: {row.trained}",
            )
            self._draft.put("faults", fault)

    def _built(self, end: End) -> float | None:
        device = self._draft.devices[end.device]
        port = ports_of(self._draft.type_of(device), device.modes).get(end.port)
        return port.rate_bps if port else None

    def _tell(self, reduction: int, hosts: list[Station]) -> None:
        joined = set(linked(self._listing))
        alone = sorted(s.description or f"{s.guid:016x}" for s in hosts if (s.kind, s.guid) not in joined)
        if reduction:
            self._say(
                f"Left out {counted(reduction, 'aggregation node')} inside switches: these are no hosts"
            )
        if self._other and self._server is not None:
            wanted = len(_nic_ports(self._server))
            self._say(
                f"Plain devices: {counted(self._other, 'host')} have another number of ports than the {wanted} of "
                f"{self._server.id}"
            )
        if alone:
            more = f" and {len(alone) - 5} more" if len(alone) > 5 else ""
            self._say(f"Without a link, and so apart: {', '.join(alone[:5])}{more}")
        silent = sum(rate_of(row.trained) is None for row in self._listing.links)
        if silent:
            self._say(f"{counted(silent, 'link')} say no speed: theirs is that of their ports, or unknown")

    def _say(self, what: str) -> None:
        self._listing.problems.append(Problem(what, FILE, severity="note"))


def _by_name(station: Station) -> tuple[object, ...]:
    return natural_key(station.description), station.guid


def _hosts(adapters: Iterable[Station]) -> list[_Host]:
    """Adapters by the host they name; one that names none is a host of its own, with its description or GUID."""
    found: dict[str, _Host] = {}
    for station in adapters:
        named = _ADAPTER.fullmatch(station.description)
        key = named[1] if named else f"\0{station.guid:016x}"
        name = named[1] if named else station.description or f"{station.guid:016x}"
        host = found.setdefault(key, _Host(name, []))
        host.adapters.append((named[2] if named else "", station))
    for host in found.values():
        host.adapters.sort(key=lambda row: (natural_key(row[0]), row[1].guid))
    return list(found.values())


def _plain_switch(ports: int, technology: str, rate_bps: float | None) -> DeviceType:
    speed = "" if rate_bps is None else f"-{rate_bps / 1e9:g}g"
    count = min(ports, _MOST_PORTS)
    row = Cages(name="p", count=count, connector="unknown", rate_bps=rate_bps, protocols=("infiniband",))
    return DeviceType(
        id=f"ib-switch-{count}{speed}".replace(".", "_"),
        name=f"InfiniBand switch with {count} ports",
        category="switch",
        u_height=1,
        fabric_protocol="infiniband",
        technology=technology,
        cages=(row,),
        unverified=("u_height",),
        notes=("Made from a listing: ports as seen, their rate the best that one of them showed.",),
    )


def _plain_host(rates: list[float | None]) -> DeviceType:
    """A device with ports of some rates, in order; it has no GPUs, for the listing names none."""
    runs: list[tuple[float | None, int]] = []
    for rate in rates:
        if runs and runs[-1][0] == rate:
            runs[-1] = (rate, runs[-1][1] + 1)
        else:
            runs.append((rate, 1))
    words = "-".join(f"{count}x{'' if rate is None else f'{rate / 1e9:g}g'}" for rate, count in runs)
    return DeviceType(
        id=f"ib-host-{words}".replace(".", "_"),
        name=f"Host with {len(rates)} InfiniBand ports",
        category="other",
        u_height=1,
        cages=tuple(
            Cages(
                name=f"hca{chr(ord('a') + n) if n < 26 else n}-",
                count=count,
                connector="unknown",
                rate_bps=rate,
                fabric="compute",
                protocols=("infiniband",),
            )
            for n, (rate, count) in enumerate(runs)
        ),
        unverified=("u_height",),
        notes=("Made from a listing: ports as seen, their rate the best that one of them showed.",),
    )


def read(text: str, catalog: Catalog, options: Mapping[str, str]) -> Imported:
    return import_listing(text, catalog, options.get("server", ""))


IBNETDISCOVER_IN = Import(
    "ibnetdiscover",
    "InfiniBand fabric as ibnetdiscover lists it",
    {"server": "type of hosts that show as many adapter ports as it has for compute"},
    read,
)
