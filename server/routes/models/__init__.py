"""What REST answers, as models for the OpenAPI document. No route validates what it sends: the
tests hold every answer against the document."""
