"""Carnegie Cookoff: two teams cook in two equal kitchens, and may change over once for sabotage (RULES.md)."""
