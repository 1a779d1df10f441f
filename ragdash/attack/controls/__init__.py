"""The controls of the layered policy: one small function each, over a state or an output."""
