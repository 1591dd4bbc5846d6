def check_bot() -> None:
    """Check."""
