"""What an operator may set."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from server.settings import Settings


@pytest.mark.parametrize("name", ["keep_days", "keep_versions_days", "send_buffer"])
def test_a_number_that_no_system_takes_is_refused(name: str):
    given: dict[str, Any] = {name: 10**20}
    with pytest.raises(ValidationError, match="less than or equal to"):
        Settings(**given)
