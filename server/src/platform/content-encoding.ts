import { readFile } from "node:fs/promises";

/** The compression of a body on its way to a browser. */
export type ContentEncoding = "br" | "gzip" | "identity";

/** A body in every encoding that is sent. */
export type EncodedBodies = Record<ContentEncoding, Buffer>;

/** A file of a build with its compressed copies, which stand beside it. */
export async function readEncoded(path: string): Promise<EncodedBodies> {
  const [identity, br, gzip] = await Promise.all([
    readFile(path),
    readFile(`${path}.br`),
    readFile(`${path}.gz`),
  ]);
  return { identity, br, gzip };
}

/** The smallest that somebody with this `Accept-Encoding` can unpack. */
export function contentEncoding(accepted = ""): ContentEncoding {
  if (/\bbr\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return "br";
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted) ? "gzip" : "identity";
}
