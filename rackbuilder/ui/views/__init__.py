"""One view of the design each: fabric, racks, floor, server, table."""
