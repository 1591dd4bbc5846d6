"""Many matches: what a contest makes of their results. Knows no game.

tournament  a tournament as a value         verbs      what may happen: each makes a fact
facts       the facts of a log              log        the log, read
as_json     a tournament as plain JSON      stage1     stage 1: schedule and results
format      parameters, named formats       result     the result of one game
pairings    who meets whom, and seeds       standings  tables and tie-breaks
bracket     single elimination              final      heats, and the final list
ratings     Elo ratings by a joint fit      sprt       a sequential test of two players
"""
