"""Colour as numbers, without Qt: luminance, contrast, lightness, greys and mixtures of "#rrggbb"."""

from functools import lru_cache


@lru_cache(maxsize=1024)
def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", 0 to 1 (WCAG 2.1, definition of relative luminance)."""
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def contrast(one: str, other: str) -> float:
    """WCAG 2.1 contrast ratio, 1 to 21, the same either way round."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lightness(colour: str) -> float:
    """L* of CIELAB for the white of sRGB, 0 to 100."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


@lru_cache(maxsize=256)
def grey(level: float) -> str:
    """The neutral grey of a lightness L* of 8 or more."""
    y = ((level + 16) / 116) ** 3
    channel = y * 12.92 if y <= 0.0031308 else 1.055 * y ** (1 / 2.4) - 0.055
    return f"#{round(channel * 255):02x}" + f"{round(channel * 255):02x}" * 2


@lru_cache(maxsize=1024)
def mix(one: str, other: str, part: float) -> str:
    """An opaque colour `part` of the way from one to the other: translucent pens are too slow on the canvas."""
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
