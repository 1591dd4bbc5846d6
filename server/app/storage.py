"""The database, and the accounts in it."""

from __future__ import annotations

from server.accounts.authentication import Authenticator
from server.app.process import ProcessParts
from server.store.accounts import Accounts
from server.store.store import Store, sqlite_url
from server.store.store_health import StoreHealth


class StorageParts:
    def __init__(self, process: ProcessParts) -> None:
        settings = process.settings
        self.store = Store(settings.database_url or sqlite_url(settings.data_dir))
        self.health = StoreHealth(self.store, process.health, settings.data_dir)
        self.accounts = Accounts(self.store)
        self.authenticator = Authenticator(
            self.accounts, closed=settings.closed, sign_up=settings.sign_up
        )

    async def close(self) -> None:
        await self.accounts.close()
        await self.store.close()
