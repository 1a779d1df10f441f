"""The steps that bring a SQLite file of the store to the form this version reads and writes."""
