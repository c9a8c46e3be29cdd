import { inflateSync } from "node:zlib";
import { imageSize } from "./image-size.ts";

const RGBA = 6;
/** Larger pictures are not decoded, because a small file can expand to a huge one. */
const MAX_PIXELS = 4_000_000;

/**
 * The luminance, from 0 to 1, of a cut-out picture at its outline. Undefined unless it is a PNG
 * with 8-bit colours and transparent pixels.
 */
export function edgeLuminance(png: Buffer): number | undefined {
  const size = imageSize(png);
  const isReadable =
    png.toString("latin1", 1, 4) === "PNG" && png[24] === 8 && png[25] === RGBA && png[28] === 0;
  if (!isReadable || size === undefined || size.width * size.height > MAX_PIXELS) return undefined;
  try {
    const { width, height } = size;
    const maxOutputLength = height * (1 + 4 * width);
    const pixels = unfilter(inflateSync(dataOf(png), { maxOutputLength }), width, height);
    const isOpaque = (x: number, y: number): boolean => pixels[4 * (y * width + x) + 3]! > 127;
    const edge: number[] = [];
    for (let y = 1; y < height; y++) {
      for (let x = 1; x < width; x++) {
        const here = isOpaque(x, y);
        if (here !== isOpaque(x - 1, y))
          edge.push(luminance(pixels, y * width + x - (here ? 0 : 1)));
        if (here !== isOpaque(x, y - 1))
          edge.push(luminance(pixels, (here ? y : y - 1) * width + x));
      }
    }
    if (edge.length === 0) return undefined;
    return edge.reduce((sum, value) => sum + value, 0) / edge.length;
  } catch {
    return undefined; // A broken file is visible in a browser anyway, so there is nothing to warn about.
  }
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) !== "IDAT") continue;
    parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return Buffer.concat(parts);
}

/** Undoes PNG filtering: each row starts with its filter type, which says what its bytes are relative to. */
function unfilter(rows: Buffer, width: number, height: number): Uint8Array {
  const stride = 4 * width;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < 4 ? 0 : pixels[at - 4]!;
      const up = y === 0 ? 0 : pixels[at - stride]!;
      const corner = x < 4 || y === 0 ? 0 : pixels[at - stride - 4]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      pixels[at] = rows[y * (stride + 1) + 1 + x]! + guess;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const far = (value: number): number => Math.abs(guess - value);
  if (far(left) <= far(up) && far(left) <= far(corner)) return left;
  return far(up) <= far(corner) ? up : corner;
}

/** Relative luminance as defined by WCAG. */
function luminance(pixels: Uint8Array, index: number): number {
  const [red, green, blue] = [...pixels.subarray(4 * index, 4 * index + 3)].map((value) =>
    value <= 10 ? value / 3_295 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
