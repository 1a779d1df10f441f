"""Two modes on the same questions: what differs, and what so few questions can say."""
