"""The composition root: the only place where the parts of a server are wired together. Each module
here builds one group of them; nothing is global, so two servers can live in one process."""
