"""Maps of ours, by game; data only, read as package data."""
