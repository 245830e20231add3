"""Read-only knowledge: what can be bought or run. The only reader of its YAML."""
