import typer


def join() -> None:
    """Join."""


def watch() -> None:
    """Watch."""
