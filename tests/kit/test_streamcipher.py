"""Encrypted files: no chunk can be altered, moved, left out or added."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.kit import keys, streamcipher
from bailiwick.kit.keys import Key
from bailiwick.kit.streamcipher import CHUNK, CipherBroken

pytestmark = pytest.mark.req("ACC-10")
SIZES = (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 200_000)
HEADER = 5 + 16 + 7
SEALED = CHUNK + 16
KEY = keys.generate()


def content(size: int) -> bytes:
    return bytes((index * 7 + index // CHUNK) % 256 for index in range(size))


def encrypted(plain: bytes, key: Key = KEY) -> bytes:
    target = io.BytesIO()
    streamcipher.encrypt(io.BytesIO(plain), target, key)
    return target.getvalue()


def decrypted(sealed: bytes, key: Key = KEY) -> bytes:
    return b"".join(streamcipher.decrypt(io.BytesIO(sealed), key))


def parts(sealed: bytes) -> tuple[bytes, list[bytes]]:
    body = sealed[HEADER:]
    return sealed[:HEADER], [body[at : at + SEALED] for at in range(0, len(body), SEALED)]


@pytest.mark.parametrize("size", SIZES)
def test_content_of_any_size_comes_back(size: int):
    sealed = encrypted(content(size))
    assert decrypted(sealed) == content(size)


@given(st.binary(max_size=300))
@settings(max_examples=60)
def test_any_content_comes_back_and_is_not_seen_in_the_file(plain: bytes):
    sealed = encrypted(plain)
    assert decrypted(sealed) == plain
    assert len(plain) < 8 or plain not in sealed


def test_the_same_content_is_never_encrypted_to_the_same_bytes():
    first, second = encrypted(content(500)), encrypted(content(500))
    assert first[HEADER:] != second[HEADER:]


@pytest.mark.parametrize("size", SIZES)
def test_another_key_does_not_open_it(size: int):
    with pytest.raises(CipherBroken):
        decrypted(encrypted(content(size)), keys.generate())


@pytest.mark.parametrize("size", SIZES)
def test_a_file_cut_anywhere_is_refused(size: int):
    sealed = encrypted(content(size))
    borders = {HEADER, HEADER + SEALED, HEADER + 2 * SEALED, len(sealed)}
    lengths = {*range(HEADER), *borders, *(border - 1 for border in borders)}
    for length in sorted(length for length in lengths if length < len(sealed)):
        with pytest.raises(CipherBroken):
            decrypted(sealed[:length])


@pytest.mark.parametrize("size", SIZES)
def test_a_file_with_something_added_is_refused(size: int):
    sealed = encrypted(content(size))
    _, chunks = parts(sealed)
    for added in (b"\x00", b"\x00" * 16, chunks[0], chunks[-1]):
        with pytest.raises(CipherBroken):
            decrypted(sealed + added)


def test_chunks_cannot_be_swapped_repeated_left_out_or_taken_from_another_file():
    head, (first, second, third, last) = parts(encrypted(content(200_000)))
    _, (foreign, *_) = parts(encrypted(content(200_000)))
    for order in (
        (second, first, third, last),
        (first, third, second, last),
        (first, first, second, third, last),
        (first, second, third, last, last),
        (second, third, last),
        (first, third, last),
        (first, second, third),
        (foreign, second, third, last),
    ):
        with pytest.raises(CipherBroken):
            decrypted(head + b"".join(order))
    assert decrypted(head + first + second + third + last) == content(200_000)


@pytest.mark.parametrize("size", [0, 1, CHUNK + 1])
def test_no_byte_can_be_altered(size: int):
    sealed = encrypted(content(size))
    chunks = {HEADER, HEADER + SEALED - 1, HEADER + SEALED, len(sealed) - 17, len(sealed) - 1}
    for index in sorted({*range(HEADER), *(at for at in chunks if HEADER <= at < len(sealed))}):
        altered = bytearray(sealed)
        altered[index] ^= 0x80
        with pytest.raises(CipherBroken):
            decrypted(bytes(altered))


def test_a_chunk_is_proven_before_it_is_handed_out():
    sealed = bytearray(encrypted(content(200_000)))
    sealed[HEADER + SEALED + 10] ^= 1
    chunks = streamcipher.decrypt(io.BytesIO(bytes(sealed)), KEY)
    assert next(chunks) == content(200_000)[:CHUNK]
    with pytest.raises(CipherBroken, match="chunk 1"):
        next(chunks)
