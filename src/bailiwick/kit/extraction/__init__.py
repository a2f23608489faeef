"""Reading what strangers made, in processes of its own: what goes wrong there stays there.

A parser that takes long holds the interpreter, and with it everything that this process does. So
it runs elsewhere, with limits on time and memory, without the office's keys, files or environment.
"""

from bailiwick.kit.extraction.extractor import Extractor

__all__ = ["Extractor"]
