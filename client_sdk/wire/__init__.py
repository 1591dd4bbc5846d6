"""The talk: every message once, the close codes, deltas. Imports nothing of ours; the server takes it from here."""
