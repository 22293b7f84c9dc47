"""What learners keep and hand in: what stands in a file, and which of its cells is the answer."""
