"""Makes screenshots smaller: 256 colours in a palette."""

import base64
import struct
import zlib

from playwright.sync_api import Page

# The browser reads the picture, and finds for each pixel the nearest of 256 colours.
_REDUCE = """async (picture) => {
  const image = new Image();
  image.src = "data:image/png;base64," + picture;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  const counted = new Map();
  for (const pixel of pixels) counted.set(pixel, (counted.get(pixel) ?? 0) + 1);
  const parts = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const far = ([r, g, b], [x, y, z]) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2;
  const colours = [...counted.keys()].sort((a, b) => counted.get(b) - counted.get(a)).map(parts);
  const palette = colours.slice(0, 128);
  const near = colours.map((colour) => Math.min(...palette.map((known) => far(known, colour))));
  while (palette.length < 256) {
    // Then what is least like all of these: few pixels can carry the meaning.
    const next = colours[near.indexOf(Math.max(...near))];
    palette.push(next);
    colours.forEach((colour, n) => { near[n] = Math.min(near[n], far(next, colour)); });
  }
  const place = (colour) => {
    const all = palette.map((known) => far(known, colour));
    return all.indexOf(Math.min(...all));
  };
  const places = new Map([...counted.keys()].map((pixel) => [pixel, place(parts(pixel))]));
  const bytes = Array.from(pixels, (pixel) => String.fromCharCode(places.get(pixel)));
  return { width, height, palette: palette.flat(), pixels: btoa(bytes.join("")) };
}"""


def smaller(blank: Page, picture: bytes) -> bytes:
    """The same picture in at most 256 colours; `blank` is a page that allows inline images."""
    found = blank.evaluate(_REDUCE, base64.b64encode(picture).decode())
    width, height, pixels = found["width"], found["height"], base64.b64decode(found["pixels"])
    rows = (pixels[start : start + width] for start in range(0, len(pixels), width))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", bytes(found["palette"])),
            (b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)),
            (b"IEND", b""),
        )
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
