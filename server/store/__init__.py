"""What the server keeps in a database: accounts, bots, matches with their seats and attempts.
Journals and replays are files."""
