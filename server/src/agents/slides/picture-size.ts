import { imageSize } from "../config/poster/image-size.ts";

/** Texts below this cannot be read on a phone. */
const MIN_TEXT_PX = 12;

/** Screenshots are usually taken at twice the size at which they are read. */
const PIXEL_RATIO = 2;

/** The size of a picture, and how narrow it may be drawn with its texts still legible. Empty where the file does not tell. */
export function pictureSize(bytes: Buffer): {
  width?: number;
  height?: number;
  min_width?: number;
} {
  const size = imageSize(bytes);
  if (size !== undefined) return { ...size, min_width: Math.round(size.width / PIXEL_RATIO) };
  const svg = bytes.toString();
  const [, width, height] =
    /\sviewBox\s*=\s*["']\s*\S+[\s,]+\S+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(svg) ?? [];
  if (!(Number(width) > 0 && Number(height) > 0)) return {};
  const texts = [...svg.matchAll(/font-size\s*[:=]\s*["']?\s*([\d.]+)/g)].map(([, one]) =>
    Number(one),
  );
  const smallest = Math.min(...texts.filter((one) => one > 0));
  return {
    width: Math.round(Number(width)),
    height: Math.round(Number(height)),
    ...(smallest < Infinity && {
      min_width: Math.ceil((Number(width) * MIN_TEXT_PX) / smallest),
    }),
  };
}
