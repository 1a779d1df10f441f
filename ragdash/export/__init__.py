"""What is in a store, out of it: CSV, Parquet, JSON lines, and one HTML file."""
