"""The hub of Zooscape's contest: clients of SignalR play on a Botarena server.

protocol    one connection of the hub protocol, without a socket
calls       the methods of the hub
game_state  the contest's states
visitors    clients that return
client      one connection, and the seat that it plays
hub         all connections
seats       the hub as a client of the server
app, front  the hub under uvicorn
"""
