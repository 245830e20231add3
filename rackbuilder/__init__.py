"""rackbuilder: draw a GPU cluster, see at once what every link, rack and job gets."""

__version__ = "0.1.0"
