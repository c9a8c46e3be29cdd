/** The compression of a body on its way to a browser. */
export type ContentEncoding = "br" | "gzip" | "identity";

/** The smallest that somebody with this `Accept-Encoding` can unpack. */
export function contentEncoding(accepted = ""): ContentEncoding {
  if (/\bbr\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return "br";
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted) ? "gzip" : "identity";
}
