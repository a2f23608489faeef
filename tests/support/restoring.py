"""Restoring a backup with every feature of the product."""

from functools import partial

from bailiwick.features import installed
from bailiwick.operations import restore as operation

restore = partial(operation.restore, features=installed())
