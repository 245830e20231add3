"""What the building gives and takes: power, heat, air, coolant, weight."""
