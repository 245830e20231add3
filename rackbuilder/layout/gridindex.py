"""Which of many rectangles touch a window: a grid of buckets, built once a scene."""

from collections.abc import Iterator, Sequence

from rackbuilder.layout.shapes import Place


class GridIndex:
    """Numbers of rectangles by the cells they touch. Cells are as large as keeps a long run in few of them."""

    def __init__(self, places: Sequence[Place], cell: float = 400.0) -> None:
        self._places, self._cell = places, cell
        self._buckets: dict[tuple[int, int], list[int]] = {}
        for number, place in enumerate(places):
            for key in self._keys(place):
                self._buckets.setdefault(key, []).append(number)

    def _keys(self, place: Place) -> Iterator[tuple[int, int]]:
        c = self._cell
        for column in range(int(place.x // c), int(place.right // c) + 1):
            for row in range(int(place.y // c), int(place.bottom // c) + 1):
                yield column, row

    def touching(self, window: Place) -> list[int]:
        """Numbers of the rectangles that touch a window, ascending."""
        columns = (window.right - window.x) / self._cell
        rows = (window.bottom - window.y) / self._cell
        if columns * rows > len(self._buckets):
            return [n for n, place in enumerate(self._places) if _touch(place, window)]
        found: dict[int, None] = {}
        for key in self._keys(window):
            found.update(dict.fromkeys(self._buckets.get(key, ())))
        return sorted(n for n in found if _touch(self._places[n], window))


def _touch(place: Place, window: Place) -> bool:
    """Share at least an edge: a run has no width."""
    return (
        place.x <= window.right
        and window.x <= place.right
        and place.y <= window.bottom
        and window.y <= place.bottom
    )
