"""Thin adapters between HTTP or websockets and the objects behind them."""
