"""From a row to a configuration: with its key, and what the environment adds at this moment."""

from typing import cast

from bailiwick.kit.vault import Drawer, Vault
from bailiwick.llm import discovery, windows
from bailiwick.llm.config import (
    Config,
    Effort,
    ModelApi,
    ModelProviderName,
    Origin,
    Verbosity,
)
from bailiwick.llm.models import Model


def of(row: Model, vault: Vault | None) -> Config:
    """A row's configuration; without the vault it has no key."""
    provider, origin = cast("ModelProviderName", row.provider), cast("Origin", row.origin)
    env = discovery.environment(provider) if origin == "found" else discovery.NOTHING
    sealed = drawer(vault).open(row.key, column="key", row=row.id) if vault and row.key else None
    base_url = row.base_url or env.base_url
    window, source = windows.known(
        provider, row.model, base_url, own=row.window, listed=row.listed_window
    )
    return Config(
        id=row.id,
        name=row.name,
        provider=provider,
        model=row.model,
        origin=origin,
        enabled=row.enabled,
        base_url=base_url,
        api_version=row.api_version or env.api_version,
        region=row.region or env.region,
        key=sealed or (env.key if vault else None),
        window=window,
        window_source=source,
        max_output=row.max_output,
        input_price=row.input_price,
        output_price=row.output_price,
        cache_read_price=row.cache_read_price,
        cache_write_price=row.cache_write_price,
        listed_input_price=row.listed_input_price,
        listed_output_price=row.listed_output_price,
        fallback_id=row.fallback_id,
        parallel=row.parallel,
        timeout_seconds=row.timeout_seconds,
        api=cast("ModelApi | None", row.api),
        effort=cast("Effort | None", row.effort),
        verbosity=cast("Verbosity | None", row.verbosity),
        temperature=row.temperature,
        sees_images=row.sees_images,
        sees_documents=row.sees_documents,
    )


def has_key(row: Model) -> bool:
    """Whether a key is stored, or in the environment for a model that was found there."""
    if row.origin == "found":
        return discovery.environment(cast("ModelProviderName", row.provider)).key is not None
    return row.key is not None


def drawer(vault: Vault) -> Drawer:
    """Where the keys of models are sealed."""
    return vault.drawer(Model.__tablename__)
