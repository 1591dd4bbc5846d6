"""PyRat, section by section of its rules."""
