"""Load on Botarena and on bare servers that do the same turns."""
