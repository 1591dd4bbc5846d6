"""Load on a server: many matches at once, over sockets that cost as little as possible, and what a
turn takes then. `botarena load` and the benchmarks run it.

    frames   a websocket without a library: frames as bytes
    clients  the seats of a match, viewers, idle connections
    target   a server: lobbies before, records after
    worker   one process of the generator
    levels   numbers of matches at once, one after the other, and the figures of each
"""
