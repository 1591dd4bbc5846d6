"""Many matches: what a contest makes of their results. Knows no game.

tournament  a tournament as a value             facts       the facts of a log
verbs       the checks that make a fact         log         the log, read
format      parameters and named formats        as_json     a tournament as plain JSON
stage1      schedule and results of stage 1     result      the result of one game
pairings    who meets whom, under which seed    standings   tables and tie-breaks
bracket     single elimination between two      final       heats, and the final list
fixture     games as they are to be played      persistent  values that share what they can
bracket_games  the games of a bracket
ratings     Elo ratings by a joint fit          bradley_terry, student   the statistics of it
sprt        a sequential test of two players
"""
