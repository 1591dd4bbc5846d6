"""Games of tournaments that are played without sockets, in other processes or on other machines."""
