/**
 * The width and height of an image in pixels, read from its header. Undefined for SVG, which has
 * none, and for truncated files.
 */
export function imageSize(bytes: Buffer): { width: number; height: number } | undefined {
  try {
    if (bytes.toString("latin1", 1, 4) === "PNG")
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (bytes.toString("latin1", 0, 3) === "GIF")
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    if (bytes.readUInt16BE(0) === 0xff_d8) return jpegSize(bytes);
    return bytes.toString("latin1", 8, 12) === "WEBP" ? webpSize(bytes) : undefined;
  } catch {
    return undefined; // The file is truncated.
  }
}

/** JPEG stores the size in the frame header, which comes after other segments of varying length. */
function jpegSize(bytes: Buffer): { width: number; height: number } | undefined {
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3f_ff, height: bytes.readUInt16LE(28) & 0x3f_ff };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: 1 + (bits & 0x3f_ff), height: 1 + ((bits >>> 14) & 0x3f_ff) };
    }
    default:
      return undefined;
  }
}
