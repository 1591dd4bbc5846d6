"""Models with docstrings of their fields, for the OpenAPI document."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic_core import CoreSchema


class Documented(BaseModel):
    """A model whose docstrings of fields are read for the document. Pydantic's own
    `use_attribute_docstrings` would read all sources at the start."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        schema = handler(core_schema)
        fields = handler.resolve_ref_schema(schema).get("properties", {})
        for one in reversed(cls.__mro__[: cls.__mro__.index(Documented)]):
            for name, text in _docstrings(one.__module__).get(one.__name__, ()):
                fields[name].setdefault("description", text)
        return schema


@cache
def _docstrings(module: str) -> dict[str, list[tuple[str, str]]]:
    """The attributes of a module's classes that a docstring follows, with it, by class."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        found.name: [
            (field.target.id, inspect.cleandoc(text.value.value))
            for field, text in pairwise(found.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        ]
        for found in tree.body
        if isinstance(found, ast.ClassDef)
    }
