"""The protocol: every message once, the close codes, deltas. Imports none of our packages; the
server uses this module."""
