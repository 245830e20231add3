"""The drawing surface: items that show a layout scene, the view that zooms it, and the gestures on it."""
