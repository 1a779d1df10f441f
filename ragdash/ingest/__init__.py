"""Files to pages to chunks: what a manifest names becomes a corpus folder."""
