"""What REST answers, as models: documentation that the tests hold every answer against. No route validates what it sends."""
