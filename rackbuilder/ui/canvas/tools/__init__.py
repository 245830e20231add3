"""Gestures, one class each: select, move, place, cable, pan."""
