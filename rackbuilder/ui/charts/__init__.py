"""Plots (pyqtgraph), one a kind of result."""
