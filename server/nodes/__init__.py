"""Several processes that are one server: who has what, and how they hand requests on."""
