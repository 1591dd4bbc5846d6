"""Whether a bot keeps to the protocol: one match on a real server, and a grade for each phase."""
