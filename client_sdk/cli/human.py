def human() -> None:
    """Human."""
