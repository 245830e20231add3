"""Where things are drawn, as plain numbers: one projection a view. Never metres of cable, and no Qt."""
