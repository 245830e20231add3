"""What cables are made of: parts, lengths and plugs, from the design and never from a drawing."""
