"""The bundled maps, by game; data only, read as package data."""
