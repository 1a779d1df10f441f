"""The Judge page, and the calls that every page shows."""
