"""The Streamlit shell; the only room of the package that imports streamlit."""
