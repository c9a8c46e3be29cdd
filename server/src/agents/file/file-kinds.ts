import type { AgentContentKind } from "@svc/contract/types";

/**
 * The kinds of files that an agent may have. They are detected from the bytes, because a file name
 * proves nothing.
 */
export type FileKind = AgentContentKind | "knowledge";

const MB = 1_000_000;

/** The maximum size of a file. Larger ones belong behind a link, not in the database. */
export const MAX_BYTES: Record<FileKind, number> = {
  knowledge: 0.5 * MB,
  image: 5 * MB,
  video: 25 * MB,
  markdown: 0.2 * MB,
  code: 0.2 * MB,
  table: 0.2 * MB,
  tour: 0.2 * MB,
};

/** The maximum total for all files of an agent, and for its knowledge alone. */
export const MAX_TOTAL_BYTES: { knowledge: number; all: number } = {
  knowledge: 5 * MB,
  all: 100 * MB,
};

export function mediaTypeOf(
  kind: FileKind,
  path: string,
  bytes: Buffer,
): { mediaType: string } | { problem: string } {
  switch (kind) {
    case "image": {
      const image = IMAGES.find(([, is]) => is(bytes))?.[0] ?? (isSvg(bytes) ? SVG : undefined);
      if (image === undefined)
        return { problem: `${path} is no PNG, JPEG, GIF, WebP or SVG image. Convert it to one.` };
      if (image === SVG && ACTIVE_SVG.test(bytes.toString()))
        return { problem: `${path} holds scripts or links. Export it again as a plain SVG.` };
      return { mediaType: image };
    }
    case "video": {
      const video = VIDEOS.find(([, is]) => is(bytes))?.[0];
      if (video === undefined)
        return { problem: `${path} is no MP4 or WebM video. Convert it to one.` };
      return { mediaType: video };
    }
    case "knowledge":
    case "markdown":
      return textual(path, bytes, "text/markdown", ".md");
    case "table":
      return textual(path, bytes, "text/csv", ".csv");
    case "tour":
      return textual(path, bytes, "text/yaml", ".yaml");
    case "code":
      return textual(path, bytes, "text/plain");
  }
}

function textual(
  path: string,
  bytes: Buffer,
  mediaType: string,
  ending = "",
): { mediaType: string } | { problem: string } {
  if (!path.toLowerCase().endsWith(ending))
    return { problem: `${path} does not end in ${ending}. Rename it, or name another file.` };
  if (textOf(bytes) === undefined)
    return { problem: `${path} is no UTF-8 text. Save it as UTF-8.` };
  return { mediaType };
}

/** Undefined unless the bytes are UTF-8 text that is not blank and has no NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") || text.trim() === "" ? undefined : text;
  } catch {
    return undefined;
  }
}

const starts =
  (signature: string, at = 0) =>
  (bytes: Buffer): boolean =>
    bytes.toString("latin1", at, at + signature.length) === signature;

const IMAGES: [type: string, is: (bytes: Buffer) => boolean][] = [
  ["image/png", starts("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", starts("\xff\xd8\xff")],
  ["image/gif", starts("GIF8")],
  ["image/webp", (bytes) => starts("RIFF")(bytes) && starts("WEBP", 8)(bytes)],
];

const VIDEOS: [type: string, is: (bytes: Buffer) => boolean][] = [
  ["video/mp4", starts("ftyp", 4)],
  ["video/webm", starts("\x1a\x45\xdf\xa3")],
];

const SVG = "image/svg+xml";

function isSvg(bytes: Buffer): boolean {
  return /^\uFEFF?(?:\s|<\?xml[^>]*\?>|<!--(?:(?!-->)[^])*-->)*<svg[\s/>]/.test(
    textOf(bytes) ?? "",
  );
}

/** Scripts and event handlers: an SVG that is opened directly would run them with our origin. */
const ACTIVE_SVG =
  /<(?:\w+:)?(?:script|foreignObject|iframe|embed|object|handler)\b|<!(?:DOCTYPE|ENTITY)|\son\w+\s*=|(?:href|src)\s*=\s*["']?\s*(?!["'#]|data:image\/(?:png|jpeg|gif|webp))\S/i;
