"""Thin adapters between HTTP or websockets and the rooms behind them."""
