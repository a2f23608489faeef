"""What a process has done already when it is forked: everything imported, every route built."""

import gc
from importlib import import_module

import bailiwick.cli.office
import bailiwick.server
import bailiwick.worker
from bailiwick import features
from support import jobber, routes, streams

__all__ = ["bailiwick", "jobber", "streams"]

features.installed()

# What a server imports only once it runs, because it can, or because others name it.
for name in (
    "anyio._backends._asyncio",
    "bailiwick.mcp.server",
    "encodings.idna",
    "pwdlib.hashers.argon2",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
):
    import_module(name)

routes.prepare()
# What is here stays as it is in every child: it need not be looked through for rubbish again.
gc.collect()
gc.freeze()
