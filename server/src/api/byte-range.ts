import type { FastifyRequest } from "fastify";

/** From the first byte to the last, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * What a request wants of `size` bytes that are known by `etag`. Several ranges, and what is no range,
 * are answered with the whole, as HTTP allows; Safari plays no video from a server that knows none.
 */
export function byteRange(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  etag: string,
  size: number,
): ByteRange | "whole" | "unsatisfiable" {
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? "") ?? [];
  if (method !== "GET" || (from === "" && to === "")) return "whole";
  // The beginning that the browser has is of another file.
  if ((headers["if-range"] ?? etag) !== etag) return "whole";
  if (from !== "" && to !== "" && Number(from) > Number(to)) return "whole";
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first < size ? { first, last } : "unsatisfiable";
}
