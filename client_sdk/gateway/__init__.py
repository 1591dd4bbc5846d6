"""Gateways: clients that were written for the server of another contest play on a Botarena server.

A gateway is a process between such clients and a server. It takes a seat for each client over REST
and plays it over the websocket as any bot does, so that the server's clocks and limits hold.

kinds    the gateways by game: add one there
seats    taking seats for clients
running  a gateway as a process
cadre    Catastrophe: clients of the Cadre protocol
signalr  Zooscape: clients of a SignalR hub
"""

from __future__ import annotations

HEADER = "X-Botarena-Gateway"
"""What proves to a server that a request comes from one of its gateways."""
