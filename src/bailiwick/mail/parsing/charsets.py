"""Decodes bytes to text; a message's declared character set is only a hint.

Only the codecs of this list are used: Python has others that are no character sets
(`unicode_escape`, `punycode`, `idna`), some of which are slow on crafted input.
"""

import re
from encodings.aliases import aliases
from functools import lru_cache

_CODECS = frozenset((
    "ascii", "utf_8", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_32_le", "utf_32_be",
    "utf_7", "latin_1", "iso8859_2", "iso8859_3", "iso8859_4", "iso8859_5", "iso8859_6",
    "iso8859_7", "iso8859_8", "iso8859_9", "iso8859_10", "iso8859_11", "iso8859_13", "iso8859_14",
    "iso8859_15", "iso8859_16", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255",
    "cp1256", "cp1257", "cp1258", "cp437", "cp850", "cp852", "cp855", "cp858", "cp862", "cp864",
    "cp866", "cp874", "koi8_r", "koi8_u", "koi8_t", "mac_roman", "mac_cyrillic", "mac_greek",
    "mac_latin2", "mac_turkish", "gbk", "gb18030", "gb2312", "hz", "big5", "big5hkscs", "cp950",
    "shift_jis", "shift_jisx0213", "cp932", "euc_jp", "euc_jis_2004", "iso2022_jp",
    "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_ext", "euc_kr", "cp949", "johab",
    "iso2022_kr", "tis_620", "ptcp154", "hp_roman8",
))  # fmt: skip
# Declared names and their actual meaning: mostly the larger set of the same family.
_MEANT = {
    "": "utf_8",
    "ascii": "utf_8",
    "us_ascii": "utf_8",
    "ansi_x3_4_1968": "utf_8",
    "latin_1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "ks_c_5601_1987": "cp949",
    "iso8859_9": "cp1254",
    "iso8859_8_i": "cp1255",
    "iso8859_11": "cp874",
    "tis_620": "cp874",
    "unicode_1_1_utf_7": "utf_7",
    "cp_850": "cp850",
}
_NAMES = (
    {name: name for name in _CODECS}
    | {alias: codec for alias, codec in aliases.items() if codec in _CODECS}
    | {codec.replace("iso8859", "iso_8859"): codec for codec in _CODECS if "iso8859" in codec}
    | {codec.replace("cp", "windows_"): codec for codec in _CODECS if codec.startswith("cp125")}
    | {codec.replace("cp", "x_cp"): codec for codec in _CODECS if codec.startswith("cp125")}
)
_SEPARATOR = re.compile(r"[^a-z0-9]+")
_ALSO_UTF_8 = ("utf_8", "cp1252")


def decode(data: bytes, charset: str = "") -> str:
    """The text; undecodable bytes become U+FFFD."""
    codec = codec_of(charset)
    if data.isascii() and not _shifts(codec):
        return data.decode("ascii")
    # Text that is valid UTF-8 is not windows-1252, even if it says so.
    for attempt in ("utf_8", codec) if codec in _ALSO_UTF_8 else (codec, "utf_8"):
        try:
            return data.decode(attempt)
        except (UnicodeDecodeError, ValueError):
            continue
    if codec != "utf_8":
        return data.decode(codec, "replace")
    text = data.decode("utf_8", "replace")
    # Mostly invalid as UTF-8, so it is not UTF-8.
    broken = text.count("\ufffd")
    whole = sum(1 for letter in text[:20_000] if letter > "\x7f")
    return text if broken * 2 <= whole else data.decode("cp1252", "replace")


@lru_cache(maxsize=500)
def codec_of(charset: str) -> str:
    """The codec of a declared name; UTF-8 for an unknown one."""
    name = _SEPARATOR.sub("_", charset[:60].lower()).strip("_")
    codec = _NAMES.get(name, name)
    codec = _MEANT.get(codec, codec)
    return codec if codec in _CODECS else "utf_8"


def _shifts(codec: str) -> bool:
    """Whether the codec encodes other letters in ASCII bytes."""
    return codec.startswith(("utf_16", "utf_32", "utf_7", "iso2022", "hz"))
