"""Catastrophe's clients of the Cadre protocol, as its contest's server spoke it. Pure, without
sockets or threads:

messages  messages and their framing
requests  what a client asks for when it joins
objects   the ids and fields of the objects of a match
deltas    what has changed since the last message
calls     the calls of a bot, as commands

and around them:

seat      a seat of a match, played by what a client says
client    the conversation with one client
front     the TCP port and the websocket port
"""
