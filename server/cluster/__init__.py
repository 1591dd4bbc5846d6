"""Several processes that are one server: which of them has a match, who leads, and how they forward
requests."""
