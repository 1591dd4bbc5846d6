"""Bots that are handed in: the server keeps them, builds them, checks them and plays them.

archive   unpacks what a stranger has packed
recipe    how a bot is built and started: from what its author says, or from its files
build     builds a bot in the sandbox
check     one version: unpacked, built, checked by a game; in a process of its own
players   a version as a player of games
service   versions, from the moment when they are handed in until they are active

What comes from an author is never trusted: nothing of it runs outside of the sandbox, and nothing
of it is read on the event loop."""
