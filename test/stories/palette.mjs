// Writes a picture with 256 colours: what is drawn by hand has hardly more, and a third of the bytes is enough then.
import { crc32, deflateSync } from 'node:zlib';

const COLOURS = 256;

/** A PNG file of these pixels (red, green, blue, opacity), each as the most frequent colour of those like it. */
export function inPalette({ width, height, data }) {
  const count = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUIntBE(at, 3);
    count.set(colour, (count.get(colour) ?? 0) + 1);
  }
  const { palette, index } = fewer(count);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = index.get(data.readUIntBE((y * width + x) * 4, 3));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits for each pixel, which name a colour of the palette.
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap(channels));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The colours of a picture, with those that are hardly different taken together until they are few enough. */
function fewer(count) {
  const byCount = [...count.keys()].toSorted((a, b) => count.get(b) - count.get(a));
  for (let step = 1; ; step++) {
    const places = new Map();
    const palette = [];
    const index = new Map();
    for (const colour of byCount) {
      const near = channels(colour)
        .map((channel) => Math.round(channel / step))
        .join();
      if (!places.has(near)) places.set(near, palette.push(colour) - 1);
      index.set(colour, places.get(near));
    }
    if (palette.length <= COLOURS) return { palette, index };
  }
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(body.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}
