"""Small pictures of parts, 34 x 22, as the canvas draws them: what a device is shows in shape and position."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from rackbuilder.catalog.parts import DeviceType, Part, RackType
from rackbuilder.ui.theme import RADIUS_DEVICE, Theme, brush, pen

WIDTH, HEIGHT = 34, 22


def paint_part(painter: QPainter, rect: QRectF, part: Part, theme: Theme) -> None:
    """Draws the picture of a part into a box of about 34 x 22."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if isinstance(part, RackType):
        _rack(painter, rect, part, theme)
    elif isinstance(part, DeviceType):
        _body(painter, rect, theme)
        _DRAW.get(part.category, _plain)(painter, rect, part, theme)
    else:
        _body(painter, rect, theme)
    painter.restore()


def _body(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    painter.setPen(pen(theme.device_edge))
    painter.setBrush(brush(theme.device))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_DEVICE, RADIUS_DEVICE)


def cells(painter: QPainter, rect: QRectF, columns: int, rows: int, colour: str, gap: float = 1.5) -> None:
    """A grid of filled cells, as GPUs are drawn."""
    width = (rect.width() - gap * (columns - 1)) / columns
    height = (rect.height() - gap * (rows - 1)) / rows
    for row in range(rows):
        for column in range(columns):
            corner = QPointF(rect.x() + column * (width + gap), rect.y() + row * (height + gap))
            painter.fillRect(QRectF(corner.x(), corner.y(), width, height), brush(colour))


def _server(painter: QPainter, rect: QRectF, part: DeviceType, theme: Theme) -> None:
    inner = rect.adjusted(3, 3, -3, -3)
    if part.nvswitch_chips:
        painter.setPen(pen(theme.domain))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    count = part.gpu_count
    if count:
        rows = 2 if count > 4 else 1
        cells(painter, inner.adjusted(3, 3, -3, -3), -(-count // rows), rows, theme.gpu_cell)


def _tray(painter: QPainter, rect: QRectF, part: DeviceType, theme: Theme) -> None:
    middle = QRectF(rect.x() + 5, rect.center().y() - 3, rect.width() * 0.6, 6)
    cells(painter, middle, max(part.gpu_count, 1), 1, theme.gpu_cell)


def _nvlink_tray(painter: QPainter, rect: QRectF, part: DeviceType, theme: Theme) -> None:
    painter.setPen(pen(theme.scope("in-domain")))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_DEVICE, RADIUS_DEVICE)
    box = QRectF(rect.x() + 7, rect.center().y() - 2.5, rect.width() - 14, 5)
    cells(painter, box, max(part.nvswitch_chips or 2, 1), 1, theme.scope("in-domain"), gap=3)


def _switch(painter: QPainter, rect: QRectF, part: DeviceType, theme: Theme) -> None:
    left = {"storage": "storage", "in-band": "in-band", "out-of-band": "out-of-band"}.get(part.role or "", "")
    if left or part.fabric_protocol == "ethernet":
        band = theme.scope(left or "in-band")
        painter.fillRect(QRectF(rect.x() + 1, rect.y() + 1, 3, rect.height() - 2), brush(band))
    else:
        painter.fillRect(
            QRectF(rect.x() + 1, rect.bottom() - 4, rect.width() - 2, 3), brush(theme.scope("server-leaf"))
        )
    row = QRectF(rect.x() + 6, rect.center().y() - 3.5, rect.width() - 12, 5)
    cells(painter, row, 8, 2, theme.text3, gap=1)


def _storage(painter: QPainter, rect: QRectF, _part: DeviceType, theme: Theme) -> None:
    painter.fillRect(QRectF(rect.x() + 1, rect.y() + 1, 3, rect.height() - 2), brush(theme.scope("storage")))
    painter.setPen(pen(theme.text3, 1.5))
    for step in range(4):
        x = rect.x() + 10 + step * 6
        painter.drawLine(QPointF(x, rect.y() + 5), QPointF(x, rect.bottom() - 5))


def _manager(painter: QPainter, rect: QRectF, _part: DeviceType, theme: Theme) -> None:
    painter.fillRect(QRectF(rect.x() + 1, rect.y() + 1, 3, rect.height() - 2), brush(theme.scope("in-band")))


def _pdu(painter: QPainter, rect: QRectF, _part: DeviceType, theme: Theme) -> None:
    for x, scope in ((rect.x() + 6, "power-a"), (rect.right() - 13, "power-b")):
        strip = QRectF(x, rect.y() + 2, 7, rect.height() - 4)
        painter.setPen(pen(theme.scope(scope)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(strip)
        for step in range(3):
            painter.fillRect(QRectF(x + 2.5, strip.y() + 3 + step * 5, 2, 2), brush(theme.scope(scope)))


def _cdu(painter: QPainter, rect: QRectF, _part: DeviceType, theme: Theme) -> None:
    painter.setPen(pen(theme.scope("liquid"), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), RADIUS_DEVICE, RADIUS_DEVICE)
    wave = QPainterPath(QPointF(rect.x() + 7, rect.center().y() + 2))
    middle = rect.center().y() + 2
    wave.cubicTo(rect.x() + 12, middle - 7, rect.x() + 17, middle + 6, rect.x() + 26, middle - 2)
    painter.drawPath(wave)


def _shelf(painter: QPainter, rect: QRectF, _part: DeviceType, theme: Theme) -> None:
    cells(
        painter,
        QRectF(rect.x() + 5, rect.center().y() - 2.5, rect.width() - 10, 5),
        6,
        1,
        theme.scope("power-b"),
    )


def _plain(painter: QPainter, rect: QRectF, _part: DeviceType, theme: Theme) -> None:
    painter.setPen(pen(theme.device_inner, 2))
    painter.drawLine(QPointF(rect.x() + 6, rect.center().y()), QPointF(rect.right() - 6, rect.center().y()))


def _rack(painter: QPainter, rect: QRectF, part: RackType, theme: Theme) -> None:
    box = QRectF(rect.center().x() - 8, rect.y(), 16, rect.height())
    painter.setPen(pen(theme.domain if part.assembly else theme.rack_edge))
    painter.setBrush(brush(theme.rack))
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    colour = theme.gpu_cell if part.assembly else theme.text3
    for step in range(4):
        painter.fillRect(QRectF(box.x() + 3, box.y() + 3 + step * 4.5, 10, 2.5), brush(colour))


_DRAW: dict[str, Callable[[QPainter, QRectF, DeviceType, Theme], None]] = {
    "gpu-server": _server,
    "compute-tray": _tray,
    "nvlink-switch-tray": _nvlink_tray,
    "switch": _switch,
    "storage": _storage,
    "management-server": _manager,
    "pdu": _pdu,
    "cdu": _cdu,
    "power-shelf": _shelf,
}
