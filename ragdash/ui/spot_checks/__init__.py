"""The Spot checks page."""
