"""Trusted certificate authorities: certifi's list, and those that this machine trusts."""

import ssl
from contextlib import suppress
from functools import cache

import certifi


def new_context() -> ssl.SSLContext:
    """A new TLS context, to which more authorities may be added."""
    context = ssl.create_default_context(cafile=certifi.where())
    with suppress(ssl.SSLError):  # a machine may have no list at all
        context.load_default_certs()
    return context


@cache
def context() -> ssl.SSLContext:
    """The shared TLS context; it is built once, because loading the lists takes a moment."""
    return new_context()
