"""Contests on a server: what `games.contest` works out, played by bots that are called to their games.

plan         what a tournament shall be, checked before it exists
contests     the tournaments: what organisers and entrants do, and the loop that has games played
results      what a match means for the game of a tournament that it was
calls        bring bots to a game: house bots are started, others are invited
invitations  who is called where, for bots that ask
shown        a tournament as the public may see it
ladder       the standing contest of each game: pairs, again and again
ratings      how strong those are who play rated matches
"""
