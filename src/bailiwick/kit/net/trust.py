"""Whose certificates count: those on the usual list, and what this machine trusts besides."""

import ssl
from contextlib import suppress
from functools import cache

import certifi


def new_context() -> ssl.SSLContext:
    """A context of one's own, to which more may be added."""
    context = ssl.create_default_context(cafile=certifi.where())
    with suppress(ssl.SSLError):  # a machine may have no list at all
        context.load_default_certs()
    return context


@cache
def context() -> ssl.SSLContext:
    """The one that all share; reading the lists takes a moment, so that is done once."""
    return new_context()
