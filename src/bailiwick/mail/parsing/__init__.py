"""Parses raw messages. It never fails: oddities are reported in `fault`."""

from bailiwick.mail.parsing.message import parse, unreadable
from bailiwick.mail.parsing.model import Address, Parsed, Part

__all__ = ["Address", "Parsed", "Part", "parse", "unreadable"]
