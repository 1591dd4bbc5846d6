"""The package `src` of contest bots: it holds nothing but the modules that bots import by these names."""

__path__: list[str] = []
