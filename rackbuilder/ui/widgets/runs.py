"""Sentences with linked nouns: wrapped into lines, drawn, and told which boxes on them are links."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter

from rackbuilder.ui.theme import SECONDARY, brush, colour, font
from rackbuilder.ui.widgets.data import Run
from rackbuilder.ui.widgets.paint import Look, fitted, put, text_width


class Piece(NamedTuple):
    """Words of one run that stand together on a line."""

    run: Run
    at: int
    """Which run; a link broken over two lines is one link."""
    text: str
    x: float
    width: float


class Hot(NamedTuple):
    """A link as the mouse finds it: a box for each line it stands on."""

    ref: str
    text: str
    rects: tuple[QRectF, ...]

    def holds(self, point: QPointF) -> bool:
        return any(rect.contains(point) for rect in self.rects)


Line = list[Piece]
_Word = list[tuple[str, int]]

# “54 %” and “4.42 s” stay together; a number and a noun may part.
_UNIT = re.compile(r"(%|[mµn]?s|[kM]?W|[kMGTP]?B|[kMGT][bB]/s|K|m|kg)[.,;:)]*")


def face(run: Run, size: int) -> QFont:
    return font(size, run.bold, run.italic)


def wrap(runs: Sequence[Run], width: float, size: int = SECONDARY, most: int = 99) -> tuple[list[Line], bool]:
    """Lines of at most a width, and whether all words are on them; the last line ends with an ellipsis if not."""
    lines: list[_Word] = [[]]
    used = 0.0
    for word in _words(runs):
        space = bool(lines[-1])
        room = sum(text_width(text, face(runs[run], size)) for text, run in word)
        blank = text_width(" ", font(size)) if space else 0.0
        if space and used + blank + room > width:
            lines.append([])
            used, blank = 0.0, 0.0
        _append(lines[-1], word, runs)
        used += blank + room
    whole = len(lines) <= most
    placed = [_place(line, runs, size) for line in lines[:most]]
    if not whole:
        placed[-1] = _cut(placed[-1], size, width)
    return placed, whole


def _words(runs: Sequence[Run]) -> list[_Word]:
    """Words across runs: a full stop after a link belongs to the link's last word."""
    words: list[_Word] = [[]]
    for index, run in enumerate(runs):
        for at, part in enumerate(run.text.split(" ")):
            if at and words[-1]:
                words.append([])
            if part:
                words[-1].append((part, index))
    return _glued([word for word in words if word])


def _glued(words: list[_Word]) -> list[_Word]:
    out: list[_Word] = []
    for word in words:
        number = bool(out) and out[-1][-1][0][-1:].isdigit()
        if number and _UNIT.fullmatch("".join(text for text, _ in word)):
            text, index = out[-1][-1]
            if index == word[0][1]:
                out[-1][-1:] = [(f"{text} {word[0][0]}", index), *word[1:]]
                continue
        out.append(word)
    return out


def _append(line: _Word, word: _Word, runs: Sequence[Run]) -> None:
    """Adds a word and its space, which is underlined only inside one link."""
    if line:
        last, first = line[-1][1], word[0][1]
        if last == first or runs[first].ref is None:
            word = [(" " + word[0][0], first), *word[1:]]
        elif runs[last].ref is None:
            line[-1] = (line[-1][0] + " ", last)
        else:
            line.append((" ", -1))
    for text, index in word:
        if line and line[-1][1] == index:
            line[-1] = (line[-1][0] + text, index)
        else:
            line.append((text, index))


def _place(line: _Word, runs: Sequence[Run], size: int) -> Line:
    placed: Line = []
    x = 0.0
    for text, index in line:
        run = runs[index] if index >= 0 else Run(" ")
        width = text_width(text, face(run, size))
        placed.append(Piece(run, index, text, x, width))
        x += width
    return placed


def _cut(line: Line, size: int, width: float) -> Line:
    """The line with an ellipsis at its end, shortened so that it fits."""
    last = line[-1]
    style = face(last.run, size)
    text = fitted(last.text + "…", style, max(width - last.x, 0))
    return [*line[:-1], last._replace(text=text, width=text_width(text, style))]


def draw_runs(
    painter: QPainter,
    lines: Sequence[Line],
    origin: QPointF,
    pitch: float,
    look: Look,
    size: int = SECONDARY,
    ink: str = "text",
) -> None:
    """Draws wrapped lines from a top left corner; links are underlined, in their own colour unless stale."""
    for row, line in enumerate(lines):
        for piece in line:
            style = face(piece.run, size)
            painter.setFont(style)
            token = ink if piece.run.ref is None else "link"
            painter.setPen(colour(look.ink(token)))
            box = QRectF(origin.x() + piece.x, origin.y() + row * pitch, piece.width + 2, pitch)
            put(painter, box, piece.text)
            if piece.run.ref is not None:
                base = box.center().y() + size * 0.5
                painter.fillRect(QRectF(box.x(), round(base), piece.width, 1), brush(look.ink(token)))


def hot_boxes(lines: Sequence[Line], origin: QPointF, pitch: float) -> list[Hot]:
    """The links on wrapped lines, in reading order."""
    found: dict[int, Hot] = {}
    for row, line in enumerate(lines):
        for piece in line:
            if piece.run.ref is None:
                continue
            rect = QRectF(origin.x() + piece.x, origin.y() + row * pitch, piece.width, pitch)
            old = found.get(piece.at)
            rects = (*old.rects, rect) if old else (rect,)
            found[piece.at] = Hot(piece.run.ref, piece.run.text, rects)
    return list(found.values())
