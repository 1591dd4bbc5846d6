"""Every answer over REST that a test gets is checked against the OpenAPI document."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import httpx
from jsonschema_rs import Draft202012Validator

from docs.reference.rest import openapi

DOCUMENT = openapi()
PATHS = [
    (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operations)
    for path, operations in sorted(DOCUMENT["paths"].items(), key=lambda item: item[0].count("{"))
]
"""Those without a parameter first, as they are routed."""


def _strict(schemas: dict[str, Any]) -> dict[str, Any]:
    """Clients ignore unknown fields, but the server must send no undocumented one."""
    return {
        name: schema
        if "additionalProperties" in schema
        else {**schema, "additionalProperties": False}
        for name, schema in schemas.items()
    }


COMPONENTS = {"schemas": _strict(DOCUMENT["components"]["schemas"])}


def check(response: httpx.Response) -> None:
    """Status, type and body are as documented. Requests to other paths are not checked."""
    response.read()
    operation = _operation(response.request.method.lower(), response.request.url.path)
    if operation is None:
        return
    about = f"{response.request.method} {response.request.url.path}: {response.status_code}"
    described = operation["responses"].get(str(response.status_code))
    assert described is not None, f"{about} is not described: {response.text[:300]}"
    content = described.get("content")
    if not content:
        assert response.content == b"", f"{about}: nothing was to come"
        return
    media_type = response.headers["content-type"].split(";")[0]
    assert media_type in content, (
        f"{about} comes as {media_type}, expected one of {', '.join(content)}"
    )
    if media_type == "application/json":
        error = next(
            _validator(json.dumps(content[media_type]["schema"])).iter_errors(response.json()), None
        )
        assert error is None, f"{about} at {error.instance_path}: {error.message}"


def _operation(method: str, path: str) -> Any:
    for pattern, operations in PATHS:
        if pattern.fullmatch(path):
            return operations.get(method)
    return None


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**json.loads(schema), "components": COMPONENTS})


class Conforming(httpx.HTTPTransport):
    """A client's transport that checks what comes."""

    def __init__(self) -> None:
        super().__init__(verify=False)  # to read the authorities takes longer than a request

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        response.request = request
        check(response)
        return response
