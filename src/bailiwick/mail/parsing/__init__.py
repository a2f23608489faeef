"""What a raw message says. Nothing makes it fail: what is odd becomes `fault`."""

from bailiwick.mail.parsing.message import parse
from bailiwick.mail.parsing.model import Address, Parsed, Part

__all__ = ["Address", "Parsed", "Part", "parse"]
