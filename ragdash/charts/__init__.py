"""Data frames to charts; no queries, no Streamlit, and alt text built from the data."""
