"""The public package."""
