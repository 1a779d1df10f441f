"""The Funnel page."""
