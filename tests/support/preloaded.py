"""What a process has done already when it is forked: everything imported, every route built."""

import gc

import bailiwick.backstage
import bailiwick.cli.office
import bailiwick.server
import bailiwick.worker
from support import jobber, routes, streams

__all__ = ["bailiwick", "jobber", "streams"]

routes.prepare()
# What is here stays as it is in every child: it need not be looked through for rubbish again.
gc.collect()
gc.freeze()
