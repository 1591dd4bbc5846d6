"""A tournament worked out from its whole log each time, as plainly as the rules say it: what the
books that are kept fact by fact are compared with. What neither of them keeps, such as a match of
the bracket, its games, a pairing or a line of the table, is taken from the product."""
