"""A game's vectors in our words: adapters rename, they hold no rule."""
