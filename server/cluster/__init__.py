"""Several processes that are one server: which has a match, which leads, how requests get there."""
