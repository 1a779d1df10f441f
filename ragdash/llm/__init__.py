"""Chat endpoints: one client over openai, with its probe, retries, budget and recordings."""
