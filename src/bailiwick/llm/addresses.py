"""Where models may live: on the net, on this machine and in private networks."""

from bailiwick.errors import Invalid
from bailiwick.kit.net.addresses import AddressRefused
from bailiwick.kit.net.private import LOCAL
from bailiwick.kit.net.urls import checked_url

__all__ = ["LOCAL", "checked_base_url"]


def checked_base_url(url: str) -> str:
    """An address of a model in its normal form, or `Invalid`."""
    try:
        parsed = checked_url(url.strip(), LOCAL)
    except AddressRefused as error:
        raise Invalid.field("baseUrl", str(error)) from None
    # A key in an address would be shown to everyone who may see the address.
    if parsed.query or url.rstrip().endswith("?"):
        raise Invalid.field("baseUrl", "The address must not have a ? in it")
    return str(parsed).rstrip("/")
