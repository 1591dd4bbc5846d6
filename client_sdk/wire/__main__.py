"""Write the documents of the messages beside the module that they are made from."""

from __future__ import annotations

from pathlib import Path

from client_sdk.wire.documents import write

write(Path(__file__).parent)
