import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { FileWithBytes } from "../../file/load-files.ts";
import { imageSize } from "./image-size.ts";
import { posterWarnings } from "./poster-warnings.ts";

/** A disc of one colour on a transparent ground. */
function discPng(side: number, [red, green, blue]: [number, number, number]): Buffer {
  const rows = Buffer.alloc(side * (1 + 4 * side));
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isInside = Math.hypot(x - side / 2, y - side / 2) < side / 3;
      rows.set([red, green, blue, isInside ? 255 : 0], y * (1 + 4 * side) + 1 + 4 * x);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const chunk = (name: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
  ]);
}

function warningsOf(bytes: Buffer, loopSize?: number): string[] {
  const file = (size: number): FileWithBytes => ({
    path: "content/face.png",
    sha256: "a".repeat(64),
    size,
    mediaType: "image/png",
    bytes,
  });
  const poster = file(bytes.length);
  const loop = loopSize === undefined ? {} : { loop: file(loopSize) };
  return posterWarnings({ poster, ...loop }, [poster]).map(({ message }) => message);
}

describe("the plan of an agent with a poster of its own", () => {
  test("says nothing about a picture that fits", () => {
    expect(warningsOf(discPng(480, [20, 120, 110]))).toEqual([]);
  });

  test("says that a picture is too small", () => {
    expect(warningsOf(discPng(96, [20, 120, 110]))).toEqual([
      "It is 96 by 96 pixels, and will be blurred. Make it at least 400.",
    ]);
  });

  test.each([
    ["light", [250, 250, 250]],
    ["dark", [20, 22, 26]],
  ] as const)("says that an outline is lost on a %s page", (ground, [red, green, blue]) => {
    expect(warningsOf(discPng(480, [red, green, blue]))).toEqual([
      `Its outline is hardly seen on a ${ground} page. Give it a ground of its own.`,
    ]);
  });

  test("says that a poster or a loop is heavy", () => {
    const noise = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 7_919) % 251));
    expect(warningsOf(noise, 3_000_000)).toEqual([
      expect.stringContaining("a hero waits for it"),
      expect.stringContaining("every visitor loads it"),
    ]);
  });
});

test("sizes are read from the heads of all kinds of images, and not from broken ones", () => {
  const jpeg = Buffer.from("ffd8ffe000044a46ffc000110800f0014003", "hex");
  const gif = Buffer.from("GIF89a\x40\x01\xf0\x00", "latin1");
  const webp = Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0", "latin1"),
    Buffer.from("3f0100ef0000", "hex"),
  ]);
  for (const image of [jpeg, gif, webp])
    expect(imageSize(image)).toEqual({ width: 320, height: 240 });
  expect(imageSize(discPng(7, [0, 0, 0]))).toEqual({ width: 7, height: 7 });
  expect(imageSize(gif.subarray(0, 7))).toBeUndefined();
  expect(imageSize(Buffer.from("<svg/>"))).toBeUndefined();
});
