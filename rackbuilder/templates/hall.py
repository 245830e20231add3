"""Racks in rows on a floor: where a template puts what it makes."""

from typing import NamedTuple

from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Rack
from rackbuilder.design.view import View
from rackbuilder.templates.base import key
from rackbuilder.templates.flavours import BUILDS

ROW_PITCH_M = 3.0
"""From the front of one row to the front of the next: 1.2 m of rack, cold and hot aisle. Assumed; drag to change."""
_FALLBACK_WIDTH_MM = 600.0
_SHELF_RACKS = 20


class Seat(NamedTuple):
    rack: str
    u: float


class RackRow:
    """One row of equal racks, made as they are needed: A01, A02, … for row 1."""

    def __init__(
        self,
        draft: Draft,
        run: str,
        rack_type: str,
        row: int,
        limit_w: float | None,
        mark: str = "",
        front_m: float = 0.0,
        per_row: int = 0,
    ) -> None:
        """After `per_row` racks the row goes on in the next one; 0: it never ends. `front_m` is the front of row 1;
        see `free_front_m`.
        """
        self._draft, self._run, self._limit_w = draft, run, limit_w
        self._y_m = front_m + (row - 1) * ROW_PITCH_M
        part = draft.parts[rack_type]
        assert isinstance(part, RackType)
        self._type = part
        self._mark = mark or letters(row)
        self._per_row = per_row
        self._racks: list[str] = []

    def seat(self, rack: int, place: int, part: DeviceType) -> Seat:
        """Place n of rack m for devices of one height, stacked from U1."""
        return Seat(self.rack(rack), 1 + place * part.u_height)

    def rack(self, index: int) -> str:
        """Rack n of the row, made with all before it."""
        while len(self._racks) <= index:
            self._racks.append(self._add(len(self._racks)))
        return self._racks[index]

    def _add(self, index: int) -> str:
        name = f"{self._mark}{index + 1:02d}"
        further, place = divmod(index, self._per_row) if self._per_row else (0, index)
        width_m = (self._type.width_mm or _FALLBACK_WIDTH_MM) / 1000
        record = Rack(
            id=self._draft.new_id("rack"),
            name=name,
            type=self._type.id,
            x_m=round(place * width_m, 3),
            y_m=self._y_m + further * ROW_PITCH_M,
            power_limit_w=self._limit_w,
            made_by=key(self._run, f"rack.{name}"),
        )
        self._draft.put("racks", record)
        return record.id


class Shelf(RackRow):
    """The rows of network racks behind the last row of servers: N01, N02, …"""

    def __init__(
        self, draft: Draft, run: str, rack_type: str, rows: int, limit_w: float | None, front_m: float = 0.0
    ) -> None:
        super().__init__(draft, run, rack_type, rows + 1, limit_w, "N", front_m, _SHELF_RACKS)


def free_front_m(view: View) -> float:
    """Where a first row may stand on the floor: behind the racks that are there already."""
    fronts = [rack.y_m for rack in view.racks.values() if rack.y_m is not None]
    return max(fronts) + ROW_PITCH_M if fronts else 0.0


def letters(number: int) -> str:
    """1 -> A, 26 -> Z, 27 -> AA; N is left to network racks."""
    alphabet = "ABCDEFGHIJKLMOPQRSTUVWXYZ"
    text = ""
    while number > 0:
        number, rest = divmod(number - 1, len(alphabet))
        text = alphabet[rest] + text
    return text


RACK = "52u-700x1200"
"""The rack NVIDIA recommends for DGX servers."""
_ROW_RACKS = 16
_SWITCHES_PER_RACK = 16
_NETWORK_RACK_U, _NETWORK_RACK_W = 32, 44_000.0


def servers_per_rack(part: DeviceType) -> int:
    """As published for a known server; else as many as stand in the rack, four at most."""
    known = BUILDS.get(part.id)
    return known.servers_per_rack if known else max(1, min(4, int(48 // max(part.u_height, 1))))


class NetworkRacks:
    """Switches and managers, stacked as they come: up to sixteen, 32 units and 44 kW a rack.

    So panels and managers find room above. Assumed; drag to change.
    """

    def __init__(self, row: RackRow, first: int = 0) -> None:
        self._row, self._rack = row, first
        self._u, self._count, self._power_w = 1.0, 0, 0.0

    def seat(self, part: DeviceType) -> Seat:
        power_w = part.max_power().value or 0.0
        full = (
            self._count >= _SWITCHES_PER_RACK
            or self._u + part.u_height > 1 + _NETWORK_RACK_U
            or self._power_w + power_w > _NETWORK_RACK_W
        )
        if self._count and full:
            self._rack += 1
            self._u, self._count, self._power_w = 1.0, 0, 0.0
        seat = Seat(self._row.rack(self._rack), self._u)
        self._u, self._count, self._power_w = (
            self._u + part.u_height, self._count + 1, self._power_w + power_w
        )  # fmt: skip
        return seat


class Hall:
    """Rows of server racks, and behind them the network racks."""

    def __init__(self, draft: Draft, run: str, limit_w: float | None, rack_type: str = RACK) -> None:
        self._draft, self._run, self._limit_w, self._rack = draft, run, limit_w, rack_type
        self._front_m = free_front_m(draft)
        self._rows: list[RackRow] = []
        self._network: NetworkRacks | None = None

    def server(self, index: int, per_rack: int, part: DeviceType) -> Seat:
        """The place of server `index` of equal ones."""
        rack, place = divmod(index, per_rack)
        row, rack = divmod(rack, _ROW_RACKS)
        while len(self._rows) <= row:
            number = len(self._rows) + 1
            self._rows.append(
                RackRow(self._draft, self._run, self._rack, number, self._limit_w, front_m=self._front_m)
            )
        return self._rows[row].seat(rack, place, part)

    def skip_rows(self, rows: int) -> None:
        """Rows that stand there already: the network racks come behind them."""
        self._front_m += rows * ROW_PITCH_M

    def network(self, part: DeviceType) -> Seat:
        """The next free place of the network racks."""
        if self._network is None:
            rows = len(self._rows)
            self._network = NetworkRacks(
                Shelf(self._draft, self._run, self._rack, rows, self._limit_w, self._front_m)
            )
        return self._network.seat(part)
