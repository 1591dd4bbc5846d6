"""Contests on a server: `games.contest` computes them, bots that are invited play the games.

service      the tournaments, for those who make, enter, lead and watch them
plan         what a tournament shall be, checked before it exists
cache        the tournaments as they were read last
changes      the signal that something has changed
scheduler    the loop that has games played when they are due
attempts     those that this server has taken
delegated    games that are played outside of this process
results      what a match means for its tournament
seeds        no game is played under a seed that is known
shown        a tournament as the public may see it
hidden       what of it may be seen while its stage 1 is hidden
pages        its tables a page at a time
table_rows   their lines with what the server knows beside them
mirror       tournaments in the child process, where tables are made
shared_answers  answers that many ask for at once
matchmaker   bring players to a game: house bots are started, accounts' bots are invited
invitations  the seats that are kept for accounts' bots
ladder       the standing contest of each game: pairs, again and again
opponents    who meets whom on a ladder
rating_fits  ratings from results, by either method
ratings      how strong those are who play rated matches
"""
