"""Many matches: what a contest makes of their results. Knows no game.

tournament  a tournament as a value: format, seed and a log of facts; all else follows   facts      the log
format      how it is played: parameters and named formats                               result     what one game gave
pairings    who meets whom, where and under which seed                                   standings  tables and tie-breaks
bracket     single elimination between two                                               final      heats, and the places of all
ratings     how strong they are
"""
