"""Where a view looks: exact zoom and centre, so that equal zooming in and out ends where it began."""

from dataclasses import dataclass, replace

from rackbuilder.layout.shapes import Place

STEP = 2.0**0.25
"""One click of the wheel: four double the size."""
LEAST, MOST = 0.004, 16.0


@dataclass(frozen=True, slots=True)
class Look:
    """Middle of the window in drawing units, and screen pixels a unit.

    Scroll bars hold whole pixels; read back, they would drift by up to one with each zoom. This value never does.
    """

    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0

    def to_scene(self, px: float, py: float, w: float, h: float) -> tuple[float, float]:
        """The drawing point under a pixel of a window of w x h."""
        return self.x + (px - w / 2) / self.zoom, self.y + (py - h / 2) / self.zoom

    def zoomed(self, steps: float, px: float, py: float, w: float, h: float) -> "Look":
        """Nearer by some steps, with the point under the cursor staying there."""
        zoom = min(MOST, max(LEAST, self.zoom * STEP**steps))
        x, y = self.to_scene(px, py, w, h)
        return Look(x - (px - w / 2) / zoom, y - (py - h / 2) / zoom, zoom)

    def panned(self, dx: float, dy: float) -> "Look":
        """The drawing follows the hand by dx, dy pixels."""
        return replace(self, x=self.x - dx / self.zoom, y=self.y - dy / self.zoom)


def fitting(
    place: Place, w: float, h: float, most: float = MOST, inset: float = 8.0, foot: float = 0.0
) -> Look:
    """The look that shows a whole place in a window of w x h pixels, a little above the middle where `foot` pixels at
    the bottom are better left free.
    """
    across, down = max(place.w, 1.0), max(place.h, 1.0)
    zoom = min(MOST, max(LEAST, min((w - 2 * inset) / across, (h - 2 * inset) / down, most)))
    spare = max(0.0, h - 2 * inset - down * zoom)
    return Look(place.cx, place.cy + min(foot, spare) / 2 / zoom, zoom)
