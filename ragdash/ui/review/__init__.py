"""What people say of a question: who they are, the form, and what stands."""
